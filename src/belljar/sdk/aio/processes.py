"""`processes`: programs in the box, and their terminals."""

import base64
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from belljar.sdk.aio.http import AsyncHttp
from belljar.sdk.aio.io import ConnectionClosed, Socket
from belljar.sdk.encoding import LogStream, Owner, RestartPolicy, as_body, body, ms
from belljar.sdk.errors import Unreachable
from belljar.wire.base import Ok
from belljar.wire.processes import (
    LogEntry,
    ProcessConfig,
    ProcessInfo,
    ProcessInputResult,
    ProcessList,
    ProcessLogs,
    RunResult,
    TerminalSize,
)


class AsyncTerminal:
    """Iterate over what it shows, as bytes, until the program ends; then `exit_code` says how."""

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self.has_exited = False
        # None for a program that a signal ended, too.
        self.exit_code: int | None = None

    async def write(self, text: str) -> None:
        """Type."""
        await self._tell({"type": "input", "data": text})

    async def resize(self, *, cols: int, rows: int) -> None:
        """Give it another size."""
        await self._tell({"type": "resize", "cols": cols, "rows": rows})

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            try:
                message = await self._socket.recv()
            except ConnectionClosed:
                return
            if isinstance(message, bytes):
                yield message
            else:
                self._note(json.loads(message))

    def _note(self, told: dict[str, Any]) -> None:
        if told["type"] == "exit":
            self.has_exited = True
            self.exit_code = told.get("exitCode")

    async def _tell(self, message: dict[str, Any]) -> None:
        try:
            await self._socket.send(json.dumps(message))
        except ConnectionClosed as error:
            raise Unreachable("The terminal's connection has ended.") from error


class AsyncProcesses:
    """Programs of the box, by their ids."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def run(
        self,
        command: str,
        args: Sequence[str] = (),
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
        max_output_bytes: int | None = None,
    ) -> RunResult:
        """Run a program to its end and have its output at once."""
        asked = body(
            command=command,
            args=list(args),
            cwd=cwd,
            env=env,
            timeout_ms=ms(timeout),
            max_output_bytes=max_output_bytes,
        )
        return await self._http.post("/v1/processes/run", RunResult, asked, timeout=timeout)

    async def start(
        self,
        command: str,
        args: Sequence[str] = (),
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        tty: bool = False,
        interactive: bool = False,
        restart_policy: RestartPolicy | None = None,
    ) -> ProcessInfo:
        """Start a program that goes on by itself, in a terminal with `tty`."""
        asked = body(
            command=command,
            args=list(args),
            cwd=cwd,
            env=env,
            tty=tty,
            interactive=interactive,
            restart_policy=restart_policy,
        )
        return await self._http.post("/v1/processes", ProcessInfo, asked)

    async def list(self, *, owner: Owner | None = None) -> ProcessList:
        """Those that run and those that ended and are remembered."""
        return await self._http.get("/v1/processes", ProcessList, body(owner=owner))

    async def get(self, process_id: str) -> ProcessInfo:
        """Whether it runs, and how it ended."""
        return await self._http.get(f"/v1/processes/{process_id}", ProcessInfo)

    async def stop(self, process_id: str, *, wait: float | None = None) -> ProcessInfo:
        """Ask it to end (SIGTERM); with `wait`, answered when it has, or after so many seconds."""
        path = f"/v1/processes/{process_id}/stop"
        return await self._http.post(path, ProcessInfo, query=body(wait_ms=ms(wait)), timeout=wait)

    async def kill(self, process_id: str, *, wait: float | None = None) -> ProcessInfo:
        """End it at once (SIGKILL)."""
        path = f"/v1/processes/{process_id}/kill"
        return await self._http.post(path, ProcessInfo, query=body(wait_ms=ms(wait)), timeout=wait)

    async def delete(self, process_id: str) -> Ok:
        """Forget one that ended, with its log."""
        return await self._http.delete(f"/v1/processes/{process_id}", Ok)

    async def write(self, process_id: str, data: str | bytes) -> ProcessInputResult:
        """Send it input."""
        raw = data.encode() if isinstance(data, str) else data
        asked = body(data=base64.b64encode(raw).decode(), encoding="base64")
        return await self._http.post(f"/v1/processes/{process_id}/input", ProcessInputResult, asked)

    async def logs(
        self,
        process_id: str,
        *,
        stream: LogStream | None = None,
        tail: int | None = None,
        since: int | None = None,
    ) -> ProcessLogs:
        """What it wrote, as far as it is kept; the bytes of an entry are `base64`."""
        asked = body(stream=stream, tail=tail, since=since)
        return await self._http.get(f"/v1/processes/{process_id}/logs", ProcessLogs, asked)

    async def output(self, process_id: str, *, stream: LogStream | None = None) -> bytes:
        """What it wrote, as far as it is kept, as bytes."""
        entries = (await self.logs(process_id, stream=stream)).entries
        return b"".join(base64.b64decode(entry.data) for entry in entries)

    async def follow_logs(
        self,
        process_id: str,
        *,
        stream: LogStream | None = None,
        tail: int | None = None,
        since: int | None = None,
    ) -> AsyncGenerator[LogEntry, None]:
        """As `logs`, and then whatever it writes, until it is deleted."""
        asked = body(stream=stream, tail=tail, since=since, follow=True)
        async for entry in self._http.events(f"/v1/processes/{process_id}/logs", LogEntry, asked):
            yield entry

    @asynccontextmanager
    async def terminal(self, process_id: str) -> AsyncIterator[AsyncTerminal]:
        """The terminal of a program that was started with `tty`, to type into and to look at."""
        async with self._http.websocket(f"/v1/processes/{process_id}/terminal/ws") as socket:
            yield AsyncTerminal(socket)

    async def resize_terminal(self, process_id: str, *, cols: int, rows: int) -> TerminalSize:
        """Give its terminal another size."""
        asked = body(cols=cols, rows=rows)
        return await self._http.post(f"/v1/processes/{process_id}/terminal/resize", TerminalSize, asked)

    async def config(self) -> ProcessConfig:
        """The limits there are."""
        return await self._http.get("/v1/processes/config", ProcessConfig)

    async def set_config(self, config: ProcessConfig) -> ProcessConfig:
        """Change the limits."""
        return await self._http.post("/v1/processes/config", ProcessConfig, as_body(config))
