"""Run a program for its output: start, collect, answer in time, leave nothing of it behind when it is late."""

import codecs
import time
from collections.abc import Mapping
from dataclasses import dataclass
from signal import SIGKILL

import anyio

from belljar.box.process.keeper import Keeper
from belljar.box.process.life import Life, begin
from belljar.box.process.program import Exit, Program
from belljar.wire.processes import LogStream


class Capture:
    """The first `limit` bytes of a stream.  The rest is read and thrown away, so that the writer is not held up."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = bytearray()
        self.is_truncated = False

    def take(self, data: bytes) -> None:
        room = self._limit - len(self._data)
        self._data += data[:room]
        self.is_truncated = self.is_truncated or len(data) > room

    def text(self) -> str:
        """As UTF-8, with U+FFFD for what is not; a character that the limit cut in two is left out."""
        decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        return decoder.decode(bytes(self._data), final=not self.is_truncated)


@dataclass(frozen=True)
class Outcome:
    """What came of a run.  `exit` is None when the program had not ended by the timeout."""

    exit: Exit | None
    timed_out: bool
    stdout: Capture
    stderr: Capture
    seconds: float


async def run_once(
    keeper: Keeper, program: Program, environment: Mapping[str, str], *, timeout: float, max_output: int
) -> Outcome:
    """Run until the program has ended and nobody can write to its output any more, or until the `timeout`.

    At the timeout, or when cancelled, the whole tree of processes is killed; the answer does not wait for them.
    """
    began = time.monotonic()
    captured = {LogStream.STDOUT: Capture(max_output), LogStream.STDERR: Capture(max_output)}
    life = await begin(keeper, program, environment, {}, lambda stream, data: captured[stream].take(data))
    try:
        with anyio.move_on_after(timeout) as scope:
            await _end_of(life)
    finally:
        if life.exit is None or not life.is_silent:
            life.signal(SIGKILL, tree=True)
        life.close()
    return Outcome(
        exit=life.exit,
        timed_out=scope.cancelled_caught,
        stdout=captured[LogStream.STDOUT],
        stderr=captured[LogStream.STDERR],
        seconds=time.monotonic() - began,
    )


async def _end_of(life: Life) -> None:
    is_over = anyio.Event()

    def look() -> None:
        if life.exit is not None and life.is_silent:
            is_over.set()

    life.watch_output(look)
    life.watch(lambda exit: look())
    look()
    await is_over.wait()
