"""Running the caller's JavaScript, and making JSON of whatever comes back."""

import json
from dataclasses import dataclass
from typing import Any

from belljar.box.browser.cdp import CdpError, Session
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


@dataclass(frozen=True)
class Executed:
    result: Any
    type: str
    description: str | None = None
    is_truncated: bool = False


async def execute(frame: Frame, expression: str, *, await_promise: bool, world: World = World.MAIN) -> Executed:
    """Evaluate in the page's own world, or in one beside it.  Raises `ScriptError` for what it throws."""
    context = await frame.context(world)
    try:
        reply = await context.session.send(
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
        if await_promise and reply["result"].get("subtype") == "promise":
            promise = reply["result"]["objectId"]
            reply = await context.session.send("Runtime.awaitPromise", promiseObjectId=promise, returnByValue=False)
            context.session.tell("Runtime.releaseObject", objectId=promise)
        if "exceptionDetails" in reply:
            raise _script_error(JsError(reply["exceptionDetails"]))
        return await _described(context.session, reply["result"])
    except CdpError as error:
        if means_document_gone(error):
            raise DocumentGone(error.message) from error
        raise


async def _described(session: Session, result: dict[str, Any]) -> Executed:
    kind: str = result["type"]
    subtype: str | None = result.get("subtype")
    if kind == "undefined":
        return Executed(None, "undefined", "undefined")
    if subtype == "null":
        return Executed(None, "null")
    if "unserializableValue" in result:
        return Executed(None, kind, result["unserializableValue"])
    if "objectId" not in result:
        value = result.get("value")
        if isinstance(value, str) and len(value) > MAX_RESULT_CHARS:
            return Executed(None, kind, f"a string of {len(value)} characters", is_truncated=True)
        return Executed(value, kind)
    described = result.get("description", kind)
    try:
        if kind in ("function", "symbol") or subtype in _WITHOUT_JSON:
            return Executed(None, subtype or kind, described[:1000])
        return await _json_of(session, result["objectId"], subtype or kind, described)
    finally:
        session.tell("Runtime.releaseObject", objectId=result["objectId"])


async def _json_of(session: Session, object_id: str, kind: str, described: str) -> Executed:
    reply = await session.send(
        "Runtime.callFunctionOn",
        functionDeclaration=_TO_JSON,
        objectId=object_id,
        arguments=[{"value": MAX_RESULT_CHARS}],
        returnByValue=True,
    )
    if "exceptionDetails" in reply:
        return Executed(None, kind, described[:1000])
    answer = reply["result"]["value"]
    if "text" in answer:
        return Executed(json.loads(answer["text"]), kind)
    if "size" in answer:
        return Executed(None, kind, f"{described}: {answer['size']} characters of JSON", is_truncated=True)
    return Executed(None, kind, f"{described}: {answer['why']}"[:1000])


def _script_error(error: JsError) -> ScriptError:
    return ScriptError(
        f"The script threw {error.description.partition(chr(10))[0]}"[:2000],
        name=error.name,
        message=error.message[:2000],
        line=error.line,
        column=error.column,
        stack=error.description[:4000] if "\n    at " in error.description else None,
    )
