"""A loopback port that leads to a Unix socket, for clients that know ports only."""

import socket
from contextlib import suppress
from threading import Thread

_CHUNK = 256 * 1024


class Bridge:
    """Bytes pass unread: whoever connects still needs the token.  The system picks the port; none is tried."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: set[socket.socket] = set()
        Thread(target=self._accept, name="belljar bridge", daemon=True).start()

    def close(self) -> None:
        """End it with every connection over it."""
        # `shutdown` wakes the thread that accepts; closing alone would not.
        for one in (self._listener, *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(self._path)
            except OSError:
                near.close()
                far.close()
                continue
            near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._open |= {near, far}
            Thread(target=self._carry, args=(near, far), daemon=True).start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        back = Thread(target=_copy, args=(far, near), daemon=True)
        back.start()
        _copy(near, far)
        back.join()
        self._open -= {near, far}
        near.close()
        far.close()


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Until either side is done; then the other side is told."""
    with suppress(OSError):
        while chunk := source.recv(_CHUNK):
            target.sendall(chunk)
    for one in (source, target):
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
