"""The server that a client talks to: an address, or a box of one's own that ends with this process."""

import secrets
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread
from typing import Self

from belljar.boxprocess import start_box
from belljar.safe_files import remove_folder
from belljar.sdk.errors import CannotStart


@dataclass(frozen=True)
class Address:
    """`socket` is the path of a Unix socket, where the server is reached by one; `url` names it all the same."""

    url: str
    token: str | None = field(default=None, repr=False)
    socket: str | None = None

    @classmethod
    def of(cls, url: str, token: str | None) -> Self:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"{url!r} is not the address of a server: it begins with http:// or https://.")
        return cls(url.rstrip("/"), token)

    def within(self, path: str, token: str | None) -> Self:
        """Something behind the same server, such as a session of a control plane."""
        return replace(self, url=self.url + path, token=token)

    @property
    def websocket_url(self) -> str:
        return "ws" + self.url.removeprefix("http")

    def trusted(self) -> ssl.SSLContext | bool:
        """Whose certificates count: the usual ones.  Reading them takes 20 ms, so where there is no TLS, nobody's."""
        return True if self.url.startswith("https://") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


_GRACE_SECONDS = 10.0
_LAST_MOMENT_SECONDS = 3.0
_LOG_CHARS = 2000
# Of 107 that a socket's address may have.
_MAX_PLACE_CHARS = 70


class EmbeddedBox:
    """Blocks while it starts and ends; a box is asked for by a socket that is bound already, so no port is ever tried.

    However this process ends, the box notices and ends too: it holds a descriptor of our process.  Its state is in a
    folder that it removes itself, unless `state_dir` names one to keep.
    """

    def __init__(self, flags: Sequence[str] = (), state_dir: Path | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="belljar-", dir=_place()))
        # Programs of a box started by root run under another user, and pass through here.
        self._folder.chmod(0o711)
        run, temporary = self._folder / "run", self._folder / "tmp"
        run.mkdir(mode=0o700)
        temporary.mkdir()
        temporary.chmod(0o1777)
        # Held open: a box that gives up removes the folder, and what it said with it.
        self._log = (run / "log").open("a+b")
        token = secrets.token_urlsafe(32)
        # The name is for the Host header; nothing looks it up.
        self.address = Address("http://localhost", token, str(run / "box.sock"))
        try:
            self._process = self._start(flags, state_dir, token)
        except OSError as error:
            self._log.close()
            remove_folder(self._folder)
            raise CannotStart(f"Cannot start a box: {error}") from error

    @property
    def pid(self) -> int:
        return self._process.pid

    def has_ended(self) -> bool:
        """Its socket closes a moment before it is gone, so that moment is given to it."""
        try:
            self._process.wait(_LAST_MOMENT_SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return True

    def last_words(self) -> str:
        """How it ended, and the end of its log, without the requests that it served."""
        code = self._process.poll()
        how = f"by signal {-code}" if code is not None and code < 0 else f"with code {code}"
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").splitlines()
        said = "\n".join(line for line in lines if '"level": "info"' not in line)
        return f"{how}.\n{said[-_LOG_CHARS:]}".rstrip()

    def close(self) -> None:
        """End it and everything it started.  Call it twice freely."""
        self._process.terminate()
        try:
            self._process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()
        remove_folder(self._folder)

    def _start(self, flags: Sequence[str], state_dir: Path | None, token: str) -> "subprocess.Popen[bytes]":
        kept = ["--state-dir", str(state_dir)] if state_dir else ["--state-dir", str(self._folder), "--ephemeral"]
        return start_box(
            [*kept, *flags],
            socket=Path(self.address.socket or ""),
            secrets={"token-file": token},
            temporary=self._folder / "tmp",
            log=self._log,
            ends_with_us=True,
        )


def _place() -> str:
    """The usual temporary folder, unless a socket's address would not fit into its name."""
    usual = tempfile.gettempdir()
    return usual if len(usual) <= _MAX_PLACE_CHARS else "/tmp"


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
