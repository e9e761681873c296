"""Commands of the live socket, run as the REST calls they are.

The routes say which are commands, and under which names: the same checks, the same waiting for a page's turn, the same
problems, and the same policy for `evaluate`.  Nothing can be done here that could not be done over HTTP.
"""

import secrets
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

import anyio
import msgspec
from anyio.streams.memory import MemoryObjectReceiveStream
from starlette.types import Scope

from belljar import logs
from belljar.box.access.lease import AGENT, Party, needs_control, viewer
from belljar.box.live.live import Live
from belljar.box.record.calls import RecordCalls
from belljar.logs import log
from belljar.problems import InvalidRequest, Problem
from belljar.problems.box import CommandTimeout, Overtaken, RateLimited, UnknownMethod
from belljar.server.application import Application, FindRoute
from belljar.server.inprocess import VIA, VIEWER_NAME, InProcess
from belljar.server.requests import internal_error
from belljar.server.router import Route
from belljar.wire.live import Command, Result
from belljar.wire.record import ActorVia

Params = dict[str, object]

_JSON = ((b"content-type", b"application/json"),)


@dataclass(frozen=True)
class Call:
    route: Route
    path: str
    body: Params | None = None
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def method(self) -> str:
        return self.route.methods[0]


@dataclass(frozen=True)
class Answer:
    """`result` of a good answer, or the `error` of another: a problem, with `message`."""

    result: Any = None
    error: Params | None = None


def call_of(app: Application, method: str, params: Params) -> Call:
    """The REST call that a command is.  Raises `UnknownMethod`."""
    table = _table(app)
    if method not in table:
        raise UnknownMethod(f"There is no command of that name. Known are: {', '.join(sorted(table))}.")
    route, fixed = table[method]
    # Specification 3 names it so; REST has one name for it everywhere.
    timeout = {"timeout": params["timeoutMs"]} if "timeoutMs" in params else {}
    given = {name: value for name, value in params.items() if name != "timeoutMs"} | timeout | dict(fixed)
    if not route.is_fixed:
        return Call(route, _with_tab(route.path_format, given))
    if route.methods == ("GET",):
        return Call(route, route.path, query=_words(given))
    return Call(route, route.path, given)


@cache
def _table(app: Application) -> Mapping[str, tuple[Route, Mapping[str, object]]]:
    """Each command by its name, as the routes have it."""
    return {name: (route, fixed) for route in app.routes for name, fixed in route.facts.live_commands.items()}


def _with_tab(path: str, params: Params) -> str:
    id = params.get("id", params.get("tabId"))
    if not isinstance(id, str) or not id:
        raise InvalidRequest("id: the command needs a tab's id.")
    return path.replace("{tab_id}", quote(id, safe=""))


def _words(params: Params) -> dict[str, str]:
    return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in params.items()}


async def run(app: Application, call: Call, around: Scope) -> Answer:
    """Ask our own application, on behalf of the connection whose scope is `around`."""
    content = b"" if call.body is None else msgspec.json.encode(call.body)
    about = {VIA: ActorVia.LIVE, VIEWER_NAME: around["state"]["caller"].id}
    # Each command is a request of its own: what it causes is told apart from what the others do.
    outer = logs.request_id.set(secrets.token_hex(8))
    try:
        reply = await InProcess(FindRoute(RecordCalls(app), app), around, about).call(
            call.method, call.path, query=urlencode(call.query), headers=_JSON, content=content
        )
    except Exception:  # a request's boundary
        log.exception("live.command_failed", path=call.path)
        return Answer(error=with_message(internal_error(around["state"]["request_id"]).body()))
    finally:
        logs.request_id.reset(outer)
    is_json = reply.media_type.endswith("json")
    if reply.status >= 400:
        problem = (
            msgspec.json.decode(reply.content) if is_json else internal_error(around["state"]["request_id"]).body()
        )
        return Answer(error=with_message(problem))
    if is_json or not reply.content:
        return Answer(result=msgspec.json.decode(reply.content) if reply.content else None)
    picture = {"format": reply.media_type.partition("/")[2], "data": b64encode(reply.content).decode()}
    return Answer(result=picture)


def with_message(problem: Params) -> Params:
    """Specification 3's `message`, beside the problem's own members."""
    return {"message": problem.get("detail") or problem["title"], **problem}


# Commands that may wait behind the one that runs.
_MAX_WAITING = 64
_CONTROL = "control."
_STOP = "stop"
# What a page that does not come may be waiting for: not behind whoever waits for the page.
_ASIDE = frozenset({"answer", "dialog"})
# Whoever goes elsewhere does not wait for where they were going before.
_GOING = frozenset({"navigate", "back", "forward", "reload"})


class Commands:
    def __init__(self, app: Application, live: Live, who: Party, scope: Scope, send: Callable[[Result], None]) -> None:
        self._app = app
        self._live = live
        self._who = who
        self._scope = scope
        self._send = send
        self._give, self._waiting = anyio.create_memory_object_stream[tuple[Command, int]](_MAX_WAITING)
        self._give_aside, self._waiting_aside = anyio.create_memory_object_stream[tuple[Command, int]](_MAX_WAITING)
        # The one that runs, while it is one that leads elsewhere; and how often such were overtaken.
        self._going: anyio.CancelScope | None = None
        self._overtakings = 0

    def put(self, command: Command) -> None:
        """In turn; control and stop at once, and a new address ends the way to the one before."""
        if command.method.startswith(_CONTROL):
            self._told(command, self._control_answer(command), 0.0)
            return
        if command.method in (_STOP, *_GOING) and self._live.lease.may_act(self._who):
            self._stop(command)
        give = self._give_aside if command.method in _ASIDE else self._give
        try:
            give.send_nowait((command, self._overtakings))
        except anyio.WouldBlock:
            self.refuse(command.id, RateLimited(f"{_MAX_WAITING} commands are waiting already.", retry_after_ms=1000))

    def refuse(self, id: int | str, problem: Problem) -> None:
        self._send(Result(id=id, ok=False, error=with_message(problem.body())))

    async def run(self) -> None:
        """Until it is cancelled; `settle` comes after it."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._run, self._waiting_aside, name="live answers")
            await self._run(self._waiting)

    async def _run(self, waiting: MemoryObjectReceiveStream[tuple[Command, int]]) -> None:
        async for command, overtakings in waiting:
            began = time.perf_counter()
            is_late = command.method in _GOING and overtakings != self._overtakings
            answer = _overtaken() if is_late else await self._do_unless_overtaken(command)
            self._told(command, answer, time.perf_counter() - began)

    def settle(self) -> None:
        """What waits is forgotten with a viewer that has gone; control was given away at once."""
        with self._give, self._waiting, self._give_aside, self._waiting_aside:
            pass

    def _told(self, command: Command, answer: Answer, took: float) -> None:
        is_ok = answer.error is None
        if is_ok:
            self._send(Result(id=command.id, ok=True, result=answer.result))
        else:
            self._send(Result(id=command.id, ok=False, error=answer.error))
        method = "unknown" if _is_unknown(answer) else command.method
        self._live.command_done(method, took, is_ok=is_ok)
        log.info("live.command", method=method, ok=is_ok, duration_ms=round(took * 1000, 2), viewer=self._who.id)

    def _stop(self, command: Command) -> None:
        """End what leads elsewhere, this viewer's own or an agent's: this one would wait for its turn."""
        self._overtakings += 1
        if self._going is not None:
            self._going.cancel()
        tab = command.params.get("tabId")
        self._live.browser.stop_loading(tab if isinstance(tab, str) else None)

    async def _do_unless_overtaken(self, command: Command) -> Answer:
        if command.method not in _GOING:
            return await self._do(command)
        with anyio.CancelScope() as self._going:
            answer = await self._do(command)
            self._going = None
            return answer
        self._going = None
        return _overtaken()

    def _control_answer(self, command: Command) -> Answer:
        try:
            return Answer(result=self._control(command.method.removeprefix(_CONTROL), command.params))
        except Problem as problem:
            return Answer(error=with_message(problem.body()))

    async def _do(self, command: Command) -> Answer:
        try:
            call = call_of(self._app, command.method, command.params)
            if needs_control(call.method, call.route.facts):
                self._live.lease.check(self._who)
            answer = await run(self._app, call, self._scope)
            if command.method == "waitForSelector" and answer.error is None and not answer.result["found"]:
                wanted = command.params.get("selector", command.params.get("ref", "what was asked for"))
                raise CommandTimeout(f"Timed out while waiting for {str(wanted)[:200]}.")
            return answer
        except Problem as problem:
            return Answer(error=with_message(problem.body()))

    def _control(self, action: str, params: dict[str, object]) -> object:
        lease, who = self._live.lease, self._who
        match action:
            case "take":
                lease.take(who)
            case "request":
                lease.request(who)
            case "renew":
                lease.check(who)
            case "release":
                lease.release(who)
            case "give":
                to = params.get("to")
                if not isinstance(to, str) or not to:
                    raise InvalidRequest("to: the command needs a viewer's id, or agent.")
                lease.give(who, AGENT if to == "agent" else viewer(to))
            case _:
                raise UnknownMethod("Control can be taken, requested, renewed, released and given.")
        return lease.state().model_dump(mode="json", by_alias=True, exclude_none=True)


def _overtaken() -> Answer:
    return Answer(error=with_message(Overtaken("It was stopped, or another address was asked for.").body()))


def _is_unknown(answer: Answer) -> bool:
    """Names that callers make up are kept out of metrics and logs."""
    return answer.error is not None and answer.error["code"] == UnknownMethod.code
