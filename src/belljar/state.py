"""Where belljar keeps what outlives a process."""

import errno
import os
import stat
from collections.abc import Mapping
from pathlib import Path

ROOT_STATE_DIR = Path("/var/lib/belljar")


def default_state_dir(environ: Mapping[str, str] | None = None) -> Path:
    """The folder used when `--state-dir` names no other: root's is the system's, anyone else's is their own.

    Nothing is created: whoever writes there first makes it.
    """
    environ = os.environ if environ is None else environ
    if os.geteuid() == 0:
        return ROOT_STATE_DIR
    home = environ.get("XDG_STATE_HOME", "")
    # The XDG rules say that a relative path is to be ignored.
    return (Path(home) if home.startswith("/") else Path.home() / ".local/state") / "belljar"


class StateDirUnusable(Exception):
    """Nothing can be kept there; the message is a sentence for people."""


def make_state_dir(path: Path) -> None:
    """Make the folder, or raise `StateDirUnusable`.  Others may pass through to what is theirs, and not look around."""
    try:
        path.mkdir(mode=0o711, parents=True, exist_ok=True)
        if not os.access(path, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise StateDirUnusable(
            f"Nothing can be kept in {path}: {error.strerror}. Choose another folder with --state-dir."
        ) from error


def closed_to_others(path: Path) -> Path | None:
    """The folder on the way to `path` that nobody but its owner may pass: root's boxes run as users of their own."""
    if os.geteuid() != 0:
        return None
    path = path.resolve()
    return next(
        (folder for folder in (*reversed(path.parents), path) if not folder.stat().st_mode & stat.S_IXOTH), None
    )
