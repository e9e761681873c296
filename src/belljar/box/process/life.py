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
