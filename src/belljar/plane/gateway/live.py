"""Live sockets as the gateway sees them: who takes control, how smooth it is, how long commands take."""

import time
from collections.abc import Awaitable, Callable, Mapping

import msgspec

from belljar.logs import log

_REPORT_SECONDS = 30.0
# Commands under way of which the time is taken; the box lets fewer wait.
_MAX_TIMED = 100


class _Sent(msgspec.Struct, gc=False):
    type: str = ""
    id: int | str | None = None


class _Holder(msgspec.Struct, gc=False):
    viewer: str = ""


class _Control(msgspec.Struct, gc=False):
    holder: _Holder = msgspec.field(default_factory=_Holder)


class _Data(msgspec.Struct, gc=False, rename="camel"):
    """What matters of `ready`, `control` and `stats`."""

    viewer: str = ""
    holder: _Holder = msgspec.field(default_factory=_Holder)
    control: _Control = msgspec.field(default_factory=_Control)
    fps: float = 0.0
    dropped_frames: int = 0


class _FromBox(msgspec.Struct, gc=False):
    type: str = ""
    id: int | str | None = None
    ok: bool = False
    name: str = ""
    data: msgspec.Raw = msgspec.Raw(b"{}")


_sent = msgspec.json.Decoder(_Sent).decode
_told = msgspec.json.Decoder(_FromBox).decode
_data = msgspec.json.Decoder(_Data).decode


class LiveLine:
    """One viewer's socket.  `record` writes into the audit log; `about` is in each log line."""

    def __init__(self, about: Mapping[str, str | None], record: Callable[[str], Awaitable[None]]) -> None:
        self._about = about
        self._record = record
        self._viewer = ""
        self._holds = False
        self._began: dict[int | str, float] = {}
        self._fps = 0.0
        self._dropped = 0
        self._reported_at = time.monotonic()

    def inward(self, data: str | bytes) -> None:
        if isinstance(data, str) and len(self._began) < _MAX_TIMED:
            try:
                sent = _sent(data)
            except msgspec.MsgspecError:
                return
            if sent.type == "cmd" and sent.id is not None:
                self._began[sent.id] = time.perf_counter()

    async def outward(self, data: str | bytes) -> None:
        """Control that has moved is recorded before anyone at this end is told."""
        if isinstance(data, bytes) or data.startswith('{"type":"frame"'):
            return
        try:
            told = _told(data)
            if told.type == "result" and told.id is not None:
                self._commanded(told)
            elif told.type == "event":
                await self._happened(told.name, told.data)
        except msgspec.MsgspecError:
            return

    async def end(self) -> None:
        """The socket is closed; control, if it was held, goes with it a moment later."""
        self._report("live.left")
        await self._moved(is_holder=False)

    def _commanded(self, told: _FromBox) -> None:
        began = self._began.pop(told.id or "", None)
        if began is not None:
            took = round((time.perf_counter() - began) * 1000, 2)
            log.info("live.command", ok=told.ok, duration_ms=took, **self._figures())

    async def _happened(self, name: str, raw: msgspec.Raw) -> None:
        if name == "ready":
            data = _data(raw)
            self._viewer = data.viewer
            await self._moved(is_holder=data.control.holder.viewer == self._viewer)
        elif name == "control":
            await self._moved(is_holder=_data(raw).holder.viewer == self._viewer != "")
        elif name == "stats":
            data = _data(raw)
            self._fps, self._dropped = data.fps, data.dropped_frames
            if time.monotonic() - self._reported_at >= _REPORT_SECONDS:
                self._report("live.watched")

    async def _moved(self, *, is_holder: bool) -> None:
        had, self._holds = self._holds, is_holder
        if had is not is_holder:
            await self._record("control.taken" if is_holder else "control.left")

    def _report(self, event: str) -> None:
        self._reported_at = time.monotonic()
        log.info(event, **self._figures())

    def _figures(self) -> dict[str, str | float | None]:
        return {**self._about, "fps": self._fps, "dropped_frames": self._dropped}
