"""The box's egress process: started, given its listener and policy, and replaced when it ends."""

import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import anyio

from belljar.box.process import Process, Processes, Program
from belljar.box.record import Bus
from belljar.egress.channel import Egress, EgressGone, open_egress
from belljar.egress.policy.file import loosened, parse_policy, restricted
from belljar.egress.policy.policy import Policy, is_tightening
from belljar.egress.proxy.gate import Record, Ring
from belljar.logs import log
from belljar.problems import StreamError
from belljar.tasks import background
from belljar.wire.processes import LogStream
from belljar.wire.record import EventKind

# Between two egress processes that end at once.
PAUSE = 0.5


# Isolated from the environment and the working folder, with the packages of this server wherever they are.
_SCRIPT = "import sys; sys.path[:0] = sys.argv[2:]; from belljar.egress.__main__ import run; run(3)"


class WayOut:
    """Opened by `open_way_out`.  While no egress process runs nothing gets out: the listener has nobody to accept."""

    def __init__(
        self,
        processes: Processes,
        policy: str,
        allow: tuple[str, ...],
        identity: str,
        bus: Bus,
        elsewhere: Path | None = None,
    ) -> None:
        self.log = Ring()
        self.log.on_put.append(self._tell)
        self._bus = bus
        self._processes = processes
        self._text, self._allow = policy, allow
        self._policy = parse_policy(policy, allow)
        self._identity = identity
        # Where an egress process of somebody else's listens, for a box without a network; else we start our own.
        self._elsewhere = elsewhere
        self._listener: socket.socket | None = None
        self._is_jailed = False
        self._egress: Egress | None = None
        # To be held by whoever makes a new policy out of the one in force.
        self.changing = anyio.Lock()

    @property
    def text(self) -> str:
        return self._text

    @property
    def allow(self) -> tuple[str, ...]:
        return self._allow

    @property
    def policy(self) -> Policy:
        return self._policy

    async def listen(self, listener: socket.socket, *, is_jailed: bool) -> None:
        """Serve this listener from now on, instead of an earlier one; it is ours then.

        While the egress process is still starting, clients wait in the listener's backlog: a box need not.
        """
        if self._listener is not None:
            self._listener.close()
        self._listener, self._is_jailed = listener, is_jailed
        if self._egress is not None:
            with suppress(EgressGone):
                await self._hand_over(self._egress)

    async def set_policy(self, text: str, allow: tuple[str, ...]) -> None:
        """Holds when this returns, for open connections too.  Raises `BadPolicy` and changes nothing then."""
        policy = parse_policy(text, allow)
        if self._egress is not None and self._listener is not None:
            try:
                await self._egress.set_policy(text, allow)
            except EgressGone:
                log.warning("egress.lost")
        self._text, self._allow, self._policy = text, allow, policy

    async def restrict(self, *, deny: Sequence[str], only: Sequence[str]) -> None:
        """Put refusals before the policy in force.  Raises `BadPolicy` and changes nothing then."""
        async with self.changing:
            await self.set_policy(restricted(self._text, self._allow, deny=deny, only=only), ())

    async def loosen(self, *, allow: Sequence[str], learn: bool | None) -> None:
        """Put permissions before the policy in force.  Raises `BadPolicy` and changes nothing then."""
        async with self.changing:
            await self.set_policy(loosened(self._text, self._allow, more=allow, learn=learn), ())

    def is_tightened_by(self, text: str, allow: tuple[str, ...]) -> bool:
        return is_tightening(self._policy, parse_policy(text, allow))

    def _tell(self, record: Record) -> None:
        """Each decision when it is made, and the end of what was let through."""
        data: dict[str, object] = {
            "id": record.id,
            "host": record.host,
            "port": record.port,
            "scheme": record.scheme,
            "rule": record.rule,
        }
        if record.decision == "deny":
            data["reason"] = record.reason
            self._bus.tell(EventKind.EGRESS, "denied", data=data, mono=self._bus.clock.lately_at_wall(record.time))
        elif record.duration is None:
            self._bus.tell(EventKind.EGRESS, "allowed", data=data, mono=self._bus.clock.lately_at_wall(record.time))
        else:
            data |= {"ms": round(record.duration * 1000), "sent": record.bytes_sent, "received": record.bytes_received}
            self._bus.tell(EventKind.EGRESS, "closed", data=data)

    async def keep(self) -> None:
        """One egress process after the other; runs as long as the box."""
        live = self._live if self._elsewhere is None else partial(self._live_with, self._elsewhere)
        while True:
            try:
                await live()
            except (StreamError, TimeoutError, EgressGone, OSError) as error:
                log.error("egress.not_started", error=str(error))
            self._egress = None
            await anyio.sleep(PAUSE)

    async def _live(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours, theirs:
            program = Program(
                command=sys.executable,
                args=("-I", "-c", _SCRIPT, "belljar.egress", *(path for path in sys.path if path)),
                cwd="/",
                is_trusted=True,
            )
            process = await self._processes.start(program, descriptors={3: theirs.fileno()})
            theirs.close()
            try:
                await self._speak(ours)
            except TimeoutError:
                log.error("egress.silent", said=_last_words(process))
                raise
            finally:
                await _end(process)

    async def _live_with(self, path: Path) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as ours:
            ours.connect(str(path))
            await self._speak(ours)

    async def _speak(self, ours: socket.socket) -> None:
        async with open_egress(ours, dial=self._dial, log=self.log) as egress:
            self._egress = egress
            if self._listener is not None:
                await self._hand_over(egress)
            await egress.gone.wait()
            log.warning("egress.lost")

    async def _hand_over(self, egress: Egress) -> None:
        assert self._listener is not None
        await egress.listen(self._listener, self._text, self._allow, identity=self._identity, dials=self._is_jailed)

    async def _dial(self, port: int) -> socket.socket:
        return await self._processes.connect_loopback(port)

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close()


def _last_words(process: Process) -> str:
    entries = process.logs.read(streams=(LogStream.STDOUT, LogStream.STDERR), tail=20)
    return b"".join(entry.data for entry in entries).decode("utf-8", "replace")[-1000:]


async def _end(process: Process) -> None:
    with anyio.move_on_after(5, shield=True):
        await process.end(grace=1.0)


@asynccontextmanager
async def open_way_out(
    processes: Processes,
    policy: str,
    allow: tuple[str, ...],
    identity: str,
    bus: Bus | None = None,
    elsewhere: Path | None = None,
) -> AsyncIterator[WayOut]:
    """Raises `BadPolicy` before anything is started.  `elsewhere` is where an egress process listens already."""
    way_out = WayOut(processes, policy, allow, identity, bus or Bus(), elsewhere)
    try:
        async with background(way_out.keep, name="egress"):
            yield way_out
    finally:
        way_out.close()
