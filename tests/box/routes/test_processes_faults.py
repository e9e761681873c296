"""What children do wrong, and what the server keeps: bounded memory, no zombies, no leaked descriptors."""

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2 as httpx
import pytest

from tests.box.routes.test_processes import create, exited, info
from tests.processes import (
    command_of,
    descendants,
    eventually,
    is_zombie,
    marked,
    new_mark,
    open_descriptors,
    resident_mb,
    starter_of,
)
from tests.servers import PATIENCE, RunningBox, running_box

# Whoever escapes: out of the group, out of the session, away from the parent, deaf to signals.
ESCAPE = """
trap '' TERM HUP INT
sleep 600 &
setsid sleep 600 &
(setsid setsid sleep 600 &)
(setsid sh -c 'trap "" TERM HUP INT; (sleep 600 &) ; while :; do sleep 0.05; done' &)
while :; do sleep 0.05; done
"""


@pytest.fixture
def own_box() -> Iterator[RunningBox]:
    """A server for one test that does things to it."""
    with running_box() as box:
        yield box


def is_over(pid: int) -> bool:
    """Gone, or waiting for a test runner that does not reap."""
    return not os.path.exists(f"/proc/{pid}") or is_zombie(pid)


def children_of(starter: int) -> set[int]:
    """All that it started for callers: the box's own egress process is not among them."""
    return {pid for pid in descendants(starter) if "belljar.egress" not in command_of(pid)}


def zombies(server: int) -> list[int]:
    return [pid for pid in descendants(server) if is_zombie(pid)]


def test_when_the_server_is_killed_everything_it_started_dies(own_box: RunningBox) -> None:
    mark = new_mark()
    with own_box.client() as http:
        create(http, "sh", "-c", ESCAPE, env=mark)
        create(http, "sh", "-c", ESCAPE, env=mark, tty=True)
        create(http, "sh", "-c", "(setsid setsid sleep 600 &)", env=mark, restartPolicy="always")
        eventually(lambda: len(marked(mark)) > 12, "all of them")
        family = descendants(own_box.process.pid)
        own_box.process.kill()
        own_box.process.wait(PATIENCE)
    eventually(lambda: not marked(mark), "the end of all")
    eventually(lambda: all(is_over(pid) for pid in family), "the end of the starter")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_when_the_server_is_stopped_everything_it_started_has_ended(own_box: RunningBox, number: int) -> None:
    mark = new_mark()
    with own_box.client() as http:
        create(http, "sh", "-c", ESCAPE, env=mark)
        create(http, "sleep", "600", env=mark)
        create(http, "false", restartPolicy="always", env=mark)
        eventually(lambda: len(marked(mark)) > 6, "all of them")
        own_box.process.send_signal(number)
        assert own_box.process.wait(PATIENCE) == 0
    assert marked(mark) == set()
    assert "Traceback" not in own_box.log.read_text()


def test_a_stopping_server_ends_its_runs(own_box: RunningBox) -> None:
    mark = new_mark()

    def run() -> httpx.Response:
        with own_box.client() as http:
            return http.post("/v1/processes/run", json={"command": "sleep", "args": ["600"], "env": mark})

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(run)
        eventually(lambda: marked(mark), "the run")
        assert own_box.terminate() == 0
        assert waiting.result(PATIENCE).json()["detail"] == "conflict: the server is stopping"
    assert marked(mark) == set()
    assert "Traceback" not in own_box.log.read_text()


def test_when_the_starter_is_killed_the_next_request_works(own_box: RunningBox) -> None:
    mark = new_mark()
    with own_box.client() as http:
        id = create(http, "sh", "-c", ESCAPE, env=mark)["id"]
        eventually(lambda: len(marked(mark)) > 5, "all of them")
        os.kill(starter_of(own_box.process.pid), signal.SIGKILL)
        assert exited(http, id)["signal"] == "SIGKILL"
        assert marked(mark) == set()
        assert http.post("/v1/processes/run", json={"command": "echo", "args": ["hi"]}).json()["stdout"] == "hi\n"
        assert zombies(own_box.process.pid) == []


def test_signals_to_the_terminals_group_do_not_reach_the_starter(box: RunningBox) -> None:
    starter = starter_of(box.process.pid)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        os.kill(starter, number)
    assert os.getsid(starter) == starter
    with box.client() as http:
        assert http.post("/v1/processes/run", json={"command": "true"}).json()["exitCode"] == 0


@pytest.mark.skipif(os.getuid() == 0, reason="root may look into every process")
def test_a_child_cannot_look_into_the_starter(box: RunningBox) -> None:
    starter = starter_of(box.process.pid)
    with box.client() as http:
        ran = http.post("/v1/processes/run", json={"command": "cat", "args": [f"/proc/{starter}/environ"]}).json()
    assert ran["exitCode"] != 0


def flood(box: RunningBox, http: httpx.Client, size: int) -> None:
    before = resident_mb(box.process.pid)
    id = create(http, "head", "-c", str(size), "/dev/zero")["id"]
    eventually(lambda: info(http, id)["status"] == "exited", "the end of the flood", patience=300)
    entries = http.get(f"/v1/processes/{id}/logs?tail=1").json()["entries"]
    assert entries[0]["sequence"] >= size // 65536
    # The ring's 10 MiB, and what an allocator keeps.
    after = resident_mb(box.process.pid)
    assert after - before < 60
    sys.stdout.write(f"\n{size} bytes of output: resident {before:.0f} MB before, {after:.0f} MB after\n")
    assert http.delete(f"/v1/processes/{id}").status_code == 204


def test_two_hundred_megabytes_of_output_stay_within_the_ring(box: RunningBox) -> None:
    with box.client() as http:
        flood(box, http, 200_000_000)


@pytest.mark.soak
def test_a_gigabyte_of_output_stays_within_the_ring(box: RunningBox) -> None:
    with box.client() as http:
        flood(box, http, 1_000_000_000)


def test_a_flood_in_a_run_is_cut(box: RunningBox) -> None:
    with box.client() as http:
        before = resident_mb(box.process.pid)
        ran = http.post(
            "/v1/processes/run", json={"command": "head", "args": ["-c", "200000000", "/dev/zero"], "timeoutMs": 120000}
        ).json()
        assert (ran["exitCode"], ran["stdoutTruncated"], len(ran["stdout"])) == (0, True, 1048576)
        assert resident_mb(box.process.pid) - before < 60


def test_one_that_never_reads_its_input_wedges_nothing(http: httpx.Client, box: RunningBox) -> None:
    id = create(http, "sleep", "600")["id"]
    path = f"/v1/processes/{id}/input"
    body = {"data": "x" * 65536, "encoding": "text"}
    assert http.post(path, json=body).json() == {"bytesWritten": 65536}
    refused = http.post(path, json=body)
    assert (refused.status_code, refused.json()["bytesWritten"]) == (409, 0)
    assert http.post(f"/v1/processes/{id}/kill").json()["status"] == "exited"


def test_one_that_dies_at_once_is_restarted_ever_more_slowly(box: RunningBox) -> None:
    with box.client() as http:
        ids = [create(http, "false", restartPolicy="always")["id"] for _ in range(10)]
        eventually(lambda: all(info(http, id)["restarts"] >= 3 for id in ids), "three restarts each")
        assert max(info(http, id)["restarts"] for id in ids) < 12
        before = open_descriptors(box.process.pid)
        eventually(lambda: all(info(http, id)["restarts"] >= 4 for id in ids), "another restart each")
        for id in ids:
            assert http.post(f"/v1/processes/{id}/kill").json()["status"] == "exited"
        eventually(lambda: open_descriptors(box.process.pid) <= before, "no descriptor lost")
        eventually(lambda: zombies(box.process.pid) == [], "no zombie")


def many(box: RunningBox, count: int) -> None:
    starter = starter_of(box.process.pid)
    with box.client() as http:
        for _ in range(20):
            exited(http, create(http, "true")["id"])
        http.post("/v1/processes/run", json={"command": "true"})
        before = open_descriptors(box.process.pid), open_descriptors(starter), resident_mb(box.process.pid)
        for number in range(count):
            if number % 2:
                answer = http.post("/v1/processes", json={"command": "echo", "args": ["x"], "tty": number % 20 == 1})
                if answer.status_code == 409:
                    eventually(lambda: running(http) < 32, "some to end")
            else:
                http.post("/v1/processes/run", json={"command": "echo", "args": ["x"]})
        eventually(lambda: running(http) == 0, "the end of all")
        eventually(lambda: children_of(starter) == set(), "no zombie")
        after = open_descriptors(box.process.pid), open_descriptors(starter), resident_mb(box.process.pid)
        assert after[0] <= before[0]
        assert after[1] == before[1]
        assert after[2] - before[2] < 30
        sys.stdout.write(f"\n{count} processes: descriptors of server and starter, resident MB: {before} → {after}\n")
        assert len(http.get("/v1/processes").json()["processes"]) <= 1000


def running(http: httpx.Client) -> int:
    return sum(one["status"] == "running" for one in http.get("/v1/processes").json()["processes"])


def test_two_hundred_short_processes_leave_nothing(box: RunningBox) -> None:
    many(box, 200)


@pytest.mark.soak
def test_five_thousand_short_processes_leave_nothing(box: RunningBox) -> None:
    many(box, 5000)


def test_a_client_that_hangs_up_ends_its_run(box: RunningBox) -> None:
    mark = new_mark()
    with box.client() as http:
        with pytest.raises(httpx.TimeoutException):
            http.post("/v1/processes/run", json={"command": "sleep", "args": ["600"], "env": mark}, timeout=0.5)
        eventually(lambda: not marked(mark), "the end of the run")
    assert "Traceback" not in box.log.read_text()
