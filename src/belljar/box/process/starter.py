"""The process that starts everything: a program of its own, run as `python3 -I -S starter.py FD`.

It holds one end of a socket whose other end the server holds, starts what it is asked to start, and reports how each
child ended.  It is a child subreaper, so whatever its children leave behind becomes its own child; when the socket
closes, for whatever reason, it kills every descendant, reaps them all and exits.  That is the promise the rest of
Belljar rests on: no server, no children.

Outside the server for three reasons: forking a small process is quick, the server never has to wait for a child, and
the same program runs as the first process of a jail.  There it is handed in as text, and finds neither our packages nor
our Python: therefore one file, long as it is, and only the standard library.

Messages are JSON after a four-byte length, both ways; descriptors travel beside them, in order (SCM_RIGHTS).

    → start   {op, id, argv, env, cwd, fds: [number in the child, …], terminal: [cols, rows]?}
    ← started {op, id, pid}, with the terminal's master where one was asked for
    ← failed  {op, id, errno, what: "command" | "cwd" | "terminal" | "socket"}
    → signal  {op, id, signal, tree}    to the process group; with `tree` also to descendants that left the group
    → forget  {op, id}                  what the child left behind need not be found again
    → open    {op, id, kind: "listen" | "tcp" | "unix", port?, path?}   a socket of this network and file system
    ← opened  {op, id}, with the socket; one that is still connecting is handed over as it is
    → look    {op, id, pid} or {op, id, path}          who begot a process, or whether a file is there
    ← seen    {op, id, pids} or {op, id, pids: [1]}    itself, its session and its ancestors; or any number for yes
    ← exit    {op, id, code} or {op, id, signal}
"""

from __future__ import annotations

import array
import ctypes
import errno
import fcntl
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
import termios
import time

# `typing` is a third of this program's start-up; checkers know this name without it.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    Message = dict[str, Any]

MAX_MESSAGE = 16 * 1024 * 1024
MAX_DESCRIPTORS = 32
# At once: most messages are shorter, and a larger buffer is page faults each time.
READ_BYTES = 16 * 1024
# Children may ask for descriptors 0–63; ours are moved above that while a child is made.
FIRST_FREE = 64
LOOPBACK = {socket.AF_INET: "127.0.0.1", socket.AF_INET6: "::1"}
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
CATCHABLE = sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP})
IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2, signal.SIGTSTP)


def main(descriptor: int, most_processes: int = 0, most_files: int = 0) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # A child of the same user could otherwise read this process's memory or trace it.
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    os.set_inheritable(descriptor, False)
    set_limits(most_processes, most_files)
    starter = Starter(socket.socket(fileno=descriptor))
    try:
        starter.serve()
    finally:
        end_descendants()


def set_limits(most_processes: int, most_files: int) -> None:
    """For ourselves and everything we start, in a jail; 0 leaves the system's."""
    if not most_files:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most_files = most_files if hard == resource.RLIM_INFINITY else min(most_files, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if most_processes:
        resource.setrlimit(resource.RLIMIT_NPROC, (most_processes, most_processes))


class Failed(Exception):
    """A start that did not happen: `what` was wrong, and the system's error number for it."""

    def __init__(self, what: str, number: int | None) -> None:
        super().__init__(what, number)
        self.what, self.number = what, number or errno.EIO


class Starter:
    """The loop between the socket and SIGCHLD."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._buffer = bytearray()
        self._descriptors: list[int] = []
        # Running children: pid → id, and id → pid also for those whose group outlived them.
        self._ids: dict[int, int] = {}
        self._pids: dict[int, int] = {}
        self._home = os.open(".", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        self._wakeup, notify = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(notify, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Return when the server is gone."""
        poll = select.poll()
        poll.register(self._connection, select.POLLIN)
        poll.register(self._wakeup, select.POLLIN)
        while True:
            ready = dict(poll.poll())
            try:
                if self._wakeup in ready:
                    os.read(self._wakeup, 4096)
                    self._reap()
                if self._connection.fileno() in ready and not self._receive():
                    return
            except ConnectionError:
                return

    def _receive(self) -> bool:
        space = socket.CMSG_SPACE(MAX_DESCRIPTORS * 4)
        data, control, flags, _ = self._connection.recvmsg(READ_BYTES, space, socket.MSG_CMSG_CLOEXEC)
        for level, kind, payload in control:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                numbers = array.array("i")
                numbers.frombytes(payload[: len(payload) - len(payload) % numbers.itemsize])
                self._descriptors.extend(numbers)
        if not data or flags & socket.MSG_CTRUNC:
            return False
        self._buffer += data
        while len(self._buffer) >= 4:
            (length,) = struct.unpack_from(">I", self._buffer)
            if length > MAX_MESSAGE:
                return False
            if len(self._buffer) < 4 + length:
                break
            text = self._buffer[4 : 4 + length].decode("utf-8", "surrogateescape")
            del self._buffer[: 4 + length]
            self._handle(json.loads(text))
        return True

    def _handle(self, message: Message) -> None:
        if message["op"] == "start":
            self._start(message)
        elif message["op"] == "signal":
            self._signal(message["id"], message["signal"], message["tree"])
        elif message["op"] == "forget":
            self._pids.pop(message["id"], None)
        elif message["op"] == "open":
            self._open(message)
        elif message["op"] == "look":
            pids = lineage(message["pid"]) if "pid" in message else [1] * os.path.exists(message["path"])
            self._send({"op": "seen", "id": message["id"], "pids": pids})

    def _open(self, message: Message) -> None:
        """Whoever is outside cannot reach our loopback, nor trust a path we own: so sockets are made here."""
        try:
            with open_socket(message) as sock:
                self._send({"op": "opened", "id": message["id"]}, sock.fileno())
        except OSError as error:
            number = error.errno or errno.EIO
            self._send({"op": "failed", "id": message["id"], "errno": number, "what": "socket"})

    def _start(self, message: Message) -> None:
        targets = frozenset(message["fds"])
        count = len(message["fds"])
        given, self._descriptors = self._descriptors[:count], self._descriptors[count:]
        mapping: dict[int, int] = {}
        master = terminal = None
        try:
            for target, descriptor in zip(message["fds"], given, strict=True):
                mapping[target] = descriptor
            if not targets.isdisjoint(given):
                # Putting one in its place would overwrite another that is still to be moved.
                moved = {
                    target: fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE) for target, number in mapping.items()
                }
                given, mapping = [*given, *moved.values()], moved
            if message["terminal"]:
                master, terminal = open_terminal(message["terminal"])
            pid = start_child(message, mapping, terminal, self._home)
        except Failed as failure:
            self._send({"op": "failed", "id": message["id"], "errno": failure.number, "what": failure.what})
        except OSError as error:
            # Out of processes, descriptors or memory: this start fails, not the starter with all its children.
            self._send({"op": "failed", "id": message["id"], "errno": error.errno, "what": "command"})
        else:
            self._ids[pid] = message["id"]
            self._pids[message["id"]] = pid
            self._send({"op": "started", "id": message["id"], "pid": pid}, master)
        finally:
            for descriptor in [*given, *([] if master is None else [master])]:
                os.close(descriptor)

    def _signal(self, id: int, number: int, tree: bool) -> None:
        pid = self._pids.get(id)
        if pid is None:
            return
        if pid in self._ids:
            strays = descendants_of({pid}) if tree else set()
            send_signal(os.killpg, pid, number)
        else:
            strays = left_by(pid)
            if not strays:
                del self._pids[id]
        for stray in strays:
            send_signal(os.kill, stray, number)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            id = self._ids.pop(pid, None)
            if id is None:
                continue
            # The number stays taken while anyone of the group lives; once nobody does it may name a stranger.
            if not send_signal(os.killpg, pid, 0):
                self._pids.pop(id, None)
            code = os.waitstatus_to_exitcode(status)
            self._send({"op": "exit", "id": id, **({"code": code} if code >= 0 else {"signal": -code})})

    def _send(self, message: Message, descriptor: int | None = None) -> None:
        body = json.dumps(message).encode()
        data = struct.pack(">I", len(body)) + body
        rights = [] if descriptor is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, struct.pack("i", descriptor))]
        sent = self._connection.sendmsg([data], rights)
        if sent < len(data):
            self._connection.sendall(data[sent:])


def start_child(message: Message, mapping: dict[int, int], terminal: str | None, home: int) -> int:
    """`posix_spawn` shares our memory until the exec: no page tables are copied."""
    actions: list[tuple[Any, ...]] = []
    for number in range(3):
        if terminal is not None and number == 0:
            # The first terminal a session leader opens becomes its controlling one.
            actions.append((os.POSIX_SPAWN_OPEN, 0, terminal, os.O_RDWR, 0))
        elif terminal is not None:
            actions.append((os.POSIX_SPAWN_DUP2, 0, number))
        elif number not in mapping:
            actions.append((os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0))
    actions += [(os.POSIX_SPAWN_DUP2, descriptor, target) for target, descriptor in mapping.items()]
    argv, environment = encode(message)
    problem = errno.ENOENT
    try:
        go_to(message["cwd"])
        for path in candidates(argv[0], environment):
            try:
                return os.posix_spawn(
                    path, argv, environment, file_actions=actions, setsid=True, setsigmask=(), setsigdef=CATCHABLE
                )
            except OSError as error:
                problem = worse(problem, error.errno)
        raise Failed("command", problem)
    finally:
        os.fchdir(home)


class told_as:
    """Inside this block a system error is a `Failed` about `what`."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        return

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, OSError):
            raise Failed(self._what, error.errno) from error


def go_to(folder: str | None) -> None:
    if folder is not None:
        with told_as("cwd"):
            os.chdir(os.fsencode(folder))


def encode(message: Message) -> tuple[list[bytes], dict[bytes, bytes]]:
    argv = [os.fsencode(word) for word in message["argv"]]
    return argv, {os.fsencode(name): os.fsencode(value) for name, value in message["env"].items()}


def candidates(command: bytes, environment: dict[bytes, bytes]) -> list[bytes]:
    """The files `command` may mean, by the PATH of the child."""
    if b"/" in command:
        return [command]
    folders = environment.get(b"PATH", b"/usr/local/bin:/usr/bin:/bin").split(b":")
    paths = [os.path.join(folder or b".", command) for folder in folders]
    return [path for path in paths if os.access(path, os.F_OK)]


def worse(before: int, now: int | None) -> int:
    """Of two failures along PATH the telling one: "not allowed" says more than "not there"."""
    return before if now in (None, errno.ENOENT, errno.ENOTDIR) else now


def open_terminal(size: list[int]) -> tuple[int, str]:
    """A terminal of a size in columns and rows: the master's descriptor and the name a child opens it by."""
    cols, rows = size
    with told_as("terminal"):
        master, slave = os.openpty()
        try:
            name = os.ttyname(slave)
            fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        except OSError:
            os.close(master)
            raise
        finally:
            os.close(slave)
        return master, name


def open_socket(message: Message) -> socket.socket:
    """Never waits: a full backlog must not hold up everybody else."""
    if message["kind"] == "listen":
        return socket.create_server(("127.0.0.1", message["port"]), backlog=1024)
    family = socket.AF_UNIX if message["kind"] == "unix" else socket.AF_INET6 if message["v6"] else socket.AF_INET
    address = message["path"] if family == socket.AF_UNIX else (LOOPBACK[family], message["port"])
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setblocking(False)
    problem = sock.connect_ex(address)
    if problem not in (0, errno.EINPROGRESS):
        sock.close()
        raise OSError(problem, os.strerror(problem))
    return sock


def send_signal(send: Callable[[int, int], None], pid: int, number: int) -> bool:
    """Whether there was anyone to send it to."""
    try:
        send(pid, number)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def processes() -> dict[int, tuple[int, int, int]]:
    """Every process there is, as pid → (parent, group, session)."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        found[int(name)] = (int(fields[1]), int(fields[2]), int(fields[3]))
    return found


def descendants_of(roots: Iterable[int], table: dict[int, tuple[int, int, int]] | None = None) -> set[int]:
    """The children of `roots`, their children, and so on."""
    children: dict[int, list[int]] = {}
    for pid, (parent, _, _) in (processes() if table is None else table).items():
        children.setdefault(parent, []).append(pid)
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        new = [pid for pid in children.get(waiting.pop(), ()) if pid not in found]
        found.update(new)
        waiting.extend(new)
    return found


def lineage(pid: int) -> list[int]:
    """The process, the leader of its session, and its ancestors up to us."""
    table = processes()
    found = [table[pid][2]] if pid in table else []
    while pid in table and len(found) < 64:
        found.append(pid)
        pid = table[pid][0]
    return found


def left_by(leader: int) -> set[int]:
    """Who is left of the group or session of a `leader` that has ended, and their descendants.

    A living process of that number means that the number was used again: then nobody is.
    """
    table = processes()
    if leader in table:
        return set()
    ours = descendants_of({os.getpid()}, table)
    left = {pid for pid in ours if leader in table[pid][1:]}
    return left | descendants_of(left, table)


def end_descendants() -> None:
    """Kill and reap until nobody is left.  Who forks meanwhile loses its parent, becomes ours, and is next."""
    signal.set_wakeup_fd(-1)
    while True:
        for pid in descendants_of({os.getpid()}):
            send_signal(os.kill, pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
