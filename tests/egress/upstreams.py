"""Upstream proxies of a test: small, honest, and they write down what they were asked."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Upstream:
    port: int
    # Host and port as they arrived, names unresolved.
    asked: list[tuple[str, int]] = field(default_factory=list)
    # Credentials as they arrived.
    credentials: list[str] = field(default_factory=list)


@contextmanager
def socks_upstream(target: int, *, wants_password: bool = True) -> Iterator[Upstream]:
    """Whatever is asked for, it connects to port `target` of loopback."""
    yield from _running(_speak_socks, target, wants_password)


@contextmanager
def http_upstream(target: int) -> Iterator[Upstream]:
    yield from _running(_speak_http, target, True)


def _running(speak, target: int, wants_password: bool) -> Iterator[Upstream]:  # type: ignore[no-untyped-def]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        upstream = Upstream(listener.getsockname()[1])

        def serve() -> None:
            while True:
                try:
                    client, _ = listener.accept()
                except OSError:
                    return
                threading.Thread(target=speak, args=(client, upstream, target, wants_password), daemon=True).start()

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield upstream
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def _speak_socks(client: socket.socket, upstream: Upstream, target: int, wants_password: bool) -> None:
    with client:
        file = client.makefile("rb")
        methods = file.read(file.read(2)[1])
        method = 2 if wants_password and 2 in methods else 0
        client.sendall(bytes((5, method)))
        if method == 2:
            file.read(1)
            pair = [file.read(file.read(1)[0]).decode() for _ in range(2)]
            upstream.credentials.append(":".join(pair))
            client.sendall(b"\x01\x00")
        kind = file.read(4)[3]
        host = file.read(file.read(1)[0]).decode() if kind == 3 else socket.inet_ntoa(file.read(4))
        upstream.asked.append((host, int.from_bytes(file.read(2), "big")))
        client.sendall(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
        _join(client, target)


def _speak_http(client: socket.socket, upstream: Upstream, target: int, wants_password: bool) -> None:
    with client:
        head = b""
        while b"\r\n\r\n" not in head:
            piece = client.recv(65536)
            if not piece:
                return
            head += piece
        lines = head.decode("latin-1").split("\r\n")
        method, url, _version = lines[0].split(" ")
        authority = url.removeprefix("http://").partition("/")[0]
        host, _, port = authority.partition(":")
        upstream.asked.append((host, int(port or 80)))
        upstream.credentials += [line.partition(": ")[2] for line in lines if line.startswith("Proxy-Authorization")]
        if method == "CONNECT":
            client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            _join(client, target)
        else:
            with socket.create_connection(("127.0.0.1", target)) as onward:
                onward.sendall(head)
                client.sendall(onward.recv(65536))


def _join(client: socket.socket, target: int) -> None:
    with socket.create_connection(("127.0.0.1", target)) as onward:
        back = threading.Thread(target=_copy, args=(onward, client), daemon=True)
        back.start()
        _copy(client, onward)
        back.join(10)


def _copy(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        return
