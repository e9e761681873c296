"""The terminal WebSocket: one program's terminal, shared by any number of people."""

from collections.abc import Awaitable, Callable

import anyio
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from belljar.box.parts import TheBox
from belljar.box.process import Process, State
from belljar.box.routes.processes import check_size, check_terminal, decoded
from belljar.problems import Problem
from belljar.server.router import Messages, Router
from belljar.wire.base import BUILT_WHEN_USED
from belljar.wire.live import JSON_SUBPROTOCOL
from belljar.wire.processes import (
    InputEncoding,
    LogStream,
    TerminalClose,
    TerminalError,
    TerminalExit,
    TerminalInput,
    TerminalMessage,
    TerminalReady,
    TerminalResize,
    TerminalStatus,
)

router = Router(prefix="/v1/processes", acts=False)


_MESSAGE: TypeAdapter[TerminalMessage] = TypeAdapter(TerminalMessage, config=BUILT_WHEN_USED)


@router.websocket(
    "/{id}/terminal/ws",
    operation_id="connectProcessTerminal",
    messages=Messages(TerminalMessage, TerminalStatus, subprotocols=(JSON_SUBPROTOCOL,)),
)
async def terminal(socket: WebSocket, id: str, box: TheBox) -> None:
    """Output as binary frames, everything else as JSON text."""
    process = box.processes.get(id)
    check_terminal(process)
    since = process.logs.last_sequence
    # A browser's token comes as a subprotocol, and a browser closes what answers with none of those it offered.
    await socket.accept(JSON_SUBPROTOCOL if JSON_SUBPROTOCOL in socket.scope["subprotocols"] else None)
    viewer = Viewer(socket, process, since, box.processes.config.max_input_bytes_per_request)
    await viewer.attend()


class Viewer:
    """One person at a terminal.  Output is read from the log, so one that is slow misses some and holds nobody up."""

    def __init__(self, socket: WebSocket, process: Process, since: int, max_input: int) -> None:
        self._socket = socket
        self._process = process
        self._since = since
        self._max_input = max_input

    async def attend(self) -> None:
        """Until either side is done."""
        await self._tell(TerminalReady(process_id=self._process.id))
        async with anyio.create_task_group() as tasks:
            for work in (self._show, self._listen):
                tasks.start_soon(self._until_over, work, tasks.cancel_scope)

    async def _until_over(self, work: Callable[[], Awaitable[None]], scope: anyio.CancelScope) -> None:
        try:
            await work()
        except WebSocketDisconnect:
            pass
        scope.cancel()

    async def _show(self) -> None:
        process = self._process
        seen = self._since
        async for batch in process.logs.follow(
            streams=(LogStream.PTY,), since=seen, until=lambda: process.state is State.ENDED
        ):
            if batch[0].sequence > seen + 1:
                await self._tell(TerminalError(message="some output was skipped: this client is too slow"))
            seen = batch[-1].sequence
            await self._socket.send_bytes(b"".join(entry.data for entry in batch))
        if process.state is State.ENDED:
            await self._tell(TerminalExit(exit_code=process.exit and process.exit.code))
            await self._socket.close()
        else:
            await self._socket.close(1001)

    async def _listen(self) -> None:
        while True:
            frame = await self._socket.receive()
            if frame["type"] == "websocket.disconnect":
                return
            try:
                message = _MESSAGE.validate_json(frame.get("text") or "")
                if isinstance(message, TerminalClose):
                    await self._socket.close()
                    return
                await self._do(message)
            except ValidationError:
                await self._tell(TerminalError(message="send JSON text of type input, resize or close"))
            except Problem as problem:
                await self._tell(TerminalError(message=problem.detail))

    async def _do(self, message: TerminalInput | TerminalResize) -> None:
        if isinstance(message, TerminalResize):
            self._process.resize(message.cols, message.rows)
            return
        data = decoded(message.data, message.encoding or InputEncoding.TEXT)
        check_size(data, self._max_input)
        await self._process.write(data)

    async def _tell(self, message: TerminalReady | TerminalExit | TerminalError) -> None:
        await self._socket.send_text(message.model_dump_json(by_alias=True))
