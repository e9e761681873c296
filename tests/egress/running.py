"""A real egress process to test against, and hosts that say what reached them."""

import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

from belljar.egress.channel import Dial, Egress, open_egress


@dataclass
class RunningProxy:
    egress: Egress
    port: int
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def running_proxy(
    policy: str, allow: tuple[str, ...] = (), dial: Dial | None = None, identity: str = ""
) -> AsyncIterator[RunningProxy]:
    """`python -m belljar.egress` with one listener on loopback; it has ended when the block is left."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, theirs:
        command = [sys.executable, "-m", "belljar.egress", str(theirs.fileno())]
        process = _start(command, theirs.fileno())
        theirs.close()
        try:
            async with open_egress(ours, dial=dial) as egress:
                with socket.create_server(("127.0.0.1", 0)) as listener:
                    await egress.listen(listener, policy, allow, identity=identity, dials=dial is not None)
                    yield RunningProxy(egress, listener.getsockname()[1], process)
        finally:
            ours.close()
            process.wait(10)


def _start(command: list[str], fd: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, pass_fds=[fd])


@dataclass
class Victim:
    """Lists who was reached; answers every request, as `answer` says."""

    port: int
    reached: list[str] = field(default_factory=list)


Answer = Callable[[bytes, bytes, str], bytes]


def tell_secret(head: bytes, body: bytes, address: str) -> bytes:
    """The address that was reached."""
    text = f"secret of {address}".encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % len(text) + text


def tell_in_chunks(head: bytes, body: bytes, address: str) -> bytes:
    """The request line and the length of its body, then much more, in chunks with extensions and a trailer."""
    words = head.split(b"\r\n")[0] + b"|%d" % len(body)
    chunks = b"".join(b"%x;x=1\r\n%s\r\n" % (len(part), part) for part in (words, b"a" * 70_000, b"z"))
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\nT: 1\r\n\r\n"


@contextmanager
def victim(port: int = 0, host: str = "", answer: Answer = tell_secret) -> Iterator[Victim]:
    """Listens on every address there is, IPv4 and IPv6, or on one."""
    family = socket.AF_INET if host else socket.AF_INET6
    with socket.create_server((host or "::", port), family=family, dualstack_ipv6=not host) as listener:
        seen = Victim(listener.getsockname()[1])
        thread = threading.Thread(target=_serve_all, args=(listener, seen, answer))
        thread.start()
        try:
            yield seen
        finally:
            # A shutdown wakes the accepting thread; a close would not.
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def _serve_all(listener: socket.socket, seen: Victim, answer: Answer) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        seen.reached.append(client.getsockname()[0].removeprefix("::ffff:"))
        threading.Thread(target=_serve_one, args=(client, answer), daemon=True).start()


def _serve_one(client: socket.socket, answer: Answer) -> None:
    with client:
        client.settimeout(10)
        try:
            data = b""
            while piece := client.recv(65536):
                data += piece
                head, gap, body = data.partition(b"\r\n\r\n")
                if gap and (b"chunked" not in head or body.endswith(b"0\r\n\r\n")):
                    client.sendall(answer(head, body, client.getsockname()[0]))
                    data = b""
        except OSError:
            return
