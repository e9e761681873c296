"""A reverse proxy that knows nothing of Belljar: it takes a prefix off each path and copies the rest."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress


@contextmanager
def running_prefix_proxy(prefix: str, port: int) -> Iterator[int]:
    """Its own port; requests under `prefix` go to `port` on loopback."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        threading.Thread(target=_accept, args=(listener, prefix, port), daemon=True).start()
        yield listener.getsockname()[1]


def _accept(listener: socket.socket, prefix: str, port: int) -> None:
    while True:
        try:
            client, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_carry, args=(client, prefix, port), daemon=True).start()


def _carry(client: socket.socket, prefix: str, port: int) -> None:
    """One request for each connection, so that every path passes here."""
    with closing(client), suppress(OSError):
        head = b""
        while b"\r\n\r\n" not in head:
            chunk = client.recv(65536)
            if not chunk:
                return
            head += chunk
        head = head.replace(f" {prefix}/".encode(), b" /", 1)
        if b"upgrade: websocket" not in head.lower():
            head = head.replace(b"Connection: keep-alive", b"Connection: close", 1)
        with closing(socket.create_connection(("127.0.0.1", port))) as server:
            server.sendall(head)
            back = threading.Thread(target=_copy, args=(server, client), daemon=True)
            back.start()
            _copy(client, server)
            back.join(10)


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
