"""Databases that are away for a while: a PostgreSQL that is stopped or stands still, a SQLite that another locks."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tests.plane.postgres import Postgres, running_postgres

# What can befall a database: of PostgreSQL two things, of SQLite one.
FAULTS = ("postgresql stopped", "postgresql paused", "sqlite locked")

# Holds the lock of a writer until its standard input ends; says so once it has it.
_HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=20, isolation_level=None)
connection.execute("begin exclusive")
print("locked", flush=True)
sys.stdin.read()
"""


class Outage(Protocol):
    """A database that can be away: `url` is how a control plane is told of it."""

    url: str

    def begin(self, *, wait: bool = True) -> None:
        """Without `wait` it may take a moment: a transaction that is open now may have to end first."""

    def end(self) -> None:
        """The database is back; ending it twice is fine."""


@dataclass
class StoppedPostgres:
    postgres: Postgres
    url: str
    _is_away: bool = False

    def begin(self, *, wait: bool = True) -> None:
        self._is_away = True
        self.postgres.stop()

    def end(self) -> None:
        if self._is_away:
            self.postgres.start()
            self._is_away = False


@dataclass
class PausedPostgres:
    postgres: Postgres
    url: str

    def begin(self, *, wait: bool = True) -> None:
        self.postgres.pause()

    def end(self) -> None:
        self.postgres.resume()


class LockedSqlite:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.url = f"sqlite:///{path}"
        self._holder: subprocess.Popen[str] | None = None
        self._is_locked = False

    def begin(self, *, wait: bool = True) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._is_locked = False
        self._holder = subprocess.Popen([sys.executable, "-c", _HOLDER, str(self.path)], **pipes)  # type: ignore[call-overload]
        if wait:
            self._until_locked()

    def end(self) -> None:
        if self._holder is not None:
            self._until_locked()
            with self._holder as holder:
                holder.communicate(timeout=20)
            self._holder = None

    def _until_locked(self) -> None:
        assert self._holder is not None and self._holder.stdout is not None
        if not self._is_locked:
            assert self._holder.stdout.readline() == "locked\n"
            self._is_locked = True


@contextmanager
def outage_of(fault: str, folder: Path) -> Iterator[Outage]:
    """A database of its own, whole again when the block is left."""
    with ExitStack() as stack:
        outage: Outage
        if fault == "sqlite locked":
            outage = LockedSqlite(folder / "control.db")
        else:
            postgres = stack.enter_context(running_postgres())
            kind = StoppedPostgres if fault == "postgresql stopped" else PausedPostgres
            outage = kind(postgres, postgres.new_database())
        stack.callback(outage.end)
        yield outage


def query(url: str, text: str) -> list[tuple[object, ...]]:
    """What the database holds, read past the control plane."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            return connection.execute(text).fetchall()
    name, _, folder = url.removeprefix("postgresql://belljar@/").partition("?host=")
    words = ["psql", "-h", folder, "-U", "belljar", "-d", name, "-At", "-F", "\t", "-c", text]
    found = subprocess.run(words, check=True, capture_output=True, text=True, timeout=60).stdout
    return [tuple(line.split("\t")) for line in found.splitlines()]
