"""One life of a program, from start to end: its child, and the pipes or terminal between them."""

import fcntl
import os
import struct
import termios
from collections.abc import Callable, Mapping
from contextlib import ExitStack

from belljar.box.process.keeper import Keeper, Started
from belljar.box.process.pipes import Input, Output
from belljar.box.process.program import Exit, Program
from belljar.wire.processes import LogStream

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
        mine = {}
        for number, stream in ((1, LogStream.STDOUT), (2, LogStream.STDERR)):
            if number not in given:
                mine[stream], given[number] = _pipe(ours, theirs)
        write_end = None
        if program.takes_input and 0 not in given:
            given[0], write_end = _pipe(theirs, ours)
        started = await keeper.start(program, environment, given)
        ours.pop_all()
        outputs = [Output(descriptor, _to(take, stream)) for stream, descriptor in mine.items()]
        return Life(started, outputs, None if write_end is None else Input(write_end))


async def _begin_on_terminal(
    keeper: Keeper, program: Program, environment: Mapping[str, str], descriptors: Mapping[int, int], take: Take
) -> Life:
    started = await keeper.start(program, environment, descriptors)
    terminal = started.child.terminal
    assert terminal is not None
    return Life(started, [Output(terminal, _to(take, LogStream.PTY))], Input(os.dup(terminal)))


def _pipe(read_end_goes: ExitStack, write_end_goes: ExitStack) -> tuple[int, int]:
    """A pipe whose ends close with the given stacks; neither is inherited by accident."""
    read_end, write_end = os.pipe2(os.O_CLOEXEC)
    read_end_goes.callback(os.close, read_end)
    write_end_goes.callback(os.close, write_end)
    return read_end, write_end


def _to(take: Take, stream: LogStream) -> Callable[[bytes], None]:
    return lambda data: take(stream, data)
