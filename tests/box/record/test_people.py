"""What people do, as the record has it: who watches, what they press, who holds control, what an agent asks them."""

from collections.abc import Iterator

import httpx2 as httpx
import pytest

from tests.box.live.client import token_for, watching
from tests.box.record.recorded import Recorded
from tests.servers import RunningBox, running_box

ANN = {"kind": "viewer", "via": "live", "id": "ann"}
PAGE = "data:text/html,<input autofocus style='position:fixed;left:0;top:0;width:300px;height:200px'>"
SECRET = "hunter2-Zq9"


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--control-ttl", "1") as box, box.client() as http:
        assert http.post("/v1/browser/start", json={"headless": True, "url": PAGE}).status_code == 200
        yield box


@pytest.fixture
def http(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        client.post("/v1/control", json={"action": "release", "force": True}).raise_for_status()
        yield client


def test_who_watches_comes_and_goes_by_name(box: RunningBox, http: httpx.Client) -> None:
    tokens = {name: token_for(box, role, name=name) for name, role in (("ann", "drive"), ("bob", "view"))}
    seen = Recorded(http)
    with watching(box, token=tokens["ann"]) as ann:
        ann.event("ready")
        with watching(box, token=tokens["bob"]) as bob:
            bob.event("ready")
        seen.one("viewer", "left")
    found = seen.until("viewer", lambda events: len(events) == 4)
    assert [(one["name"], one["actor"]["id"]) for one in found] == [
        ("came", "ann"),
        ("came", "bob"),
        ("left", "bob"),
        ("left", "ann"),
    ]
    assert found[0]["actor"] == ANN and found[0]["data"]["role"] == "drive" and found[1]["data"]["role"] == "view"
    assert found[0]["data"]["viewer"] == found[3]["data"]["viewer"] != found[1]["data"]["viewer"]
    assert found[3]["data"]["seconds"] >= 0 and found[3]["data"]["frames"] >= 0


def test_each_press_is_an_event_and_moves_are_put_together(box: RunningBox, http: httpx.Client) -> None:
    tab = http.get("/v1/browser/tabs").json()["tabs"][0]["id"]
    token = token_for(box, "drive", name="ann")
    seen = Recorded(http)
    with watching(box, token=token) as ann:
        ann.event("ready")
        ann.frame()
        for n in range(40):
            ann.mouse("move", n, n)
        for _ in range(3):
            ann.mouse("down", 50, 60, button="left", modifiers=8)
            ann.mouse("up", 50, 60, button="left")
        ann.mouse("wheel", 50, 60, deltaY=50)
        ann.mouse("wheel", 50, 60, deltaY=70)
        ann.key("keydown", "Enter", "Enter")
        ann.key("keyup", "Enter", "Enter")
        found = seen.until("input", lambda events: events[-1:] != [] and events[-1]["name"] == "key.up")
    moves = [one for one in found if one["name"] == "mouse.move"]
    turns = [one for one in found if one["name"] == "mouse.wheel"]
    rest = [one for one in found if one not in moves and one not in turns]
    presses = ["mouse.down", "mouse.up"] * 3
    # A machine that is busy makes more than one of them, each of what came in its time.
    assert found == [*moves, *rest[:6], *turns, *rest[6:]]
    assert [one["name"] for one in rest] == [*presses, "key.down", "key.up"]
    assert all(one["actor"] == ANN and one["tabId"] == tab for one in found)
    assert sum(one["data"]["count"] for one in moves) == 40 > 2 * len(moves)
    assert moves[-1]["data"] | {"count": 0} == {"x": 39, "y": 39, "count": 0}
    assert rest[0]["data"] == {"x": 50, "y": 60, "button": "left", "clicks": 1, "modifiers": 8}
    assert sum(one["data"]["count"] for one in turns) == 2 and sum(one["data"]["deltaY"] for one in turns) == 120
    assert rest[6]["data"] == {"key": "Enter", "modifiers": 0}


def test_a_last_move_is_told_without_waiting_for_another(box: RunningBox, http: httpx.Client) -> None:
    seen = Recorded(http)
    with watching(box) as someone:
        someone.event("ready")
        someone.frame()
        someone.mouse("move", 7, 8)
        assert seen.one("input", "mouse.move")["data"] == {"x": 7, "y": 8, "count": 1}


@pytest.mark.parametrize("level", ["actions", "content"])
def test_what_a_person_types_is_told_at_no_level(level: str) -> None:
    with running_box("--record", level) as box, box.client() as http:
        assert http.post("/v1/browser/start", json={"headless": True, "url": PAGE}).status_code == 200
        seen = Recorded(http)
        with watching(box) as someone:
            someone.event("ready")
            someone.frame()
            for char in SECRET:
                someone.key("keydown", char, f"Key{char.upper()}", text=char)
                someone.key("keyup", char, f"Key{char.upper()}")
            someone.key("keydown", SECRET, SECRET)
            someone.key("char", text=SECRET)
            someone.key("compose", text=SECRET)
            found = seen.until("input", lambda events: events[-1:] != [] and events[-1]["name"] == "text")
        assert len(found) == 2 * len(SECRET) + 2
        assert {str(one["data"]["key"]) for one in found if one["name"] == "key.down"} == {"{'length': 1}"}
        assert found[-1]["data"] == {"length": len(SECRET)}
        written = str(seen.events())
        assert SECRET not in written and "KeyH" not in written


def test_input_that_was_refused_did_not_happen(box: RunningBox, http: httpx.Client) -> None:
    tokens = {name: token_for(box, role, name=name) for name, role in (("ann", "drive"), ("bob", "view"))}
    seen = Recorded(http)
    with watching(box, token=tokens["bob"]) as bob:
        bob.event("ready")
        bob.mouse("down", 5, 5, button="left")
        bob.event("error")
    http.post("/v1/control", json={"action": "take"}).raise_for_status()
    with watching(box, token=tokens["ann"]) as ann:
        ann.event("ready")
        ann.mouse("down", 5, 5, button="left")
        ann.event("error")
    assert seen.events("input") == []


def test_control_says_who_moved_it_and_how(box: RunningBox, http: httpx.Client) -> None:
    token = token_for(box, "drive", name="ann")
    seen = Recorded(http)
    with watching(box, token=token) as ann:
        id = ann.event("ready")["viewer"]
        taking = http.post("/v1/control", json={"action": "take"})
        ann.call("control.take")
        assert http.post("/v1/control", json={"action": "request"}).status_code == 200
        ann.call("control.give", to="agent")
        http.post("/v1/control", json={"action": "release"}).raise_for_status()
        ann.call("control.take")
        http.post("/v1/control", json={"action": "release", "force": True}).raise_for_status()
        ann.call("control.take")
        ann.call("control.release")
        # A second take of what one holds moves nothing.
        ann.call("control.take")
        ann.call("control.take")
        found = seen.until("control", lambda events: events[-1]["name"] == "expired")
    agent = {"kind": "agent", "via": "rest", "id": "operator"}
    operator = {"kind": "operator", "via": "rest", "id": "operator"}
    assert [(one["name"], one["actor"], one["data"]["before"], one["data"]["holder"]) for one in found] == [
        ("taken", agent, "none", "agent"),
        ("taken", ANN, "agent", "viewer"),
        ("requested", agent, "viewer", "viewer"),
        ("given", ANN, "viewer", "agent"),
        ("released", agent, "agent", "none"),
        ("taken", ANN, "none", "viewer"),
        ("ended", operator, "viewer", "none"),
        ("taken", ANN, "none", "viewer"),
        ("released", ANN, "viewer", "none"),
        ("taken", ANN, "none", "viewer"),
        ("expired", {"kind": "system"}, "viewer", "none"),
    ]
    assert found[0]["requestId"] == taking.headers["x-request-id"]
    assert found[1]["data"]["viewer"] == id


def test_a_question_is_asked_and_answered_without_its_words(box: RunningBox, http: httpx.Client) -> None:
    token = token_for(box, "drive", name="ann")
    seen = Recorded(http)
    http.post("/v1/control", json={"action": "ask", "question": f"The code {SECRET}?"}).raise_for_status()
    http.post("/v1/control", json={"action": "ask"}).raise_for_status()
    http.post("/v1/control", json={"action": "ask"}).raise_for_status()
    asking = http.post("/v1/control", json={"action": "ask", "question": f"Sign in as {SECRET}"})
    with watching(box, token=token) as ann:
        ann.event("ready")
        ann.call("control.take")
        ann.call("control.release")
        found = seen.events("ask")
        order = [(one["kind"], one["name"]) for one in seen.events("ask,control")]
    assert [(one["name"], one["actor"]["kind"]) for one in found] == [
        ("asked", "agent"),
        ("withdrawn", "agent"),
        ("asked", "agent"),
        ("answered", "viewer"),
    ]
    assert found[2]["requestId"] == asking.headers["x-request-id"]
    assert found[2]["data"] == {"question": {"length": len(f"Sign in as {SECRET}")}}
    assert found[3]["actor"] == ANN
    assert order[-3:] == [("control", "taken"), ("control", "released"), ("ask", "answered")]
    assert SECRET not in str(seen.events())


def test_who_may_only_watch_reads_who_came_but_not_what_they_pressed(box: RunningBox, http: httpx.Client) -> None:
    token = token_for(box, "view", name="bob")
    seen = Recorded(http)
    with watching(box) as someone:
        someone.event("ready")
        someone.frame()
        someone.mouse("down", 5, 5, button="left")
        seen.one("input", "mouse.down")
    with httpx.Client(base_url=box.url, headers={"Authorization": f"Bearer {token}"}) as bob:
        answer = bob.get("/v1/events", params={"since": seen.since})
        found = answer.json()["events"]
    assert answer.status_code == 200
    assert {one["kind"] for one in found} == {"viewer"}
