"""A page asks for files: a person is told which, gives them from their own machine, or gives none."""

from typing import Any

import httpx2 as httpx
import pytest

from tests.box.live.client import LiveClient, token_for, watching
from tests.servers import RunningBox
from tests.site import Site


@pytest.fixture
def person(live: LiveClient, site: Site) -> LiveClient:
    live.call("control.take")
    live.call("navigate", url=site.url("live/files.html"))
    live.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
    return live


def click(live: LiveClient, y: float) -> None:
    live.mouse("move", 60, y)
    live.mouse("down", 60, y, button="left")
    live.mouse("up", 60, y, button="left")


def asked(live: LiveClient) -> dict[str, Any]:
    data = live.event("asks", lambda data: bool(data["asks"]))
    (ask,) = data["asks"]
    found: dict[str, Any] = ask
    return found


def send(
    box: RunningBox, key: str, files: list[tuple[str, bytes]], token: str | None = None, **fields: str
) -> httpx.Response:
    """As a viewer's page does, which says whose tool it is."""
    headers = {"Authorization": f"Bearer {token or box.token}", "Belljar-Viewer": key}
    parts = [("file", (name, content)) for name, content in files]
    return httpx.post(f"{box.url}/v1/browser/upload", headers=headers, data=fields, files=parts, timeout=20)


def got(live: LiveClient) -> list[Any]:
    seen: list[Any] = live.until_value("seen.filter((e) => e.type !== 'input')", bool)
    return [(one["type"], one["id"], one["files"]) for one in seen]


def test_a_person_is_told_what_the_page_wants_and_the_page_gets_their_file(box: RunningBox, person: LiveClient) -> None:
    key = person.event("ready")["key"]
    click(person, 35)
    ask = asked(person)
    assert (ask["kind"], ask["label"], ask["accept"], ask["multiple"]) == ("file", "Passport", "image/*,.pdf", False)
    assert send(box, key, [("me.png", b"face"), ("you.png", b"face")]).json()["code"] == "invalid_request"
    click(person, 35)
    asked(person)
    assert send(box, key, [("me.png", b"face")]).status_code == 200
    person.event("asks", lambda data: data["asks"] == [])
    assert got(person) == [("change", "one", [["me.png", "face"]])]


def test_several_files_and_a_field_behind_a_button(box: RunningBox, person: LiveClient) -> None:
    key = person.event("ready")["key"]
    click(person, 85)
    assert (asked(person)["multiple"], send(box, key, [("a", b"1"), ("b", b"2")]).status_code) == (True, 200)
    assert got(person) == [("change", "many", [["a", "1"], ["b", "2"]])]
    person.value("seen.length = 0")
    click(person, 135)
    asked(person)
    assert send(box, key, [("c.txt", b"3")]).status_code == 200
    assert got(person) == [("change", "hidden", [["c.txt", "3"]])]


def test_files_for_one_question_never_answer_another(box: RunningBox, person: LiveClient, site: Site) -> None:
    key = person.event("ready")["key"]
    click(person, 35)
    first = asked(person)
    click(person, 135)
    second = person.event("asks", lambda data: [ask["id"] for ask in data["asks"]] not in ([], [first["id"]]))["asks"][
        0
    ]
    secret = [("passport.png", b"face")]
    assert send(box, key, secret, ask=first["id"]).json()["code"] == "ask_not_found"
    with httpx.Client(base_url=box.url, headers={"Authorization": f"Bearer {box.token}"}, timeout=20) as http:
        person.call("control.release")
        uploads = http.get("/v1/browser/status").json()["directories"]["uploads"]
        found = http.post("/v1/processes/run", json={"command": "find", "args": [uploads]}).json()
        person.call("control.take")
    assert uploads in found["stdout"] and "passport.png" not in found["stdout"], (
        "no program finds what nobody was given"
    )
    assert send(box, key, secret, ask=second["id"], selector="#one").json()["code"] == "invalid_request"
    assert person.value("[...document.querySelectorAll('input')].every((one) => !one.files.length)")
    assert send(box, key, [("c.txt", b"3")], ask=second["id"]).status_code == 200
    assert got(person) == [("change", "hidden", [["c.txt", "3"]])]
    person.call("navigate", url=site.url("live/files.html"))
    person.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
    click(person, 35)
    asked(person)
    assert send(box, key, secret, ask=second["id"]).json()["code"] == "ask_not_found"
    assert person.value("one.files.length") == 0


def test_who_gives_none_closes_it_and_the_page_is_told(person: LiveClient) -> None:
    click(person, 135)
    ask = asked(person)
    assert person.refused("answer", id=ask["id"], value="x")["code"] == "invalid_request"
    person.call("answer", id=ask["id"], cancel=True)
    person.event("asks", lambda data: data["asks"] == [])
    assert got(person) == [("cancel", "hidden", [])]
    assert person.refused("answer", id=ask["id"], cancel=True)["code"] == "ask_not_found"


def test_only_who_has_control_gives_files(box: RunningBox, person: LiveClient) -> None:
    click(person, 35)
    asked(person)
    token = token_for(box, "drive")
    with watching(box, token=token) as other:
        ready = other.event("ready")
        assert [ask["kind"] for ask in ready["asks"]] == ["file"]
        assert send(box, ready["key"], [("a", b"1")], token).json()["code"] == "control_held"
    with watching(box, token=token_for(box, "view")) as other:
        assert [ask["kind"] for ask in other.event("ready")["asks"]] == ["file"]
    assert send(box, "", [("a", b"1")], token_for(box, "view")).json()["code"] == "forbidden"
    assert person.value("one.files.length") == 0


def test_an_agents_own_chooser_is_seen_and_the_agent_answers_it(
    box: RunningBox, person: LiveClient, api: httpx.Client
) -> None:
    person.call("control.release")
    assert api.post("/v1/browser/click", json={"selector": "#pretty"}).json()["fileChooser"] == {"multiple": False}
    assert asked(person)["kind"] == "file"
    given = api.post("/v1/browser/upload", files={"file": ("agent.txt", b"mine")})
    assert given.status_code == 200
    person.event("asks", lambda data: data["asks"] == [])
    assert got(person) == [("change", "hidden", [["agent.txt", "mine"]])]


def test_a_page_that_asks_again_and_again_is_told_of_now_and_then(person: LiveClient) -> None:
    person.call(
        "evaluate",
        expression="pretty.onclick = () => { const again = setInterval(() => hidden.click(), 1);"
        " setTimeout(() => clearInterval(again), 1500) }; 1",
    )
    click(person, 135)
    asked(person)
    person.value("new Promise((done) => setTimeout(() => done(true), 1700))")
    told = 0
    while person.kept("asks", lambda data: True):
        told += 1
    assert told < 60
    person.value("pretty.onclick = () => hidden.click(); 1")
    click(person, 135)
    last = asked(person)
    person.call("answer", id=last["id"], cancel=True)
