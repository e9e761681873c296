"""A session's record: while it runs and after, on any host, vouched for, and for nobody else."""

import io
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import msgspec
import pytest

from belljar.record.chain import open_files, verify
from belljar.record.segments import segments
from belljar.sdk import Belljar
from belljar.tokens import cookie_name
from tests.plane.plane import PATIENCE, RunningPlane, running_plane, state_folder
from tests.plane.postgres import Postgres
from tests.plane.receiver import running_receiver
from tests.plane.test_leavings import film_something
from tests.plane.test_two_planes import free_port, two_planes


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--webhook-network", "127.0.0.0/8") as running:
        yield running


def use(plane: RunningPlane, session: dict[str, Any], times: int = 3) -> None:
    headers = {"Authorization": f"Bearer {session['token']}"}
    with httpx.Client(base_url=f"{plane.url}/s/{session['id']}", headers=headers, timeout=PATIENCE) as box:
        for _ in range(times):
            assert box.post("/v1/processes/run", json={"command": "true"}).status_code == 200


def end(plane: RunningPlane, session: dict[str, Any]) -> None:
    with plane.client() as client:
        assert client.delete(f"/api/sessions/{session['id']}").json()["state"] == "stopped"


def record(plane: RunningPlane, session: dict[str, Any], **query: Any) -> dict[str, Any]:
    with plane.client() as client:
        answer = client.get(f"/api/sessions/{session['id']}/record", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def belljar(plane: RunningPlane, *words: object) -> subprocess.CompletedProcess[str]:
    environment = {"BELLJAR_TOKEN": plane.key, "BELLJAR_URL": plane.url, "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "belljar", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=environment)


def kept(plane: RunningPlane, session: dict[str, Any]) -> Path:
    return plane.state_dir / "kept" / str(session["sandboxId"]) / "record"


def test_what_happened_is_read_while_a_session_runs_and_after(plane: RunningPlane) -> None:
    session = plane.create()
    use(plane, session)
    running = record(plane, session, kinds="call")
    assert [one["name"] for one in running["events"]] == ["runProcess.begin", "runProcess.end"] * 3
    end(plane, session)
    over = record(plane, session)
    assert over["events"][-1]["name"] == "box.stopped"
    assert [one for one in over["events"] if one["kind"] == "call"] == running["events"]
    assert (over["oldest"], over["newest"], over["more"]) == (1, over["events"][-1]["seq"], False)
    page = record(plane, session, limit=2)
    assert page["more"]
    assert record(plane, session, since=page["cursor"])["events"] == over["events"][2:]


def test_a_follower_is_told_everything_once_until_the_session_is_over(plane: RunningPlane) -> None:
    session = plane.create()
    use(plane, session, 2)
    seen: list[int] = []
    listening = threading.Event()

    def follow(after: int) -> None:
        with Belljar(plane.url, plane.key) as jar:
            for event in jar.sessions.follow_record(session["id"], since=after):
                seen.append(event.seq)
                listening.set()

    follower = threading.Thread(target=follow, args=(0,))
    follower.start()
    assert listening.wait(PATIENCE)
    use(plane, session, 3)
    end(plane, session)
    follower.join(PATIENCE)
    assert not follower.is_alive()
    assert seen == [one["seq"] for one in record(plane, session, limit=1000)["events"]]
    # After a cut it goes on where it was.
    with plane.client() as client:
        at = f"/api/sessions/{session['id']}/record"
        rest = client.get(at, params={"follow": "true"}, headers={"Last-Event-ID": str(seen[-3])})
    assert [line for line in rest.text.splitlines() if line.startswith("id: ")] == [f"id: {one}" for one in seen[-2:]]


def test_an_export_is_whole_and_certified_and_the_database_knows_its_end(plane: RunningPlane) -> None:
    session = plane.create()
    use(plane, session)
    end(plane, session)
    events = record(plane, session)["events"]
    with plane.client() as client:
        at = f"/api/sessions/{session['id']}/record"
        lines = client.get(f"{at}/export", params={"format": "jsonl"})
        assert [msgspec.json.decode(line) for line in lines.content.splitlines()] == events
        archive = client.get(f"{at}/export")
        assert archive.headers["content-type"] == "application/zip"
        proof = client.get(f"{at}/proof").json()
        assert client.get("/api/record/key").json() == proof["installation"]
    assert proof["head"]["seq"] == events[-1]["seq"]
    assert proof["head"]["chain"] == events[-1]["chain"]
    with zipfile.ZipFile(io.BytesIO(archive.content)) as opened:
        assert opened.testzip() is None
    path = plane.state_dir / "export.zip"
    path.write_bytes(archive.content)
    found = belljar(plane, "events", "verify", path, "--key", proof["installation"]["publicKey"], "--json")
    verdict = msgspec.json.decode(found.stdout)
    assert (found.returncode, verdict["isKeyTrusted"], verdict["signed"]) == (0, True, events[-1]["seq"])


def test_whoever_changes_a_hosts_files_is_found_by_what_the_database_knows(plane: RunningPlane) -> None:
    session = plane.create()
    use(plane, session)
    end(plane, session)
    whole = belljar(plane, "events", "verify", session["id"])
    assert whole.returncode == 0, whole.stdout + whole.stderr
    assert "which you trust" in whole.stdout
    # The end is cut off with its heads: of that folder alone nobody could tell.
    folder = kept(plane, session)
    last = segments(folder)[-1].path
    lines = last.read_bytes().splitlines(keepends=True)
    last.write_bytes(b"".join(lines[:-2]))
    until_seq = msgspec.json.decode(lines[-3])["seq"]
    heads = (folder / "heads.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "heads.jsonl").write_bytes(b"".join(one for one in heads if msgspec.json.decode(one)["seq"] <= until_seq))
    with open_files(folder) as files:
        assert verify(files).is_whole
    cut = belljar(plane, "events", "verify", session["id"])
    assert cut.returncode == 1
    assert "missing" in cut.stdout


def test_others_sessions_and_tokens_of_a_session_open_no_record(plane: RunningPlane) -> None:
    session = plane.create()
    use(plane, session, 1)
    paths = [f"/api/sessions/{session['id']}/record{more}" for more in ("", "?follow=true", "/export", "/proof")]
    with plane.client(plane.new_key("bob")) as bob:
        assert [bob.get(path).status_code for path in paths] == [404] * 4
    with plane.client() as client:
        made = client.post(f"/api/sessions/{session['id']}/tokens", json={"role": "view", "ttl": 60}).json()
    for token in (session["token"], made["token"]):
        with plane.client(token) as holder:
            assert [holder.get(path).status_code for path in paths] == [401] * 4
    with httpx.Client(base_url=plane.url, timeout=PATIENCE) as nobody:
        assert [nobody.get(path).status_code for path in paths] == [401] * 4
    # Of the box itself whoever may only watch reads what a person before the screen could know.
    with plane.client(made["token"]) as viewer:
        told = viewer.get(f"/s/{session['id']}/v1/events").json()["events"]
        assert "call" not in {one["kind"] for one in told}
        assert viewer.get(f"/s/{session['id']}/v1/events/export").status_code == 403
    end(plane, session)


def test_tokens_of_a_session_that_is_over_open_nothing_of_its_record(plane: RunningPlane) -> None:
    """Not even what whoever watched could read while it ran; by whatever way a token can be brought, or its ticket."""
    session = plane.create()
    use(plane, session, 1)
    at, its = f"/api/sessions/{session['id']}", f"/s/{session['id']}/v1"
    with plane.client() as client:
        tokens = [session["token"]]
        for role in ("view", "drive"):
            tokens.append(client.post(f"{at}/tokens", json={"role": role, "ttl": 600}).json()["token"])
        with plane.client(tokens[1]) as viewer:
            assert viewer.get(f"{its}/events").status_code == 200, "while it runs"
            follower = viewer.build_request("GET", f"{its}/events", params={"follow": "true"})
            pieces = viewer.send(follower, stream=True).iter_raw()
            assert any(b"event: record" in piece for piece in pieces), "and while it is followed"
            end(plane, session)
            # Its stream ends with it.
            for _ in pieces:
                pass
        assert record(plane, session)["events"], "for its owner it is there"
    name = cookie_name(session["id"])
    picture = "0" * 64
    records = [f"{at}/record{more}" for more in ("", "?follow=true", "/export", "/proof", f"/pictures/{picture}")]
    boxes = [f"{its}/events{more}" for more in ("", "?follow=true", "/export", "/proof", f"/pictures/{picture}")]
    for token in tokens:
        # The box's address says that it is over to who could ask there; the record's asks for a key.
        ways: list[tuple[dict[str, Any], int]] = [
            ({"headers": {"Authorization": f"Bearer {token}"}}, 409),
            ({"headers": {"Cookie": f"{name}={token}"}}, 409),
            ({"params": {"token": token}, "headers": {"Accept": "text/event-stream"}}, 409),
            ({"params": {"token": token}}, 401),
            ({"params": {"ticket": token}}, 401),
        ]
        with httpx.Client(base_url=plane.url, timeout=PATIENCE) as anybody:
            for way, of_box in ways:
                assert {path: anybody.get(path, **way).status_code for path in records} == dict.fromkeys(records, 401)
                assert {path: anybody.get(path, **way).status_code for path in boxes} == dict.fromkeys(boxes, of_box)


def test_strange_questions_are_refused_and_a_session_without_a_box_has_no_record(plane: RunningPlane) -> None:
    session = plane.create()
    end(plane, session)
    at = f"/api/sessions/{session['id']}/record"
    with plane.client() as client:
        for query in ("kinds=x", "limit=0", "since=-1", "since=x"):
            assert client.get(f"{at}?{query}").is_client_error, query
        assert client.get(f"{at}/export?format=exe").is_client_error
        assert client.get("/api/sessions/none/record").status_code == 404
        (kept(plane, session) / "lock").unlink(missing_ok=True)
        for file in kept(plane, session).iterdir():
            file.unlink()
        kept(plane, session).rmdir()
        assert client.get(at).json()["events"] == []
        assert client.get(f"{at}/export").status_code == 404


def test_record_and_film_go_together() -> None:
    with state_folder() as state:
        with running_plane(state_dir=state) as plane, plane.client() as client:
            session = film_something(plane)
            at = f"/api/sessions/{session['id']}"
            client.delete(at)
            names = {one["name"] for one in record(plane, session, kinds="film")["events"]}
            assert names
            with zipfile.ZipFile(io.BytesIO(client.get(f"{at}/record/export").content)) as archive:
                assert archive.read("films/rec_1.mp4")[4:8] == b"ftyp"
                assert "record/heads.jsonl" in archive.namelist()
        with running_plane("--retain", "0", state_dir=state, key=plane.key) as later, later.client() as client:
            assert client.get(f"{at}/record").status_code == 404
            assert list((state / "kept").iterdir()) == []


def test_another_hosts_record_comes_through_its_control_plane_also_after_the_end(postgres: Postgres) -> None:
    port = free_port()
    here = ("--host-name", "here", "--port", str(port), "--peer-url", f"http://127.0.0.1:{port}")
    with two_planes(postgres, here, ("--host-name", "there")) as (one, two, _):
        session = one.create()
        use(one, session)
        assert len(record(two, session, kinds="call")["events"]) == 6
        end(one, session)
        assert record(two, session) == record(one, session)
        assert belljar(two, "events", "verify", session["id"]).returncode == 0


def test_a_question_of_the_agent_and_a_mark_are_told_to_a_webhook_once(plane: RunningPlane) -> None:
    with running_receiver() as receiver, plane.client() as client:
        webhook = client.post(
            "/api/webhooks", json={"url": receiver.url, "kinds": ["session.ask", "session.mark"]}
        ).json()
        session = plane.create(tags={"team": "web"})
        headers = {"Authorization": f"Bearer {session['token']}"}
        asked = client.post(
            f"/s/{session['id']}/v1/control", json={"action": "ask", "question": "May I?"}, headers=headers
        )
        assert asked.is_success, asked.text
        receiver.wait_for(1)
        mark = {"text": "look here, password=pLanTedwOrd Bearer pLanTedwOrd2"}
        assert client.post(f"/s/{session['id']}/v1/events/marks", json=mark, headers=headers).is_success
        # What nobody was told of when a session ends is told then.
        end(plane, session)
        receiver.wait_for(2)
        told = [one.json for one in receiver.received]
        assert [(one["type"], one["data"]["name"]) for one in told] == [
            ("session.ask", "asked"),
            ("session.mark", "mark"),
        ]
        assert told[1]["data"]["data"]["mark"].startswith("look here, password=[redacted]")
        assert b"pLanTed" not in receiver.received[1].body
        assert told[0]["data"]["tags"] == {"team": "web"}
        assert "May I?" not in receiver.received[0].body.decode(), "at the default level content stays in the box"
        client.delete(f"/api/webhooks/{webhook['id']}")
