"""Running the caller's JavaScript, and making JSON of whatever comes back."""

import json
from dataclasses import dataclass

from belljar.box.browser.cdp import CdpError, Session
from belljar.box.browser.cdp.messages import decode_value
from belljar.box.browser.cdp.replies import Evaluation, Part, RemoteObject
from belljar.box.browser.page.frames import DocumentGone, Frame, JsError, World, means_document_gone
from belljar.problems.browser import ScriptError

# Characters of JSON that are returned; a larger value is described instead.
MAX_RESULT_CHARS = 10_000_000

# JSON of an object, told apart from objects that have none worth the name.
_TO_JSON = """function (limit) {
  let text;
  try { text = JSON.stringify(this); } catch (error) { return { why: String(error && error.message) }; }
  if (text === undefined) return { why: 'it has no JSON value' };
  return text.length > limit ? { size: text.length } : { text };
}"""
_WITHOUT_JSON = frozenset({"node", "window", "proxy", "weakmap", "weakset", "generator", "promise", "error"})


class _Json(Part):
    text: str | None = None
    size: int | None = None
    why: str = ""


@dataclass(frozen=True)
class Executed:
    result: object
    type: str
    description: str | None = None
    is_truncated: bool = False


async def execute(frame: Frame, expression: str, *, await_promise: bool, world: World = World.MAIN) -> Executed:
    """Evaluate in the page's own world, or in one beside it.  Raises `ScriptError` for what it throws."""
    context = await frame.context(world)
    try:
        reply = await context.session.send_as(
            Evaluation,
            "Runtime.evaluate",
            expression=expression,
            uniqueContextId=context.id,
            awaitPromise=await_promise,
            returnByValue=False,
            userGesture=True,
            # As in a console: `const` may be declared again, and `await` stands at the top.
            replMode=True,
        )
        # A console leaves a promise as it is.
        promise = reply.result.object_id if reply.result.subtype == "promise" else None
        if await_promise and promise is not None:
            reply = await context.session.send_as(
                Evaluation, "Runtime.awaitPromise", promiseObjectId=promise, returnByValue=False
            )
            context.session.tell("Runtime.releaseObject", objectId=promise)
        if reply.exception_details is not None:
            raise _script_error(JsError(reply.exception_details))
        return await _described(context.session, reply.result)
    except CdpError as error:
        if means_document_gone(error):
            raise DocumentGone(error.message) from error
        raise


async def _described(session: Session, result: RemoteObject) -> Executed:
    kind, subtype = result.type, result.subtype
    if kind == "undefined":
        return Executed(None, "undefined", "undefined")
    if subtype == "null":
        return Executed(None, "null")
    if result.unserializable_value is not None:
        return Executed(None, kind, result.unserializable_value)
    if result.object_id is None:
        value = decode_value(object, result.value)
        if isinstance(value, str) and len(value) > MAX_RESULT_CHARS:
            return Executed(None, kind, f"a string of {len(value)} characters", is_truncated=True)
        return Executed(value, kind)
    described = result.description if result.description is not None else kind
    try:
        if kind in ("function", "symbol") or subtype in _WITHOUT_JSON:
            return Executed(None, subtype or kind, described[:1000])
        return await _json_of(session, result.object_id, subtype or kind, described)
    finally:
        session.tell("Runtime.releaseObject", objectId=result.object_id)


async def _json_of(session: Session, object_id: str, kind: str, described: str) -> Executed:
    reply = await session.send_as(
        Evaluation,
        "Runtime.callFunctionOn",
        functionDeclaration=_TO_JSON,
        objectId=object_id,
        arguments=[{"value": MAX_RESULT_CHARS}],
        returnByValue=True,
    )
    if reply.exception_details is not None:
        return Executed(None, kind, described[:1000])
    answer = decode_value(_Json, reply.result.value)
    if answer.text is not None:
        return Executed(json.loads(answer.text), kind)
    if answer.size is not None:
        return Executed(None, kind, f"{described}: {answer.size} characters of JSON", is_truncated=True)
    return Executed(None, kind, f"{described}: {answer.why}"[:1000])


def _script_error(error: JsError) -> ScriptError:
    return ScriptError(
        f"The script threw {error.description.partition(chr(10))[0]}"[:2000],
        name=error.name,
        message=error.message[:2000],
        line=error.line,
        column=error.column,
        stack=error.description[:4000] if "\n    at " in error.description else None,
    )
