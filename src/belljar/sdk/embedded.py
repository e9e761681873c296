"""A box of one's own: a process beside this one, on a Unix socket, that ends when this one does."""

import secrets
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from belljar.boxprocess import start_box
from belljar.sdk.address import Address
from belljar.sdk.errors import CannotStart
from belljar.trees import remove_folder

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
