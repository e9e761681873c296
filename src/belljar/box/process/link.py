"""The server's end of the starter: messages out, answers and exits in.

Where there is a jail the starter runs inside it, so what it says is taken as a stranger's word: bounded in size, of
the expected kinds, about ids that were given out here.  Anything else ends the connection.
"""

import array
import asyncio
import errno
import os
import signal
import socket
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import msgspec

from belljar.box.process.program import Exit, Program

STARTER = Path(__file__).with_name("starter.py")
MAX_ANSWER = 64 * 1024
# At once: hardly an answer is longer, and a larger buffer is page faults each time.
READ_BYTES = 4096
# Unsent messages; more than this means the starter has stopped reading.
MAX_UNSENT = 32 * 1024 * 1024
MAX_DESCRIPTORS = 32
# As a plain number: flags of the enumeration take microseconds to compare.
_WAS_CUT = int(socket.MSG_CTRUNC)
START_TIMEOUT = 10.0
CLOSE_TIMEOUT = 5.0
CONNECT_TIMEOUT = 2.0


class StarterLost(Exception):
    """The starter is gone, or no longer makes sense."""


class StartFailed(Exception):
    """The starter could not start a program: `what` was wrong ("command", "cwd", "terminal"), and why."""

    def __init__(self, what: str, number: int) -> None:
        super().__init__(f"{what}: {os.strerror(number)}")
        self.what = what
        self.errno = number


class _Answer(msgspec.Struct):
    """Whatever the starter may say."""

    op: str
    id: int
    pid: int = 0
    errno: int = errno.EIO
    what: str = "command"
    code: int | None = None
    signal: int | None = None
    pids: list[int] = []


class _Asked(NamedTuple):
    """A start that is not answered yet."""

    answer: asyncio.Future["Child"]
    wants_terminal: bool


class _Opening(NamedTuple):
    """A socket that was asked for."""

    answer: asyncio.Future[socket.socket]


class _Looking(NamedTuple):
    """A question about processes or files."""

    answer: asyncio.Future[list[int]]


@dataclass
class Child:
    """One started process, and the truth about its end once there is one."""

    id: int
    pid: int
    # The terminal's master, where one was asked for; belongs to whoever asked.
    terminal: int | None
    exit: Exit | None = None
    _on_exit: Callable[[Exit], None] | None = None

    def watch(self, on_exit: Callable[[Exit], None]) -> None:
        """Call `on_exit` once, at the end or now where that is past: a child may be gone before anyone looks."""
        if self.exit is None:
            self._on_exit = on_exit
        else:
            on_exit(self.exit)

    def ended(self, exit: Exit) -> None:
        if self.exit is None:
            self.exit = exit
            if self._on_exit is not None:
                self._on_exit(exit)


class Link:
    """A running starter.  `lost` is set when it is gone; its children are then still to be ended (`fail`)."""

    def __init__(self, run_starter: "RunStarter | None" = None) -> None:
        self.lost = anyio.Event()
        self._loop = asyncio.get_running_loop()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            self._starter = (run_starter or run_plainly)(theirs)
        self._socket.setblocking(False)
        self._next_id = 0
        self._asked: dict[int, _Asked] = {}
        self._opening: dict[int, _Opening] = {}
        self._looking: dict[int, _Looking] = {}
        self._children: dict[int, Child] = {}
        self._received = bytearray()
        self._descriptors: deque[int] = deque()
        self._unsent: deque[tuple[memoryview, list[int]]] = deque()
        self._loop.add_reader(self._socket, self._on_readable)

    @property
    def pid(self) -> int:
        return self._starter.pid

    async def start(
        self,
        program: Program,
        environment: Mapping[str, str],
        descriptors: Mapping[int, int],
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Child:
        """Start `program` with copies of `descriptors`, by its numbers.

        The starter takes longer than whatever else is to be made ready: `meanwhile` is called before its answer.
        Cancelled before the answer, it leaves nothing: the answer is then met with a kill.
        """
        self._next_id += 1
        id = self._next_id
        message = {
            "op": "start",
            "id": id,
            "argv": [program.command, *program.args],
            "env": dict(environment),
            "cwd": program.cwd,
            "fds": list(descriptors),
            "terminal": program.terminal and [program.terminal.cols, program.terminal.rows],
        }
        answer: asyncio.Future[Child] = self._loop.create_future()
        self._asked[id] = _Asked(answer, program.terminal is not None)
        self._send(message, list(descriptors.values()))
        # A timer costs less than a cancel scope, and a starter that does not answer is lost for everyone.
        timer = self._loop.call_later(START_TIMEOUT, self._lose)
        try:
            meanwhile()
            return await answer
        finally:
            timer.cancel()
            # Nothing to cancel where there was an answer.
            answer.cancel()

    async def open_socket(self, kind: str, *, port: int = 0, path: str = "", is_v6: bool = False) -> socket.socket:
        """A socket made where the children are: a listener on loopback, or one connected to a port or path there.

        Raises OSError, or `StarterLost`.  What is handed over is a stranger's: any socket is believed, nothing else.
        """
        self._next_id += 1
        answer: asyncio.Future[socket.socket] = self._loop.create_future()
        self._opening[self._next_id] = _Opening(answer)
        self._send({"op": "open", "id": self._next_id, "kind": kind, "port": port, "path": path, "v6": is_v6})
        with anyio.move_on_after(START_TIMEOUT, shield=True) as scope:
            await asyncio.wait([answer])
        if scope.cancelled_caught:
            self._lose()
            answer.cancel()
            raise StarterLost("no answer to a request for a socket")
        sock = answer.result()
        try:
            return await _connected(sock) if kind != "listen" else sock
        except BaseException:
            sock.close()
            raise

    async def look(self, **what: int | str) -> list[int]:
        """What the starter sees: the lineage of a `pid`, or whether a `path` is there.  Raises `StarterLost`."""
        self._next_id += 1
        answer: asyncio.Future[list[int]] = self._loop.create_future()
        self._looking[self._next_id] = _Looking(answer)
        self._send({"op": "look", "id": self._next_id, **what})
        try:
            with anyio.fail_after(START_TIMEOUT):
                return await answer
        except TimeoutError:
            self._lose()
            raise StarterLost("no answer to a question") from None

    def signal(self, child: Child, number: int, *, tree: bool = False) -> None:
        """Send a signal to the child's process group; `tree` adds descendants that have left the group."""
        self._send({"op": "signal", "id": child.id, "signal": int(number), "tree": tree})

    def forget(self, child: Child) -> None:
        """What `child` left behind will not be signalled again."""
        self._send({"op": "forget", "id": child.id})

    def fail(self) -> None:
        """After `lost`: end the children on paper.  Call it when they have ended in truth."""
        children, self._children = list(self._children.values()), {}
        for child in children:
            child.ended(Exit(signal=int(signal.SIGKILL)))

    async def close(self) -> None:
        """Hang up: the starter kills whatever still runs, and exits.  Bounded; a starter that hangs is killed."""
        if not self.lost.is_set():
            self._socket.shutdown(socket.SHUT_WR)
        with anyio.move_on_after(CLOSE_TIMEOUT, shield=True) as scope:
            await self.lost.wait()
        if scope.cancelled_caught:
            self._lose()
        if self._starter.poll() is None:
            await anyio.to_thread.run_sync(self._end_starter)

    def _end_starter(self) -> None:
        try:
            self._starter.wait(1.0)
        except subprocess.TimeoutExpired:
            self._starter.kill()
            self._starter.wait()

    def _send(self, message: Mapping[str, object], descriptors: list[int] | None = None) -> None:
        """Send now or queue; never waits."""
        if self.lost.is_set():
            raise StarterLost("the starter is gone")
        body = _encode(message)
        data = memoryview(struct.pack(">I", len(body)) + body)
        if self._unsent:
            self._queue(data, descriptors or [])
            return
        try:
            sent = socket.send_fds(self._socket, [data], descriptors or [])
        except BlockingIOError:
            self._queue(data, descriptors or [])
        except OSError:
            self._lose()
            raise StarterLost("the starter is gone") from None
        else:
            if sent < len(data):
                self._queue(data[sent:], [])

    def _queue(self, data: memoryview, descriptors: list[int]) -> None:
        if sum(len(part) for part, _ in self._unsent) + len(data) > MAX_UNSENT:
            raise StarterLost("the starter does not read")
        if not self._unsent:
            self._loop.add_writer(self._socket, self._on_writable)
        self._unsent.append((data, [os.dup(number) for number in descriptors]))

    def _on_writable(self) -> None:
        data, descriptors = self._unsent[0]
        try:
            sent = socket.send_fds(self._socket, [data], descriptors)
        except BlockingIOError:
            return
        except OSError:
            self._lose()
            return
        _close_all(descriptors)
        if sent < len(data):
            self._unsent[0] = (data[sent:], [])
            return
        self._unsent.popleft()
        if not self._unsent:
            self._loop.remove_writer(self._socket)

    def _on_readable(self) -> None:
        try:
            data, control, flags, _ = self._socket.recvmsg(
                READ_BYTES, socket.CMSG_SPACE(MAX_DESCRIPTORS * 4), socket.MSG_CMSG_CLOEXEC
            )
        except BlockingIOError:
            return
        except OSError:
            self._lose()
            return
        self._descriptors.extend(_descriptors_in(control))
        self._received += data
        try:
            if not data or flags & _WAS_CUT or len(self._descriptors) > MAX_DESCRIPTORS:
                raise StarterLost("hung up")
            self._take_answers()
        except (StarterLost, msgspec.MsgspecError, RecursionError, UnicodeError):
            self._lose()

    def _take_answers(self) -> None:
        while len(self._received) >= 4:
            (length,) = struct.unpack_from(">I", self._received)
            if length > MAX_ANSWER:
                raise StarterLost("an answer over the limit")
            if len(self._received) < 4 + length:
                return
            body = bytes(self._received[4 : 4 + length])
            del self._received[: 4 + length]
            self._take(_decode(body))
        if self._descriptors and not self._received:
            raise StarterLost("a descriptor nobody asked for")

    def _take(self, answer: _Answer) -> None:
        if answer.op == "exit":
            child = self._children.pop(answer.id, None)
            if child is not None:
                child.ended(Exit(code=answer.code, signal=answer.signal))
            return
        opening = self._opening.pop(answer.id, None)
        if opening is not None:
            self._take_socket(answer, opening)
            return
        looking = self._looking.pop(answer.id, None)
        if looking is not None:
            if not looking.answer.done():
                looking.answer.set_result(answer.pids)
            return
        asked = self._asked.pop(answer.id, None)
        if asked is None:
            raise StarterLost("an answer to nothing")
        if answer.op == "started" and len(self._descriptors) >= asked.wants_terminal:
            terminal = self._descriptors.popleft() if asked.wants_terminal else None
            self._started(asked.answer, Child(answer.id, answer.pid, terminal))
        elif answer.op == "failed":
            if not asked.answer.done():
                asked.answer.set_exception(StartFailed(answer.what, answer.errno))
        else:
            self._asked[answer.id] = asked
            raise StarterLost("an answer that makes no sense")

    def _take_socket(self, answer: _Answer, opening: _Opening) -> None:
        if answer.op == "failed":
            if not opening.answer.done():
                opening.answer.set_exception(OSError(answer.errno, os.strerror(answer.errno)))
            return
        if answer.op != "opened" or not self._descriptors:
            raise StarterLost("an answer that makes no sense")
        sock = _as_socket(self._descriptors.popleft())
        if opening.answer.done():
            sock.close()
        else:
            opening.answer.set_result(sock)

    def _started(self, answer: asyncio.Future[Child], child: Child) -> None:
        if answer.done():
            # Whoever asked was cancelled meanwhile: nobody would ever end this child.
            self._send({"op": "signal", "id": child.id, "signal": signal.SIGKILL, "tree": True})
            self._send({"op": "forget", "id": child.id})
            _close_all([] if child.terminal is None else [child.terminal])
            return
        self._children[child.id] = child
        answer.set_result(child)

    def _lose(self) -> None:
        """Stop talking; whoever waits for an answer hears it."""
        if self.lost.is_set():
            return
        self.lost.set()
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._socket.close()
        for _, descriptors in self._unsent:
            _close_all(descriptors)
        self._unsent.clear()
        _close_all(self._descriptors)
        self._descriptors.clear()
        waiting: list[asyncio.Future[Any]] = [asked.answer for asked in self._asked.values()]
        waiting += [opening.answer for opening in self._opening.values()]
        waiting += [looking.answer for looking in self._looking.values()]
        for answer in waiting:
            if not answer.done():
                answer.set_exception(StarterLost("the starter ended"))
                # Whoever was about to ask hears it from `_send`, and never looks here: asyncio would complain.
                answer.exception()


RunStarter = Callable[[socket.socket], "subprocess.Popen[bytes]"]


def run_plainly(connection: socket.socket, program: Path = STARTER) -> "subprocess.Popen[bytes]":
    """With `jailed.py` the one place where the server itself spawns; all else is started by what this starts."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(program), str(connection.fileno())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        pass_fds=[connection.fileno()],
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        start_new_session=True,
    )


async def _connected(sock: socket.socket) -> socket.socket:
    """The socket once it is connected, or OSError; bounded, for a port nobody accepts on."""
    try:
        with anyio.fail_after(CONNECT_TIMEOUT):
            await anyio.wait_writable(sock)
    except TimeoutError:
        raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT)) from None
    problem = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if problem:
        raise OSError(problem, os.strerror(problem))
    return sock


def _as_socket(descriptor: int) -> socket.socket:
    try:
        sock = socket.socket(fileno=descriptor)
    except OSError:
        os.close(descriptor)
        raise StarterLost("a descriptor that is no socket") from None
    sock.setblocking(False)
    return sock


def _encode(message: Mapping[str, object]) -> bytes:
    return msgspec.json.encode(message)


_decode = msgspec.json.Decoder(_Answer).decode


def _descriptors_in(control: list[tuple[int, int, bytes]]) -> list[int]:
    numbers = array.array("i")
    for level, kind, payload in control:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            numbers.frombytes(payload[: len(payload) - len(payload) % numbers.itemsize])
    return numbers.tolist()


def _close_all(descriptors: "list[int] | deque[int]") -> None:
    for number in descriptors:
        os.close(number)
