"""The fault battery: whatever is done to a box, a control plane, the database or the host, nothing is left behind and
the next call works.

`make soak` runs it whole.  `FAULT_ROUNDS` says how many rounds of each fault (20 unless said; pairings beside the two
main ones always get one), `-k` which of them, and `FAULT_REPORT` names a file that gets a line of JSON for each round.
"""

import json
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2 as httpx
import pytest

from belljar.plane import kernel
from belljar.plane.kernel import ProcessId
from belljar.plane.registry.database import PATIENCE
from tests.plane.installation import ANSWERED_WITHIN, Installation, Load, installation, kinds_of, settle
from tests.plane.moved_clock import MovedClock
from tests.plane.outages import LockedSqlite
from tests.plane.plane import until

ROUNDS = int(os.environ.get("FAULT_ROUNDS", "20"))
REPORT = os.environ.get("FAULT_REPORT")
# How long what is paused or away stays so.
AWAY_SECONDS = float(os.environ.get("FAULT_SECONDS", "5"))
RECOVERED_WITHIN = 90.0
MAIN = (("sqlite", 1), ("postgresql", 2))
OTHERS = (("sqlite", 2), ("postgresql", 1))
CLOCK_MOVES = (1800, -1800)

BROWSER = {"mode": "browser", "headless": True}
NARROW = {"limits": {"memoryMb": 512, "processes": 96}}


@dataclass
class Victim:
    session: dict[str, Any]
    tree: list[ProcessId]


_EATING = """
eaten = []
while True:
    eaten.append(bytearray(8 << 20))
"""
_FORKING = """
import os, time
for _ in range(400):
    try:
        if os.fork() == 0:
            time.sleep(4)
            os._exit(0)
    except OSError:
        pass
"""

# Does harm, and undoes it unless the installation must mend it by itself.
Harm = Callable[[Installation, Victim, int], None]


@dataclass(frozen=True)
class Fault:
    name: str
    harm: Harm
    wants: dict[str, Any] = field(default_factory=dict)

    @property
    def is_of_one_box(self) -> bool:
        return self.name.startswith((*KINDS, "memory", "processes"))


def signalled(kind: str, number: signal.Signals) -> Harm:
    def harm(_: Installation, victim: Victim, __: int) -> None:
        process = kinds_of(victim.tree)[kind]
        os.kill(process.pid, number)
        if number is signal.SIGSTOP:
            time.sleep(AWAY_SECONDS)
            if kernel.is_alive(process):
                os.kill(process.pid, signal.SIGCONT)

    return harm


def plane_killed(on: Installation, _: Victim, round: int) -> None:
    number = round % len(on.planes)
    on.planes[number].kill()
    on.restart(number)


def plane_terminated(on: Installation, _: Victim, round: int) -> None:
    number = round % len(on.planes)
    on.planes[number].process.terminate()
    on.restart(number)


def plane_paused(on: Installation, _: Victim, round: int) -> None:
    process = on.planes[round % len(on.planes)].process
    process.send_signal(signal.SIGSTOP)
    time.sleep(AWAY_SECONDS)
    process.send_signal(signal.SIGCONT)


def database_down(on: Installation, _: Victim, __: int) -> None:
    """SQLite has no server to stop: somebody else locks it."""
    if on.postgres is None:
        return sqlite_locked(on)
    on.postgres.stop()
    time.sleep(AWAY_SECONDS)
    on.postgres.start()


def database_paused(on: Installation, _: Victim, __: int) -> None:
    """For longer than anybody waits for it."""
    if on.postgres is None:
        return sqlite_locked(on, AWAY_SECONDS + PATIENCE)
    on.postgres.pause()
    time.sleep(AWAY_SECONDS + PATIENCE)
    on.postgres.resume()


def sqlite_locked(on: Installation, seconds: float = AWAY_SECONDS) -> None:
    lock = LockedSqlite(on.state / "control.db")
    lock.begin()
    time.sleep(seconds)
    lock.end()


def database_gone_at_the_end(on: Installation, _: Victim, round: int) -> None:
    """Told to stop while the database is away."""
    number = round % len(on.planes)
    lock = LockedSqlite(on.state / "control.db")
    lock.begin() if on.postgres is None else on.postgres.stop()
    try:
        on.planes[number].process.terminate()
        ended = on.planes[number].process.wait(RECOVERED_WITHIN)
    finally:
        lock.end() if on.postgres is None else on.postgres.start()
        on.planes[number].process.kill()
        on.restart(number)
    assert ended == 0


def disk_full(on: Installation, _: Victim, __: int) -> None:
    """Of the state folder, where SQLite is, too."""
    ballast = on.state / "ballast"
    with ballast.open("wb", buffering=0) as file:
        about = os.statvfs(on.state)
        # Most of it at once, and the rest as it becomes free.
        with suppress(OSError):
            os.posix_fallocate(file.fileno(), 0, max(about.f_bavail * about.f_frsize - (32 << 20), 1))
        file.seek(0, os.SEEK_END)
        try:
            while True:
                file.write(b"x" * (1 << 20))
        except OSError:
            pass
    time.sleep(AWAY_SECONDS)
    ballast.unlink()


def in_session(on: Installation, victim: Victim, program: str) -> None:
    with on.client() as client:
        at = f"/s/{victim.session['id']}/v1/processes"
        answer = client.post(at, json={"command": "python3", "args": ["-c", program]})
        assert answer.status_code == 200, answer.text
        time.sleep(AWAY_SECONDS)


def memory_exhausted(on: Installation, victim: Victim, __: int) -> None:
    in_session(on, victim, _EATING)


def processes_exhausted(on: Installation, victim: Victim, __: int) -> None:
    in_session(on, victim, _FORKING)


def clock_moved(on: Installation, _: Victim, round: int) -> None:
    assert on.clock is not None
    on.clock.move(CLOCK_MOVES[round % len(CLOCK_MOVES)])
    time.sleep(AWAY_SECONDS)
    on.clock.move(0)


KINDS = (
    "box",
    "starter",
    "jail",
    "jail's starter",
    "egress proxy",
    "chromium",
    "chromium zygote",
    "chromium gpu-process",
    "chromium utility",
    "chromium renderer",
)


def _wants(kind: str) -> dict[str, Any]:
    return BROWSER if kind.startswith("chromium") else {}


FAULTS = (
    *(Fault(f"{kind} killed", signalled(kind, signal.SIGKILL), _wants(kind)) for kind in KINDS),
    *(Fault(f"{kind} paused", signalled(kind, signal.SIGSTOP), _wants(kind)) for kind in KINDS),
    Fault("plane killed", plane_killed),
    Fault("plane terminated", plane_terminated),
    Fault("plane paused", plane_paused),
    Fault("database down", database_down),
    Fault("database paused", database_paused),
    Fault("database down at the end", database_gone_at_the_end),
    Fault("disk full", disk_full),
    Fault("memory exhausted", memory_exhausted, NARROW),
    Fault("processes exhausted", processes_exhausted, NARROW),
    Fault("clock moved", clock_moved),
)


@pytest.fixture(scope="module")
def on(request: pytest.FixtureRequest) -> Iterator[Installation]:
    database, planes = request.param
    with installation(database, planes) as running:
        yield running


@pytest.mark.soak
@pytest.mark.parametrize("on", (*MAIN, *OTHERS), indirect=True, ids=lambda pair: f"{pair[0]}-{pair[1]}")
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_after_a_fault_nothing_is_left_and_the_next_call_works(on: Installation, fault: Fault) -> None:
    pairing = ("sqlite" if on.postgres is None else "postgresql", len(on.planes))
    victim: Victim | None = None
    with _prepared(on, fault), Load(on) as load:
        try:
            for round in range(ROUNDS if pairing in MAIN else 1):
                victim = _fresh(on, fault, victim)
                _round(on, fault, round, victim, load)
        except BaseException:
            print(on.said(), flush=True)  # noqa: T201  # it is gone with the installation
            raise
        finally:
            on.end_all()
    assert victim is not None
    until(lambda: not _alive(victim.tree), what="the end of the box's processes")
    settle(on)


def _round(on: Installation, fault: Fault, round: int, victim: Victim, load: Load) -> None:
    load.take()
    began = time.monotonic()
    fault.harm(on, victim, round)
    over = time.monotonic()
    own: Counter[str] = Counter()
    try:
        until(lambda: _is_usable_or_over(on, victim.session, own), within=RECOVERED_WITHIN, what="its next call")
    except AssertionError as error:
        raise AssertionError(f"{error}: {dict(own)}") from None
    usable = time.monotonic() - over
    # What befell one box is no control plane's trouble: they take turns.
    makers = [round % len(on.planes)] if fault.is_of_one_box else None
    until(lambda: on.every_plane_works(makers), within=RECOVERED_WITHIN, what="the next session")
    took = time.monotonic() - over
    seen = load.take()
    state = on.state_of(victim.session["id"])
    if state != "running":
        until(lambda: not _alive(victim.tree), within=RECOVERED_WITHIN, what="the end of the box's processes")
    settle(on)
    assert seen["no answer"] == 0, f"requests hang: {seen}"
    assert not [what for what in seen if what.startswith("500") or what.endswith("plain")], seen
    line = {
        "fault": fault.name,
        "database": "sqlite" if on.postgres is None else "postgresql",
        "planes": len(on.planes),
        "round": round,
        "away_s": round_(over - began),
        "usable_s": round_(usable),
        "recovered_s": round_(took),
        "session": state,
        "seen": dict(seen),
        "session_seen": dict(own),
    }
    print(json.dumps(line), flush=True)  # noqa: T201  # what a soak is run for
    if REPORT:
        with open(REPORT, "a", encoding="utf-8") as report:
            report.write(json.dumps(line) + "\n")


def round_(seconds: float) -> float:
    return round(seconds, 1)


def _fresh(on: Installation, fault: Fault, victim: Victim | None) -> Victim:
    """The session of the round before if it lives, so that many rounds are one session's."""
    if victim is not None and on.state_of(victim.session["id"]) == "running":
        session = victim.session
    else:
        session = on.create(**fault.wants)
    process = on.box_process(session)
    missing = [kind for kind in KINDS if fault.name.startswith(f"{kind} ")]

    def tree() -> list[ProcessId]:
        found = kernel.tree([process.pid])
        return found if all(kind in kinds_of(found) for kind in missing[-1:]) else []

    return Victim(session, until(tree, what=f"all processes of a box ({missing})"))


def _is_usable_or_over(on: Installation, session: dict[str, Any], seen: Counter[str]) -> bool:
    """The session's own call works, or it is said to be over; what it was answered is noted in `seen`."""
    bearer = {"Authorization": f"Bearer {session['token']}"}
    try:
        with on.client() as client:
            if session["mode"] == "browser":
                at = f"/s/{session['id']}/v1/browser"
                answer = client.post(f"{at}/navigate", json={"url": "about:blank"}, headers=bearer)
                if answer.status_code == 409 and answer.json()["code"] == "browser_not_active":
                    # A browser that dies twice within a minute is left to its user, who is told so.
                    seen["409 browser_not_active"] += 1
                    answer = client.post(f"{at}/start", json={"headless": True}, headers=bearer)
                    seen[f"{answer.status_code} at its start" if answer.is_success else answer.text] += 1
                    return False
            else:
                answer = client.get(f"/s/{session['id']}/v1/health", headers=bearer)
    except httpx.TimeoutException:
        raise AssertionError(f"a call of the session hangs for {ANSWERED_WITHIN} seconds") from None
    except httpx.TransportError:
        seen["no connection"] += 1
        return False
    seen["ok" if answer.is_success else f"{answer.status_code} {answer.json()['code']}"] += 1
    return answer.is_success or (answer.status_code == 409 and answer.json()["code"] == "session_over")


def _alive(tree: list[ProcessId]) -> list[ProcessId]:
    return [process for process in tree if kernel.is_alive(process)]


@contextmanager
def _prepared(on: Installation, fault: Fault) -> Iterator[None]:
    """A clock that can be moved must be there when a control plane starts; its boxes inherit it."""
    if fault.name != "clock moved":
        yield
        return
    on.clock = MovedClock(on.state)
    on.restart_all(on.clock.environment)
    try:
        yield
    finally:
        on.restart_all({})
