"""Findings of checks; and programs tried for real, as the user they will run as, and never for long."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypedDict


class Level(StrEnum):
    OK = "ok"
    WARNING = "warning"  # Belljar works, with less: the detail says what is lost.
    MISSING = "missing"  # Something that a whole mode cannot do without.


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's table. `id` and `level` are for programs and stay as they are."""

    id: str
    title: str
    level: Level
    detail: str
    fix: str | None = None

    @property
    def is_ok(self) -> bool:
        return self.level is Level.OK


# `nobody`: what root gives up its rights to. The box runs nothing untrusted as root.
NOBODY = 65534


@dataclass(frozen=True)
class Outcome:
    """How a trial ended; `code` is None when it did not end by itself, or could not be started."""

    code: int | None
    output: str
    errors: str

    @property
    def succeeded(self) -> bool:
        return self.code == 0

    @property
    def first_line(self) -> str:
        return next((line.strip() for line in self.output.splitlines() if line.strip()), "")

    @property
    def complaint(self) -> str:
        """The last thing it said before it failed: usually the reason."""
        return next((line.strip() for line in reversed(self.errors.splitlines()) if line.strip()), "no message")


class Credentials(TypedDict, total=False):
    """The arguments of `subprocess` that give up root's rights."""

    user: int
    group: int
    extra_groups: list[int]


def unprivileged() -> Credentials:
    return Credentials(user=NOBODY, group=NOBODY, extra_groups=[]) if os.geteuid() == 0 else Credentials()


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder that the unprivileged user owns, for a home or a profile; gone at the end."""
    with tempfile.TemporaryDirectory(prefix="belljar-trial-", ignore_cleanup_errors=True) as name:
        if os.geteuid() == 0:
            os.chown(name, NOBODY, NOBODY)
        yield Path(name)


def clean_environment(home: Path) -> Mapping[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(home), "LANG": "C.UTF-8"}


def attempt(argv: Sequence[str | Path], *, timeout: float = 20.0) -> Outcome:
    """Run `argv` to its end without root's rights, in a clean environment, for at most `timeout` seconds."""
    with scratch() as home:
        return _run(argv, timeout, clean_environment(home), unprivileged())


def attempt_as_self(argv: Sequence[str | Path], *, timeout: float = 20.0) -> Outcome:
    """Run `argv` as whoever asks, for tools of their own rather than programs of a box."""
    return _run(argv, timeout, os.environ, Credentials())


def _run(argv: Sequence[str | Path], timeout: float, env: Mapping[str, str], credentials: Credentials) -> Outcome:
    try:
        done = subprocess.run(
            [os.fspath(word) for word in argv],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            cwd="/",
            env=env,
            **credentials,
        )
    except subprocess.TimeoutExpired:
        return Outcome(None, "", f"did not end within {timeout:g} s")
    except OSError as error:
        return Outcome(None, "", error.strerror or str(error))
    return Outcome(done.returncode, done.stdout, done.stderr)
