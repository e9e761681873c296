"""`/v1/processes` over HTTP, endpoint by endpoint."""

import base64
from typing import Any

import httpx2 as httpx
import pytest

from tests.processes import PATIENCE, eventually

NOT_FOUND = "urn:sandbox-agent:error:not_found"
CONFLICT = "urn:sandbox-agent:error:conflict"
INVALID = "urn:sandbox-agent:error:invalid_request"


def create(http: httpx.Client, command: str, *args: str, **more: Any) -> dict[str, Any]:
    answer = http.post("/v1/processes", json={"command": command, "args": list(args), **more})
    assert answer.status_code == 200, answer.text
    created: dict[str, Any] = answer.json()
    return created


def info(http: httpx.Client, id: str) -> dict[str, Any]:
    found: dict[str, Any] = http.get(f"/v1/processes/{id}").json()
    return found


def exited(http: httpx.Client, id: str) -> dict[str, Any]:
    eventually(lambda: info(http, id)["status"] == "exited", f"the end of {id}")
    return info(http, id)


def output(http: httpx.Client, id: str, **query: Any) -> str:
    entries = http.get(f"/v1/processes/{id}/logs", params=query).json()["entries"]
    return b"".join(base64.b64decode(entry["data"]) for entry in entries).decode()


def assert_problem(answer: httpx.Response, status: int, type: str) -> dict[str, Any]:
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert (answer.status_code, body["type"]) == (status, type), body
    return body


def test_create_answers_with_what_was_started(http: httpx.Client) -> None:
    created = create(http, "sleep", "600", cwd="/", interactive=True)
    assert created.pop("id").startswith("proc_")
    assert created.pop("pid") > 1
    assert created.pop("createdAtMs") > 1_700_000_000_000
    assert created == {
        "command": "sleep",
        "args": ["600"],
        "cwd": "/",
        "tty": False,
        "interactive": True,
        "owner": "user",
        "status": "running",
        "restartPolicy": "never",
        "restarts": 0,
    }


def test_owner_in_a_request_and_unknown_fields_are_ignored(http: httpx.Client) -> None:
    created = create(http, "true", owner="system", nonsense=1)
    assert created["owner"] == "user"
    assert "cwd" not in created


def test_the_end_is_told_with_code_or_signal(http: httpx.Client) -> None:
    ended = exited(http, create(http, "sh", "-c", "exit 3")["id"])
    assert (ended["exitCode"], ended.get("signal"), ended.get("pid")) == (3, None, None)
    assert ended["exitedAtMs"] >= ended["createdAtMs"]
    killed = exited(http, create(http, "sh", "-c", "kill -KILL $$")["id"])
    assert ("exitCode" in killed, killed["signal"]) == (False, "SIGKILL")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"command": None}, 422),
        ({"command": 7}, 422),
        ({"command": "true", "args": None}, 422),
        ({"command": "true", "args": [1]}, 422),
        ({"command": "true", "env": None}, 422),
        ({"command": "true", "env": {"A": 1}}, 422),
        ({"command": "true", "tty": None}, 422),
        ({"command": "true", "restartPolicy": "sometimes"}, 422),
        ({"command": "  "}, 400),
        ({"command": "a\0b"}, 400),
        ({"command": "no-such-program"}, 502),
        ({"command": "true", "cwd": "/no/such/folder"}, 502),
        ({"command": "true", "cwd": None, "restartPolicy": None}, 200),
    ],
)
def test_what_can_be_wrong_with_a_create(http: httpx.Client, body: dict[str, Any], status: int) -> None:
    answer = http.post("/v1/processes", json=body)
    assert answer.status_code == status, answer.text
    if status != 200:
        assert answer.headers["content-type"] == "application/problem+json"


def test_a_start_that_fails_names_the_wrong_part(http: httpx.Client) -> None:
    wrong_command = assert_problem(
        http.post("/v1/processes", json={"command": "no-such-program"}), 502, "urn:sandbox-agent:error:stream_error"
    )
    wrong_folder = http.post("/v1/processes", json={"command": "true", "cwd": "/no/such/folder"}).json()
    assert wrong_command["details"]["message"] == wrong_command["detail"]
    assert "working directory" in wrong_folder["detail"]
    assert "working directory" not in wrong_command["detail"]


def test_list_in_order_and_by_owner(http: httpx.Client) -> None:
    ids = [create(http, "true")["id"] for _ in range(11)]
    listed = [process["id"] for process in http.get("/v1/processes").json()["processes"]]
    assert [id for id in listed if id in ids] == ids
    assert set(ids) <= {process["id"] for process in http.get("/v1/processes?owner=user").json()["processes"]}
    assert http.get("/v1/processes?owner=system").json() == {"processes": []}
    assert_problem(http.get("/v1/processes?owner=root"), 400, INVALID)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "", None),
        ("DELETE", "", None),
        ("POST", "/stop", None),
        ("POST", "/kill", None),
        ("POST", "/input", {"data": ""}),
        ("POST", "/terminal/resize", {"cols": 1, "rows": 1}),
        ("GET", "/logs", None),
        ("GET", "/logs?follow=true", None),
    ],
)
def test_an_unknown_process_is_not_found(http: httpx.Client, method: str, path: str, body: Any) -> None:
    problem = assert_problem(http.request(method, f"/v1/processes/proc_0{path}", json=body), 404, NOT_FOUND)
    assert problem["details"] == {"resource": "process", "id": "proc_0"}
    assert problem["detail"] == "not found: process proc_0"


def test_delete_takes_an_ended_process_only(http: httpx.Client) -> None:
    id = create(http, "sleep", "600")["id"]
    assert_problem(http.delete(f"/v1/processes/{id}"), 409, CONFLICT)
    http.post(f"/v1/processes/{id}/kill")
    answer = http.delete(f"/v1/processes/{id}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert_problem(http.get(f"/v1/processes/{id}"), 404, NOT_FOUND)


def test_stop_waits_for_the_end_and_is_fine_twice(http: httpx.Client) -> None:
    id = create(http, "sleep", "600")["id"]
    for _ in range(2):
        stopped = http.post(f"/v1/processes/{id}/stop").json()
        assert (stopped["status"], stopped["signal"]) == ("exited", "SIGTERM")


def test_one_that_ignores_sigterm_outlives_stop_and_not_kill(http: httpx.Client) -> None:
    id = create(http, "sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done")["id"]
    eventually(lambda: output(http, id), "ready")
    assert http.post(f"/v1/processes/{id}/stop?waitMs=200").json()["status"] == "running"
    assert http.post(f"/v1/processes/{id}/kill?waitMs=10000").json()["signal"] == "SIGKILL"


@pytest.mark.parametrize("query", ["waitMs=-1", "waitMs=x", "waitMs=1.5", "waitMs=99999999999999999999999"])
def test_a_bad_wait_is_a_bad_query(http: httpx.Client, query: str) -> None:
    id = create(http, "true")["id"]
    assert_problem(http.post(f"/v1/processes/{id}/stop?{query}"), 400, INVALID)


def test_input_in_every_encoding(http: httpx.Client) -> None:
    id = create(http, "cat")["id"]
    for body, size in [
        ({"data": base64.b64encode(b"\xffbase64\n").decode()}, 8),
        ({"data": "utf8 ä\n", "encoding": "utf8"}, 8),
        ({"data": "text\n", "encoding": "text"}, 5),
        ({"data": "", "encoding": None}, 0),
    ]:
        assert http.post(f"/v1/processes/{id}/input", json=body).json() == {"bytesWritten": size}
    eventually(lambda: "text" in _raw(http, id).decode(errors="replace"), "the echo")
    assert _raw(http, id) == b"\xffbase64\nutf8 \xc3\xa4\ntext\n"


def _raw(http: httpx.Client, id: str) -> bytes:
    entries = http.get(f"/v1/processes/{id}/logs").json()["entries"]
    return b"".join(base64.b64decode(entry["data"]) for entry in entries)


def test_what_can_be_wrong_with_input(http: httpx.Client) -> None:
    id = create(http, "cat")["id"]
    path = f"/v1/processes/{id}/input"
    assert_problem(http.post(path, json={"data": "not base64!"}), 400, INVALID)
    assert_problem(http.post(path, json={"data": "x", "encoding": "latin1"}), 400, INVALID)
    too_much = assert_problem(http.post(path, json={"data": "x" * 70_000, "encoding": "text"}), 413, INVALID)
    assert too_much["title"] == "Payload Too Large"
    http.post(f"/v1/processes/{id}/kill")
    assert_problem(http.post(path, json={"data": ""}), 409, CONFLICT)


def test_run_gives_output_and_code(http: httpx.Client) -> None:
    ran = http.post(
        "/v1/processes/run",
        json={"command": "sh", "args": ["-c", 'pwd; echo "$A" >&2; cat; exit 5'], "cwd": "/usr", "env": {"A": "b"}},
    ).json()
    assert ran.pop("durationMs") >= 0
    assert ran == {
        "exitCode": 5,
        "timedOut": False,
        "stdout": "/usr\n",
        "stderr": "b\n",
        "stdoutTruncated": False,
        "stderrTruncated": False,
    }


def test_run_mends_invalid_utf8(http: httpx.Client) -> None:
    ran = http.post("/v1/processes/run", json={"command": "printf", "args": [r"a\377b\303"]}).json()
    assert ran["stdout"] == "a\ufffdb\ufffd"


def test_run_truncates_each_stream_by_itself(http: httpx.Client) -> None:
    script = "head -c 5000 /dev/zero | tr '\\0' x; echo short >&2"
    ran = http.post("/v1/processes/run", json={"command": "sh", "args": ["-c", script], "maxOutputBytes": 100}).json()
    assert (ran["stdout"], ran["stdoutTruncated"]) == ("x" * 100, True)
    assert (ran["stderr"], ran["stderrTruncated"]) == ("short\n", False)


def test_run_that_is_killed_or_late_has_a_null_code(http: httpx.Client) -> None:
    killed = http.post("/v1/processes/run", json={"command": "sh", "args": ["-c", "kill -9 $$"]}).json()
    assert (killed["exitCode"], killed["timedOut"]) == (None, False)
    late = http.post("/v1/processes/run", json={"command": "sleep", "args": ["600"], "timeoutMs": 100}).json()
    assert (late["exitCode"], late["timedOut"]) == (None, True)


def test_run_leaves_no_record_and_no_number(http: httpx.Client) -> None:
    before = http.get("/v1/processes").json()
    http.post("/v1/processes/run", json={"command": "true"})
    assert http.get("/v1/processes").json() == before


def test_run_refuses_what_cannot_be_run(http: httpx.Client) -> None:
    assert http.post("/v1/processes/run", json={"command": "no-such-program"}).status_code == 502
    assert http.post("/v1/processes/run", json={"command": ""}).status_code == 400
    assert http.post("/v1/processes/run", json={"command": "true", "timeoutMs": -1}).status_code == 422
    assert http.post("/v1/processes/run", json={"command": "true", "args": None}).status_code == 422


def test_config_is_read_set_and_checked(http: httpx.Client) -> None:
    config = http.get("/v1/processes/config").json()
    assert config == {
        "maxConcurrentProcesses": 64,
        "defaultRunTimeoutMs": 30000,
        "maxRunTimeoutMs": 300000,
        "maxOutputBytes": 1048576,
        "maxLogBytesPerProcess": 10485760,
        "maxInputBytesPerRequest": 65536,
    }
    try:
        stored = http.post("/v1/processes/config", json={**config, "maxRunTimeoutMs": 200}).json()
        assert stored == {**config, "maxRunTimeoutMs": 200, "defaultRunTimeoutMs": 200}
        assert http.get("/v1/processes/config").json() == stored
        late = http.post("/v1/processes/run", json={"command": "sleep", "args": ["600"], "timeoutMs": 60000}).json()
        assert late["timedOut"]
        assert_problem(http.post("/v1/processes/config", json={**config, "maxOutputBytes": 0}), 400, INVALID)
        assert http.post("/v1/processes/config", json={"maxOutputBytes": 1}).status_code == 422
    finally:
        http.post("/v1/processes/config", json=config)


def test_the_limit_of_running_processes_is_a_conflict(http: httpx.Client) -> None:
    config = http.get("/v1/processes/config").json()
    running = sum(one["status"] == "running" for one in http.get("/v1/processes").json()["processes"])
    try:
        http.post("/v1/processes/config", json={**config, "maxConcurrentProcesses": running + 1})
        id = create(http, "sleep", "600")["id"]
        refused = http.post("/v1/processes", json={"command": "true"})
        assert_problem(refused, 409, CONFLICT)
        assert refused.json()["detail"] == f"conflict: max concurrent process limit reached ({running + 1})"
        assert http.post("/v1/processes/run", json={"command": "true"}).json()["exitCode"] == 0
        http.post(f"/v1/processes/{id}/kill")
        create(http, "true")
    finally:
        http.post("/v1/processes/config", json=config)


def test_a_restart_policy_is_shown_and_keeps_the_id(http: httpx.Client) -> None:
    id = create(http, "sh", "-c", "echo again; exit 1", restartPolicy="on-failure")["id"]
    eventually(lambda: info(http, id)["restarts"] >= 2, "two restarts")
    eventually(lambda: output(http, id).count("again") >= 3, "the output of three lives")
    stopped = http.post(f"/v1/processes/{id}/stop").json()
    assert (stopped["status"], stopped["restartPolicy"]) == ("exited", "on-failure")
    assert http.delete(f"/v1/processes/{id}").status_code == 204


def test_children_get_a_clean_environment(http: httpx.Client) -> None:
    ran = http.post("/v1/processes/run", json={"command": "env", "env": {"MINE": "1"}}).json()
    names = {line.partition("=")[0] for line in ran["stdout"].splitlines()}
    assert {"PATH", "HOME", "LANG", "MINE"} <= names
    assert not [name for name in names if name.startswith("BELLJAR_") or name == "DISPLAY"]


@pytest.mark.parametrize("path", ["run", "config"])
def test_reserved_words_are_not_ids(http: httpx.Client, path: str) -> None:
    answer = http.delete(f"/v1/processes/{path}")
    assert answer.status_code == 405
    assert "POST" in answer.headers["allow"]


def test_stop_ends_a_shell_at_a_terminal(http: httpx.Client) -> None:
    id = create(http, "bash", "-i", tty=True)["id"]
    eventually(lambda: output(http, id), "the prompt")
    assert http.post(f"/v1/processes/{id}/stop?waitMs=10000").json()["status"] == "exited"


def test_resize_takes_a_running_terminal_only(http: httpx.Client) -> None:
    plain = create(http, "sleep", "600")["id"]
    assert_problem(http.post(f"/v1/processes/{plain}/terminal/resize", json={"cols": 1, "rows": 1}), 409, CONFLICT)
    terminal = create(http, "sh", tty=True)["id"]
    path = f"/v1/processes/{terminal}/terminal/resize"
    assert http.post(path, json={"cols": 0, "rows": 0}).json() == {"cols": 0, "rows": 0}
    assert http.post(path, json={"cols": 132, "rows": 50}).json() == {"cols": 132, "rows": 50}
    http.post(f"/v1/processes/{terminal}/input", json={"data": "stty size\n", "encoding": "text"})
    eventually(lambda: "50 132" in output(http, terminal), "the new size")
    assert http.post(path, json={"cols": 65536, "rows": 1}).status_code == 422
    http.post(f"/v1/processes/{terminal}/kill")
    assert_problem(http.post(path, json={"cols": 1, "rows": 1}), 409, CONFLICT)


def test_a_plain_request_to_the_terminal_is_refused(http: httpx.Client) -> None:
    id = create(http, "sh", tty=True)["id"]
    answer = http.get(f"/v1/processes/{id}/terminal/ws", timeout=PATIENCE)
    assert_problem(answer, 400, "urn:belljar:error:websocket_required")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("", {"command": "true", "tty": "yes"}),
        ("", {"command": 5}),
        ("/run", {"command": "true", "timeoutMs": "500"}),
        ("/run", {"command": "true", "timeoutMs": 5.5}),
        ("/run", {"command": "true", "maxOutputBytes": True}),
        ("/run", []),
        ("/none/terminal/resize", {"cols": "80", "rows": 24}),
        ("/config", "text"),
    ],
)
def test_what_is_of_another_type_is_not_taken_for_it(http: httpx.Client, path: str, body: Any) -> None:
    answer = http.post(f"/v1/processes{path}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "validation_failed")
