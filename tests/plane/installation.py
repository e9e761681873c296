"""Control planes on one host with one database, a steady load on them, and what they leave behind."""

import os
import subprocess
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from belljar.plane import kernel
from belljar.plane.kernel import ProcessId
from tests.plane.moved_clock import MovedClock
from tests.plane.outages import LockedSqlite, query
from tests.plane.plane import RunningPlane, running_plane, until
from tests.plane.postgres import Postgres, running_postgres

# A request that takes longer hangs, whatever was done to what it needs.
ANSWERED_WITHIN = 40.0
SETTLED_WITHIN = 90.0
_FLAGS = ("--memory-per-session", "0", "--log-format", "json", "--drain", "2", "--jail", "require", "--retain", "1")
_DISK = "1500m"
# What is left of what belongs to nothing that lives, and what is needed to find the rest.
_LEFT = ("box row", "session row", "profile lock")
_ROWS = """
select 'box', id from boxes
union all select 'box row', id from boxes where state = 'lent' and session_id not in
    (select id from sessions where state in ('starting', 'running', 'stopping'))
union all select 'session row', id from sessions where state in ('pending', 'starting', 'stopping')
union all select 'profile lock', id from profiles where session_id not in
    (select id from sessions where state = 'running')
union all select 'plane', id from planes
union all select 'ever', box_id from sessions where box_id is not null
"""


@dataclass
class Installation:
    state: Path
    url: str
    postgres: Postgres | None
    planes: list[RunningPlane]
    _stack: ExitStack
    _environment: dict[str, str] = field(default_factory=dict)
    # Where it can be moved.
    clock: MovedClock | None = None

    @property
    def key(self) -> str:
        return self.planes[0].key

    def start_plane(self, key: str = "") -> RunningPlane:
        flags = ("--database-url", self.url, "--master-key-file", str(self.state / "master.key"))
        more = ("--max-sessions-per-user", "50", "--pool-size", "1", "--pool-mode", "none")
        running = running_plane(
            *flags, *more, state_dir=self.state, key=key, usual=_FLAGS, environment=self._environment
        )
        return self._stack.enter_context(running)

    def restart(self, number: int) -> None:
        """A control plane that has ended is started again, as a service manager would."""
        self.planes[number].process.wait(ANSWERED_WITHIN)
        self.planes[number] = self.start_plane(self.key)

    def restart_all(self, environment: dict[str, str]) -> None:
        self._environment = environment
        for number, plane in enumerate(self.planes):
            plane.process.terminate()
            self.restart(number)

    def client(self, number: int = 0) -> httpx.Client:
        plane = self.planes[number % len(self.planes)]
        bearer = {"Authorization": f"Bearer {self.key}"}
        # Plain HTTP: to load certificates for each client would cost more than all of its requests.
        return httpx.Client(base_url=plane.url, headers=bearer, timeout=ANSWERED_WITHIN, verify=False)

    def create(self, number: int = 0, **wanted: Any) -> dict[str, Any]:
        with self.client(number) as client:
            answer = client.post("/api/sessions", json={"mode": "none", "ttl": 7200, "idleTimeout": 0, **wanted})
        assert answer.status_code == 201, answer.text
        body: dict[str, Any] = answer.json()
        return body

    def state_of(self, id: str) -> str:
        with self.client() as client:
            return str(client.get(f"/api/sessions/{id}").json().get("state", "unknown"))

    def box_process(self, session: dict[str, Any]) -> ProcessId:
        """The server of a session's box."""
        wanted = session["sandboxId"]
        for pid in kernel.pids():
            words = kernel.arguments(pid)
            if words[3:4] == ["box"] and wanted in words and (found := kernel.identify(pid)):
                return found
        raise AssertionError(f"no process of {wanted}")

    def every_plane_works(self, numbers: Sequence[int] | None = None) -> bool:
        """The next session is made, used and ended, by each of them."""
        try:
            for number in range(len(self.planes)) if numbers is None else numbers:
                with self.client(number) as client:
                    made = client.post("/api/sessions", json={"mode": "none", "ttl": 600})
                    if made.status_code != 201:
                        return False
                    id = made.json()["id"]
                    if client.get(f"/s/{id}/v1/health").status_code != 200:
                        return False
                    if client.delete(f"/api/sessions/{id}").json()["state"] != "stopped":
                        return False
        except httpx.TransportError as error:
            assert not isinstance(error, httpx.TimeoutException), "a request hangs"
            return False
        return True

    def said(self) -> str:
        """The end of what each control plane logged, but for the requests: for whoever asks why a round failed."""
        found = []
        for log in sorted(self.state.glob("serve-*.log")):
            lines = [line for line in log.read_text().splitlines() if "http.request" not in line]
            found += [f"--- {log.name}", *lines[-60:]]
        return "\n".join(found)

    def end_all(self) -> None:
        """Every session: what a round that failed left must not burden the next."""
        with self.client() as client:
            for session in client.get("/api/sessions?state=running&limit=1000").json()["sessions"]:
                client.delete(f"/api/sessions/{session['id']}")

    def leftovers(self) -> list[str]:
        """What belongs to nothing that lives: processes, control groups, folders, locks, rows."""
        rows: dict[str, list[str]] = {}
        # In one question: each is a program of its own.
        for kind, id in query(self.url, _ROWS):
            rows.setdefault(str(kind), []).append(str(id))
        known, ever = set(rows.get("box", ())), set(rows.get("ever", ()))
        found = [f"{kind} {id}" for kind in _LEFT for id in rows.get(kind, ())]
        planes = rows.get("plane", [])
        found += [f"plane row {id}" for id in planes] if len(planes) != len(self.planes) else []
        folders = [one.name for one in (self.state / "boxes").iterdir()] if (self.state / "boxes").exists() else []
        found += [f"folder {name}" for name in folders if name not in known]
        found += [f"process {pid}" for pid, id in self._processes() if id not in known]
        found += [f"group {group}" for group in _groups(ever) if group.name.rpartition("-")[0] not in known]
        if self.postgres is not None:
            held = "select l.pid from pg_locks l join pg_database d on d.oid = l.database where locktype = 'advisory'"
            found += [f"lock of {pid}" for (pid,) in query(self.url, f"{held} and datname = current_database()")]
        return found

    def _processes(self) -> list[tuple[int, str]]:
        """Each that names the folder of a box of ours, with that box's id."""
        needle = f"{self.state}/boxes/"
        found = []
        for pid in kernel.pids():
            named = [word.partition(needle)[2].partition("/")[0] for word in kernel.arguments(pid) if needle in word]
            found += [(pid, named[0])] if named else []
        return found


def _groups(ever: set[str]) -> list[Path]:
    """Of boxes of ours: by the ids that this installation's rows have ever had."""
    return [group for group in kernel.groups_of("b-*") if group.name.rpartition("-")[0] in ever]


@contextmanager
def installation(database: str, planes: int) -> Iterator[Installation]:
    """As many control planes as one host may have, on a disk of their own that can be filled."""
    if os.geteuid() != 0:
        pytest.skip("a small disk and control groups need root")
    with ExitStack() as stack:
        state = Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="belljar-test-", ignore_cleanup_errors=True))
        )
        subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={_DISK},mode=711", "belljar", state], check=True, timeout=20
        )
        stack.callback(lambda: subprocess.run(["umount", "-l", state], check=True, timeout=20))
        postgres = stack.enter_context(running_postgres()) if database == "postgresql" else None
        url = LockedSqlite(state / "control.db").url if postgres is None else postgres.new_database()
        made = Installation(state, url, postgres, [], stack)
        for _ in range(planes):
            made.planes.append(made.start_plane(made.planes[0].key if made.planes else ""))
        yield made


class Load:
    """Somebody who uses the installation all the time, by every control plane, and notes what they are told."""

    def __init__(self, on: Installation) -> None:
        self._on = on
        self._stop = threading.Event()
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._run, args=(number,)) for number in range(len(on.planes))]

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(2 * ANSWERED_WITHIN)
            assert not thread.is_alive(), "the load hangs"

    def take(self) -> Counter[str]:
        """What was answered since the last time."""
        with self._lock:
            seen, self._seen = self._seen, Counter()
        return seen

    def _note(self, what: str) -> None:
        with self._lock:
            self._seen[what] += 1

    def _run(self, number: int) -> None:
        session: dict[str, Any] | None = None
        while not self._stop.wait(0.3):
            if session is None:
                answer = self._ask(
                    number, "POST", "/api/sessions", json={"mode": "none", "ttl": 7200, "idleTimeout": 0}
                )
                session = None if answer is None or answer.status_code != 201 else answer.json()
                continue
            self._ask(number, "GET", "/api/sessions?limit=1")
            bearer = {"Authorization": f"Bearer {session['token']}"}
            answer = self._ask(number, "GET", f"/s/{session['id']}/v1/health", headers=bearer)
            if answer is not None and answer.status_code == 409:
                session = None
        if session is not None:
            self._ask(number, "DELETE", f"/api/sessions/{session['id']}")

    def _ask(self, number: int, method: str, path: str, **more: Any) -> httpx.Response | None:
        try:
            with self._on.client(number) as client:
                answer = client.request(method, path, **more)
        except httpx.TimeoutException:
            self._note("no answer")
            return None
        except httpx.TransportError:
            self._note("no connection")
            return None
        if not answer.is_success:
            is_problem = answer.headers.get("content-type", "").startswith("application/problem+json")
            self._note(f"{answer.status_code} {answer.json()['code']}" if is_problem else f"{answer.status_code} plain")
        else:
            self._note("ok")
        return answer


def kinds_of(tree: Sequence[ProcessId]) -> dict[str, ProcessId]:
    """The processes of a box by what they do; of several alike one."""
    found: dict[str, ProcessId] = {}
    for process in tree:
        words = kernel.arguments(process.pid)
        if kind := _kind(words):
            found.setdefault(kind, process)
    return found


def _kind(words: list[str]) -> str | None:
    # Chromium's children write their arguments anew, as one.
    line = " ".join(words)
    words = line.split()
    if not words:
        return None
    if "chromium" in words[0]:
        types = [word.removeprefix("--type=") for word in words if word.startswith("--type=")]
        return f"chromium {types[0]}" if types else "chromium"
    if words[0].endswith("bwrap"):
        return "jail"
    if words[3:4] == ["box"]:
        return "box"
    if "/run/belljar/starter.py" in line:
        return "jail's starter"
    if "starter.py" in line:
        return "starter"
    if "egress" in line:
        return "egress proxy"
    return None


def settle(on: Installation) -> None:
    """Until nothing is left that belongs to nothing; says what, should it stay."""
    last: list[str] = []

    def is_clean() -> bool:
        last[:] = on.leftovers()
        return not last

    try:
        until(is_clean, within=SETTLED_WITHIN, what="a clean installation")
    except AssertionError as error:
        raise AssertionError(f"{error}: {last}") from None
