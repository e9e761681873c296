"""A real `belljar box` in a process of its own, for tests to talk to over HTTP."""

import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

import belljar
from belljar.boxprocess import box_command, inherited_environment

TOKEN = "token-for-tests"
PATIENCE = 20.0


@dataclass(frozen=True)
class RunningBox:
    url: str
    token: str
    process: subprocess.Popen[str]
    log: Path

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def client(self, **options: object) -> httpx.Client:
        return httpx.Client(base_url=self.url, headers=self.headers, timeout=PATIENCE, **options)  # type: ignore[arg-type]

    @property
    def is_jailed(self) -> bool:
        with self.client() as http:
            return bool(http.get("/v1/health").json()["isolation"]["jail"])

    def terminate(self) -> int:
        """Ask it to stop, as an operator would; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


@contextmanager
def running_box(
    *flags: str,
    token: str | None = TOKEN,
    env: dict[str, str] | None = None,
    pass_fds: tuple[int, ...] = (),
    user: int | None = None,
    inside: tuple[str, ...] = (),
    python: str | None = None,
) -> Iterator[RunningBox]:
    """Start a box on a free loopback port with a state folder of its own; it has ended when the block is left.

    `user` is whom it runs as, for tests that run as root; `inside` is a command to run it in; `python` is another
    interpreter, which may have another commit's belljar.
    """
    # Not pytest's folder: as root the box starts children under another uid, which could not reach it there.
    with tempfile.TemporaryDirectory(prefix="belljar-test-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o711)
        log = Path(folder, "log")
        # Test sites are on the host's loopback, which a policy would keep the browser from.
        egress = [] if "--egress" in flags else ["--egress", "open"]
        jail = [] if "--jail" in flags else ["--jail", os.environ.get("BELLJAR_TEST_JAIL", "auto")]
        arguments = ["--port", "0", "--state-dir", f"{folder}/state", *egress, *jail, *flags]
        python, found_by = (python or sys.executable, {}) if user is None else interpreter_for(user)
        if user is not None:
            os.chown(folder, user, user)
            found_by["HOME"] = folder
        environment = inherited_environment(found_by | (env or {}))
        if token is not None:
            environment["BELLJAR_TOKEN"] = token
        with log.open("w") as err:
            process = subprocess.Popen(
                [*inside, *box_command(*arguments, python=python)],
                stdout=subprocess.PIPE,
                stderr=err,
                text=True,
                env=environment,
                pass_fds=pass_fds,
                user=user,
                group=user,
                extra_groups=None if user is None else [],
            )
        with process:
            try:
                yield _when_listening(process, token or "", log)
            finally:
                if process.poll() is None:
                    process.terminate()
                    try:
                        process.wait(PATIENCE)
                    except subprocess.TimeoutExpired:
                        process.kill()


# Commands to run a server in, as root: on a host without bubblewrap, ...
WITHOUT_BUBBLEWRAP = ("unshare", "--mount", "sh", "-c", 'mount --bind /dev/null "$(command -v bwrap)"; exec "$@"', "sh")
# ... one that lets nobody make user namespaces (in a namespace with all users, whose own limit is none), ...
_FORBID = """
import ctypes, os, sys
ready, tell = os.pipe()
child = os.fork()
if child == 0:
    os.read(ready, 1)
    for name in ("uid_map", "gid_map"):
        with open(f"/proc/{os.getppid()}/{name}", "w") as file:
            file.write("0 0 65536")
    os._exit(0)
assert ctypes.CDLL(None).unshare(0x10000000) == 0
os.write(tell, b"x")
assert os.waitpid(child, 0)[1] == 0
with open("/proc/sys/user/max_user_namespaces", "w") as file:
    file.write("0")
os.execvp(sys.argv[1], sys.argv[1:])
"""
WITHOUT_NAMESPACES = ("/usr/bin/python3", "-c", _FORBID)
# ... and one where root may mount nothing, as in most containers.
WITHOUT_MOUNTS = ("setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin")


def interpreter_for(user: int) -> tuple[str, dict[str, str]]:
    """A Python that this user can run, and the variables by which it finds our packages."""
    packages = sysconfig.get_path("purelib")
    sources = str(Path(belljar.__file__).parent.parent)
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        variables = {"PYTHONPATH": f"{sources}:{packages}"}
        trial = [python, "-c", "import belljar.cli, uvloop, msgspec"]
        try:
            options: Any = {"user": user, "group": user, "extra_groups": [], "cwd": "/"}
            subprocess.run(trial, env={**os.environ, **variables}, capture_output=True, check=True, **options)
        except (OSError, subprocess.CalledProcessError):
            continue
        return python, variables
    pytest.skip("no Python that an ordinary user can run: NOT tested as one")


def _when_listening(process: subprocess.Popen[str], token: str, log: Path) -> RunningBox:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Belljar listens on "):
            return RunningBox(line.split()[-1], token, process, log)
    raise AssertionError(f"the box did not come up:\n{log.read_text()}")
