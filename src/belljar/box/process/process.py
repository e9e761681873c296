"""A process as callers know it: one id over all its lives, a state, a log, and how to talk to it."""

import os
import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from signal import SIGCONT, SIGHUP, SIGKILL, SIGTERM

import anyio

from belljar.box.process.life import InputClosed, InputStuck, Life
from belljar.box.process.logs import LogRing
from belljar.box.process.program import Exit, Program
from belljar.problems import Conflict
from belljar.wire.processes import LogStream, ProcessInfo, ProcessStatus, RestartPolicy

# How long a child may leave its input unread before a write is refused.
INPUT_TIMEOUT = 5.0
# When a program at a terminal that did not end at the first hang-up is told again.
SECOND_HANGUP = 0.3


class State(StrEnum):
    RUNNING = "running"
    WAITING = "waiting"  # ended, and to be started again after a pause
    ENDED = "ended"  # for good


MOVES: Mapping[State, frozenset[State]] = {
    State.RUNNING: frozenset({State.WAITING, State.ENDED}),
    State.WAITING: frozenset({State.RUNNING, State.ENDED}),
    State.ENDED: frozenset(),
}


class Process:
    """Made by `Processes.start`.  The id, the log and this object stay the same over restarts."""

    def __init__(
        self,
        id: str,
        program: Program,
        logs: LogRing,
        descriptors: Mapping[int, int],
        on_end: Callable[["Process"], None],
    ) -> None:
        self.id = id
        self._on_end = on_end
        self.program = program
        self.logs = logs
        self.state = State.RUNNING
        self.restarts = 0
        self.created_at_ms = _now_ms()
        self.exited_at_ms: int | None = None
        self.exit: Exit | None = None
        # Ours, kept for restarts.
        self.descriptors = {number: os.dup(given) for number, given in descriptors.items()}
        # Stop and kill end a process for good, whatever its policy.
        self.is_unwanted = False
        self._life: Life | None = None
        self._ended = anyio.Event()

    @property
    def pid(self) -> int | None:
        return self._life.pid if self._life is not None and self.is_running else None

    @property
    def is_running(self) -> bool:
        return self.state is State.RUNNING

    @property
    def has_terminal(self) -> bool:
        return self.program.terminal is not None

    async def wait(self) -> Exit:
        """Wait for the end: with a restart policy, for the last one."""
        await self._ended.wait()
        assert self.exit is not None
        return self.exit

    async def stop(self, wait: float = 2.0, *, for_good: bool = True) -> None:
        """Ask its process group to end (SIGTERM) and wait at most `wait` seconds.  It may still run afterwards."""
        life = self._life
        if for_good:
            self.end_for_good()
        if self._life is not None and self.is_running:
            self._life.signal(SIGTERM)
            if self.has_terminal:
                # A shell at a terminal is deaf to SIGTERM; that its terminal is gone it understands.
                self._life.signal(SIGHUP)
            # One that was stopped with SIGSTOP would otherwise never hear it.
            self._life.signal(SIGCONT)
        if self.has_terminal and wait > SECOND_HANGUP:
            await self._wait_at_most(SECOND_HANGUP, life)
            wait -= SECOND_HANGUP
            if self._life is not None and self.is_running:
                # A shell that is drawing its prompt notes the first only with the next key (bash, 2 of 60 times).
                self._life.signal(SIGHUP)
        await self._wait_at_most(wait, life)

    async def kill(self, wait: float = 2.0, *, for_good: bool = True) -> None:
        """Kill its process group, its descendants that left the group, and what an earlier end left behind.

        Not `for_good`, its restart policy counts as after any other end.
        """
        life = self._life
        if for_good:
            self.end_for_good()
        if life is not None:
            life.signal(SIGKILL, tree=True)
        await self._wait_at_most(wait, life)

    async def end(self, grace: float = 2.0) -> None:
        """Stop it, and kill it when that was not enough."""
        await self.stop(grace)
        await self.kill()

    async def write(self, data: bytes, *, timeout: float = INPUT_TIMEOUT) -> int:
        """Write to its stdin or terminal; the number of bytes written.  Raises `Conflict` when it takes no input."""
        if self._life is None or not self.is_running:
            raise Conflict(f"process {self.id} is not running")
        if self._life.input is None:
            raise Conflict(f"process {self.id} takes no input")
        try:
            return await self._life.input.write(data, timeout=timeout)
        except InputClosed as error:
            raise Conflict(f"process {self.id} has closed its input") from error
        except InputStuck as error:
            message = f"process {self.id} does not read its input: {error.written} of {len(data)} bytes were written"
            raise Conflict(message, bytes_written=error.written) from error

    def resize(self, cols: int, rows: int) -> None:
        """Resize its terminal.  Raises `Conflict` when it has none, or is not running."""
        if not self.has_terminal:
            raise Conflict(f"process {self.id} has no terminal")
        if self._life is None or not self.is_running:
            raise Conflict(f"process {self.id} is not running")
        self._life.resize(cols, rows)

    def info(self) -> ProcessInfo:
        ended = None if self.is_running else self.exit
        return ProcessInfo(
            id=self.id,
            command=self.program.command,
            args=list(self.program.args),
            cwd=self.program.cwd,
            tty=self.has_terminal,
            interactive=self.program.is_interactive,
            owner=self.program.owner,
            status=ProcessStatus.RUNNING if self.is_running else ProcessStatus.EXITED,
            pid=self.pid,
            exit_code=ended and ended.code,
            signal=ended and ended.signal_name,
            created_at_ms=self.created_at_ms,
            exited_at_ms=None if self.is_running else self.exited_at_ms,
            restart_policy=self.program.restart,
            restarts=self.restarts,
        )

    def lives(self, life: Life) -> None:
        """A first or further life has begun."""
        self._life = life
        if self.program.restart is RestartPolicy.NEVER:
            # No other is to come: whoever has the other end of a pipe sees this one go as soon as it does.
            self._close_descriptors()

    def ends(self, exit: Exit, state: State) -> None:
        """The life is over, for now or for good."""
        self.exit = exit
        self.exited_at_ms = _now_ms()
        self.move(state)

    def move(self, state: State) -> None:
        if state not in MOVES[self.state]:
            raise RuntimeError(f"process {self.id} cannot move from {self.state} to {state}")
        self.state = state
        if state is State.ENDED:
            # No further life will need them, and whoever reads the other end of a pipe may see its end now.
            self._close_descriptors()
            self._ended.set()
            self._on_end(self)
        # Followers of the log also want to know of the end.
        self.logs.wake()

    def kill_leftovers(self) -> None:
        """Before the next life: nothing of the last one may still hold its ports, locks or display."""
        if self._life is not None:
            self._life.signal(SIGKILL, tree=True)
            self._life.close()

    def release(self) -> None:
        """Give everything back; the record is about to go."""
        self.logs.close()
        if self._life is not None:
            self._life.close()
        self._close_descriptors()

    def take(self, stream: LogStream, data: bytes) -> None:
        self.logs.append(stream, data)

    async def until_unwanted(self, at_most: float) -> bool:
        """Wait before a restart; whether somebody ended the process meanwhile."""
        with anyio.move_on_after(at_most):
            await self._ended.wait()
        return self.is_unwanted

    def end_for_good(self) -> None:
        """No more lives; what runs goes on running."""
        self.is_unwanted = True
        if self.state is State.WAITING:
            self.move(State.ENDED)

    def _close_descriptors(self) -> None:
        for descriptor in self.descriptors.values():
            os.close(descriptor)
        self.descriptors = {}

    async def _wait_at_most(self, seconds: float, life: Life | None) -> None:
        """For the end of `life`, and where there is to be no other, of the process."""
        with anyio.move_on_after(seconds):
            if self.is_unwanted:
                await self._ended.wait()
            while self.is_running and self._life is life and not self.logs.is_closed:
                await self.logs.changed()


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
