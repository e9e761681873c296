"""A real PostgreSQL for tests: installed if it can be, run by an unprivileged user in a folder of its own."""

import fcntl
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

PATIENCE = 60


@dataclass(frozen=True)
class Postgres:
    folder: Path
    bin: Path

    def new_database(self) -> str:
        """The URL of a fresh, empty database."""
        name = "t" + secrets.token_hex(6)
        subprocess.run([self.bin / "createdb", "-h", self.folder, "-U", "belljar", name], check=True, timeout=PATIENCE)
        return f"postgresql://belljar@/{name}?host={self.folder}"

    def stop(self) -> None:
        """At once, as a crash would; what was committed is there again after `start`."""
        self._control("-m", "immediate", "stop")

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off -c max_connections=200"
        options += " -c shared_buffers=16MB -c autovacuum=off -c wal_level=minimal -c max_wal_senders=0"
        self._control("-l", self.folder / "log", "-o", options, "start")

    def pause(self) -> None:
        """Everything of it stands still, as on a host that hangs: connections stay open and nobody answers."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        """To its first process before those that came from it: none is added while that one is stopped."""
        first = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        os.kill(first, number)
        for child in Path(f"/proc/{first}/task/{first}/children").read_text().split():
            # One whose client has left ends as soon as it is woken.
            with suppress(ProcessLookupError):
                os.kill(int(child), number)

    def _control(self, *words: object) -> None:
        _run(_account(), self.bin / "pg_ctl", "-D", self.folder / "data", "-w", *words)


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Listens on a Unix socket in its folder alone; gone with the block."""
    bin = _binaries()
    account = _account()
    with tempfile.TemporaryDirectory(prefix="belljar-pg-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        if account is not None:
            os.chown(folder, account.pw_uid, account.pw_gid)
        # `cp` also keeps the owner.
        subprocess.run(["cp", "-a", _template(bin, account), folder / "data"], check=True, timeout=PATIENCE)
        postgres = Postgres(folder, bin)
        postgres.start()
        try:
            yield postgres
        finally:
            postgres.resume()
            postgres.stop()


def _template(bin: Path, account: pwd.struct_passwd | None) -> Path:
    """The data of a PostgreSQL that was never started: made once for this environment and version, copied for each."""
    made = Path(sys.prefix, f"postgresql-{bin.parent.name}")
    with (made.with_suffix(".lock")).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if made.exists():
            return made
        with tempfile.TemporaryDirectory(prefix="belljar-pg-") as name:
            if account is not None:
                os.chown(name, account.pw_uid, account.pw_gid)
            initdb = (bin / "initdb", "-U", "belljar", "-A", "trust", "--no-sync", "--wal-segsize=1")
            _run(account, *initdb, "-D", f"{name}/data")
            # Whole or not at all, whenever this is interrupted.
            begun = made.with_suffix(".new")
            shutil.rmtree(begun, ignore_errors=True)
            subprocess.run(["cp", "-a", f"{name}/data", begun], check=True, timeout=PATIENCE)
            begun.rename(made)
    return made


def _run(account: pwd.struct_passwd | None, *command: object) -> None:
    drop = {} if account is None else {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    subprocess.run(
        [str(part) for part in command],
        check=True,
        timeout=PATIENCE,
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **drop,  # type: ignore[call-overload]  # mypy does not see through the dictionary
    )


def _account() -> pwd.struct_passwd | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


def _binaries() -> Path:
    found = _find()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "-y", "-q", "postgresql"], timeout=300, capture_output=True)
        found = _find()
    if found is None:
        pytest.skip("PostgreSQL is not installed and could not be installed here")
    return found


def _find() -> Path | None:
    if path := shutil.which("pg_ctl"):
        return Path(path).resolve().parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)
