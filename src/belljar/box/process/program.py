"""A program to be started, its environment, how it ended, and when it is started again: plain values."""

import os
import pwd
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field

from belljar.wire.processes import ProcessOwner, RestartPolicy


@dataclass(frozen=True)
class User:
    """Whom programs run as, where the server is root."""

    uid: int
    gid: int


@dataclass(frozen=True)
class Terminal:
    """The first size of a program's terminal."""

    cols: int = 80
    rows: int = 24


@dataclass(frozen=True)
class Program:
    """Everything needed to start a program, and to start it again."""

    command: str
    args: tuple[str, ...] = ()
    # Added to the clean base environment.
    env: Mapping[str, str] | None = None
    cwd: str | None = None
    owner: ProcessOwner = ProcessOwner.SYSTEM
    restart: RestartPolicy = RestartPolicy.NEVER
    # A terminal instead of pipes.
    terminal: Terminal | None = None
    # Whether stdin is a pipe that `Process.write` fills; otherwise it is empty.
    takes_input: bool = False
    # Whether it is our own code, and runs outside the jail; nothing a caller names ever is.
    is_trusted: bool = field(default=False, kw_only=True)
    # Whether the box needs it for as long as what it belongs to runs: a caller's stop or kill is one life's end only.
    is_kept: bool = field(default=False, kw_only=True)
    # A note that clients see; nothing here depends on it.
    is_interactive: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Exit:
    """How a process ended: a code, or the signal that ended it."""

    code: int | None = None
    signal: int | None = None

    @property
    def is_failure(self) -> bool:
        return self.code != 0

    @property
    def signal_name(self) -> str | None:
        if self.signal is None:
            return None
        try:
            return signal.Signals(self.signal).name
        except ValueError:
            return f"SIG{self.signal}"


FIRST_DELAY = 0.1
LONGEST_DELAY = 30.0
# Who ran this long is well: its next end starts counting afresh.
RAN_WELL = 10.0


def should_restart(policy: RestartPolicy, exit: Exit) -> bool:
    if policy is RestartPolicy.ON_FAILURE:
        return exit.is_failure
    return policy is RestartPolicy.ALWAYS


def delay_before(attempt: int) -> float:
    """Seconds before the `attempt`-th restart in a row, from 1: doubling, up to a cap."""
    return min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(attempt - 1, 30))


# Copied from the server where it has them.  Everything else stays behind, `BELLJAR_TOKEN` and cloud keys included.
KEPT = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH")
DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The base every child gets, out of the server's own `environ`."""
    base = {name: environ[name] for name in KEPT if environ.get(name)}
    base |= {name: value for name, value in environ.items() if name.startswith("LC_")}
    base.setdefault("PATH", DEFAULT_PATH)
    base.setdefault("LANG", "C.UTF-8")
    try:
        account = pwd.getpwuid(os.getuid())
    except KeyError:
        base.setdefault("HOME", "/")
    else:
        base.setdefault("HOME", account.pw_dir)
        base.setdefault("USER", account.pw_name)
        base.setdefault("SHELL", account.pw_shell or "/bin/sh")
    return base
