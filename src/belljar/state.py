"""Where belljar keeps what outlives a process."""

import os
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
