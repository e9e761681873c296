"""A viewer's commands, one after another, with their results in that order."""

import time
from collections.abc import Callable
from typing import Any

import anyio
from starlette.types import Scope

from belljar.asgi.router import Application
from belljar.box.held_back import needs_control
from belljar.box.lease import AGENT, Party, viewer
from belljar.box.live.live import Live
from belljar.box.live.rest import Answer, call_of, run, with_message
from belljar.logs import log
from belljar.problems import InvalidRequest, Problem
from belljar.problems.live import CommandTimeout, RateLimited, UnknownMethod
from belljar.wire.live import Command, Result

# Commands that may wait behind the one that runs.
_MAX_WAITING = 64
_CONTROL = "control."


class Commands:
    def __init__(self, app: Application, live: Live, who: Party, scope: Scope, send: Callable[[Result], None]) -> None:
        self._app = app
        self._live = live
        self._who = who
        self._scope = scope
        self._send = send
        self._give, self._waiting = anyio.create_memory_object_stream[Command](_MAX_WAITING)

    def put(self, command: Command) -> None:
        try:
            self._give.send_nowait(command)
        except anyio.WouldBlock:
            self.refuse(command.id, RateLimited(f"{_MAX_WAITING} commands are waiting already.", retry_after_ms=1000))

    def refuse(self, id: int | str, problem: Problem) -> None:
        self._send(Result(id=id, ok=False, error=with_message(problem.body())))

    async def run(self) -> None:
        with self._give, self._waiting:
            async for command in self._waiting:
                began = time.perf_counter()
                answer = await self._do(command)
                took = time.perf_counter() - began
                is_ok = answer.error is None
                if is_ok:
                    self._send(Result(id=command.id, ok=True, result=answer.result))
                else:
                    self._send(Result(id=command.id, ok=False, error=answer.error))
                method = "unknown" if _is_unknown(answer) else command.method
                self._live.command_done(method, took, is_ok=is_ok)
                log.info(
                    "live.command", method=method, ok=is_ok, duration_ms=round(took * 1000, 2), viewer=self._who.id
                )

    async def _do(self, command: Command) -> Answer:
        try:
            if command.method.startswith(_CONTROL):
                return Answer(result=self._control(command.method.removeprefix(_CONTROL), command.params))
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

    def _control(self, action: str, params: dict[str, Any]) -> Any:
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


def _is_unknown(answer: Answer) -> bool:
    """Names that callers make up are kept out of metrics and logs."""
    return answer.error is not None and answer.error["code"] == UnknownMethod.code
