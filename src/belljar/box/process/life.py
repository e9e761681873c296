"""One life of a program: its child, the pipes or terminal between us, and its output when that is all."""

import asyncio
import codecs
import fcntl
import os
import struct
import termios
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from signal import SIGKILL

import anyio

from belljar.box.process.keeper import Keeper, Started
from belljar.box.process.program import Exit, Program
from belljar.wire.processes import LogStream

READ_BYTES = 64 * 1024
# What is still read after a child's end: its pipe holds no more, and a surviving grandchild may write for ever.
MOST_AT_THE_END = 1024 * 1024


class Output:
    """The reading end of a pipe or terminal: each chunk goes to `take`, one per readiness so that all get a turn.

    Nothing is read before `listen`.
    """

    def __init__(self, descriptor: int, take: Callable[[bytes], None]) -> None:
        self._descriptor: int | None = descriptor
        self._take = take
        # Called once, when nobody can write any more.
        self.on_end: Callable[[], None] = lambda: None
        self._loop = asyncio.get_running_loop()

    def listen(self) -> None:
        if self._descriptor is not None:
            os.set_blocking(self._descriptor, False)
            self._loop.add_reader(self._descriptor, self._read)

    @property
    def is_open(self) -> bool:
        return self._descriptor is not None

    def drain(self) -> None:
        """Take what is there now, so that a report of the child's end comes after its last words."""
        taken = 0
        while taken < MOST_AT_THE_END and (size := self._read()):
            taken += size

    def close(self) -> None:
        if self._descriptor is not None:
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None
            self.on_end()

    def _read(self) -> int:
        if self._descriptor is None:
            return 0
        try:
            data = os.read(self._descriptor, READ_BYTES)
        except BlockingIOError:
            return 0
        except OSError:
            # A terminal without anyone on the other side answers EIO: that is its end of file.
            data = b""
        if data:
            self._take(data)
        else:
            self.close()
        return len(data)


class InputStuck(Exception):
    """The child did not take all of its input in time; `written` bytes of it are in the pipe."""

    def __init__(self, written: int) -> None:
        super().__init__(written)
        self.written = written


class InputClosed(Exception):
    """The child has closed its input, or is gone."""


class Input:
    """The writing end of a pipe or terminal; writes of several callers do not mix."""

    def __init__(self, descriptor: int) -> None:
        # None once it is closed.
        self.descriptor: int | None = descriptor
        self._lock = anyio.Lock()
        os.set_blocking(descriptor, False)

    async def write(self, data: bytes, *, timeout: float) -> int:
        """Write all of `data`.  Nothing is kept for later: what the child does not take in time is not written."""
        rest = memoryview(data)
        with anyio.move_on_after(timeout):
            async with self._lock:
                while rest:
                    try:
                        rest = rest[self._write(rest) :]
                    except BlockingIOError:
                        await self._writable()
        if rest:
            raise InputStuck(len(data) - len(rest))
        return len(data)

    def close(self) -> None:
        if self.descriptor is not None:
            anyio.notify_closing(self.descriptor)
            os.close(self.descriptor)
            self.descriptor = None

    def _write(self, data: memoryview) -> int:
        if self.descriptor is None:
            raise InputClosed
        try:
            return os.write(self.descriptor, data)
        except BlockingIOError:
            raise
        except OSError as error:
            raise InputClosed from error

    async def _writable(self) -> None:
        if self.descriptor is None:
            raise InputClosed
        try:
            await anyio.wait_writable(self.descriptor)
        except anyio.ClosedResourceError as error:
            raise InputClosed from error


Take = Callable[[LogStream, bytes], None]


class Life:
    """A started child.  `outputs` may outlast it, for as long as someone it started holds them open."""

    def __init__(self, started: Started, outputs: list[Output], input: Input | None) -> None:
        self._started = started
        self._outputs = outputs
        self.input = input

    @property
    def pid(self) -> int:
        return self._started.child.pid

    @property
    def exit(self) -> Exit | None:
        return self._started.child.exit

    def watch_output(self, on_end: Callable[[], None]) -> None:
        """Call `on_end` each time that an output, or the last of them, can no longer be written to."""
        for output in self._outputs:
            output.on_end = on_end

    @property
    def is_silent(self) -> bool:
        """Whether nobody can write any more: neither the child nor anyone it started."""
        return not any(output.is_open for output in self._outputs)

    def watch(self, on_exit: Callable[[Exit], None]) -> None:
        """Call `on_exit` at the child's end, after its last output was taken."""

        def ended(exit: Exit) -> None:
            for output in self._outputs:
                output.drain()
            if self.input is not None:
                self.input.close()
            on_exit(exit)

        self._started.child.watch(ended)

    def signal(self, number: int, *, tree: bool = False) -> None:
        self._started.signal(number, tree=tree)

    def resize(self, cols: int, rows: int) -> None:
        """Of a program with a terminal."""
        if self.input is not None and self.input.descriptor is not None:
            fcntl.ioctl(self.input.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def close(self) -> None:
        """Let go of the pipes and of what the child may have left behind; call it after the end."""
        for output in self._outputs:
            output.close()
        if self.input is not None:
            self.input.close()
        self._started.forget()


async def begin(
    keeper: Keeper, program: Program, environment: Mapping[str, str], descriptors: Mapping[int, int], take: Take
) -> Life:
    """Start `program`; everything it writes goes to `take`.  Raises `StartFailed` or `StarterLost`."""
    if program.terminal is not None:
        return await _begin_on_terminal(keeper, program, environment, descriptors, take)
    with ExitStack() as theirs, ExitStack() as ours:
        given = dict(descriptors)
        outputs: list[Output] = []
        for number, stream in ((1, LogStream.STDOUT), (2, LogStream.STDERR)):
            if number not in given:
                read_end, given[number] = os.pipe2(os.O_CLOEXEC)
                theirs.callback(os.close, given[number])
                outputs.append(Output(read_end, _to(take, stream)))
                ours.callback(outputs[-1].close)
        input = None
        if program.takes_input and 0 not in given:
            given[0], write_end = os.pipe2(os.O_CLOEXEC)
            theirs.callback(os.close, given[0])
            input = Input(write_end)
            ours.callback(input.close)

        def listen() -> None:
            for output in outputs:
                output.listen()

        started = await keeper.start(program, environment, given, meanwhile=listen)
        ours.pop_all()
        return Life(started, outputs, input)


async def _begin_on_terminal(
    keeper: Keeper, program: Program, environment: Mapping[str, str], descriptors: Mapping[int, int], take: Take
) -> Life:
    started = await keeper.start(program, environment, descriptors)
    terminal = started.child.terminal
    assert terminal is not None
    output = Output(terminal, _to(take, LogStream.PTY))
    output.listen()
    return Life(started, [output], Input(os.dup(terminal)))


def _to(take: Take, stream: LogStream) -> Callable[[bytes], None]:
    return lambda data: take(stream, data)


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
