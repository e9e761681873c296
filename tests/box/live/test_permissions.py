"""A page wants to be allowed something, or printed: a person who has control is asked, and only their answer counts."""

from typing import Any

import httpx2 as httpx
import pytest

from tests.box.live.client import LiveClient, token_for, watching
from tests.servers import RunningBox
from tests.site import Site

PAGE = "live/permissions.html"
PARIS = {"latitude": 48.85, "longitude": 2.35, "accuracy": 20}
# Codes of GeolocationPositionError.
DENIED = 1


@pytest.fixture(autouse=True)
def nothing_was_answered(box: RunningBox) -> None:
    """What people answered is forgotten with Chromium."""
    with box.client() as client:
        client.post("/v1/control", json={"action": "release", "force": True}).raise_for_status()
        client.post("/v1/browser/stop").raise_for_status()
        client.post("/v1/browser/start", json={"headless": True}).raise_for_status()


@pytest.fixture
def person(live: LiveClient, site: Site) -> LiveClient:
    live.call("control.take")
    live.call("navigate", url=site.url(PAGE))
    return live


def asked(live: LiveClient, permission: str) -> dict[str, Any]:
    data = live.event("asks", lambda data: any(ask.get("permission") == permission for ask in data["asks"]))
    found: dict[str, Any] = next(ask for ask in data["asks"] if ask.get("permission") == permission)
    return found


def answer(live: LiveClient, ask: dict[str, Any], **given: Any) -> None:
    live.call("answer", id=ask["id"], tabId=ask["tabId"], **given)


def seen(live: LiveClient, count: int = 1) -> Any:
    return live.until_value("seen", lambda found: len(found) == count)


def test_a_person_says_where_the_browser_is_and_the_page_is_told(person: LiveClient, site: Site) -> None:
    person.value("where()")
    ask = asked(person, "geolocation")
    assert (ask["kind"], ask["origin"], ask["site"]) == ("permission", site.origin(), site.origin())
    assert ask["positionNeeded"] is True
    assert person.refused("answer", id=ask["id"], decision="once")["code"] == "invalid_request"
    answer(person, ask, decision="once", position=PARIS)
    assert seen(person) == [["geolocation", 48.85, 2.35]]
    person.event("asks", lambda data: data["asks"] == [])
    # Once is until the tab shows something else.
    person.call("navigate", url=site.url(PAGE))
    person.value("where()")
    answer(person, asked(person, "geolocation"), decision="deny")
    assert seen(person) == [["geolocation", DENIED]]


def test_what_is_allowed_for_a_site_is_not_asked_again(person: LiveClient, site: Site) -> None:
    person.call("navigate", url=site.url(PAGE, host=1))
    person.value("where()")
    answer(person, asked(person, "geolocation"), decision="site", position=PARIS)
    assert seen(person) == [["geolocation", 48.85, 2.35]]
    person.call("navigate", url=site.url("second.html"))
    person.call("navigate", url=site.url(PAGE, host=1))
    person.value("where()")
    assert seen(person) == [["geolocation", 48.85, 2.35]]


def test_without_a_person_in_control_it_is_denied_at_once(live: LiveClient, site: Site, api: httpx.Client) -> None:
    live.call("navigate", url=site.url(PAGE))
    assert live.value("navigator.geolocation.getCurrentPosition.toString().includes('native')") is True
    live.value("where()")
    assert seen(live) == [["geolocation", DENIED]]
    assert api.get("/v1/browser/asks").json() == {"asks": []}


def test_a_person_who_leaves_answers_nothing_and_may_be_asked_when_back(person: LiveClient) -> None:
    person.value("where()")
    asked(person, "geolocation")
    person.call("control.release")
    assert seen(person) == [["geolocation", DENIED]]
    person.event("asks", lambda data: data["asks"] == [])
    person.call("control.take")
    person.value("where()")
    answer(person, asked(person, "geolocation"), decision="once", position=PARIS)
    assert seen(person, 2)[1] == ["geolocation", 48.85, 2.35]


def test_a_page_that_was_there_before_the_person_came_asks_too(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url(PAGE))
    live.call("control.take")
    live.value("void midi()")
    ask = asked(live, "midi")
    answer(live, ask, cancel=True)
    assert seen(live) == [["midi", "NotAllowedError"]]


def test_a_flood_of_questions_is_one_question_and_a_count(person: LiveClient, api: httpx.Client) -> None:
    person.value("for (let i = 0; i < 2000; i++) where(); 0")
    person.value("for (let i = 0; i < 200; i++) { midi(); camera() } 0")
    person.event("asks", lambda data: data["asks"] and data["asks"][0].get("waiting") == 2)
    (ask,) = api.get("/v1/browser/asks").json()["asks"]
    assert (ask["permission"], ask["waiting"]) == ("geolocation", 2)
    answer(person, ask, decision="deny")
    person.until_value("seen.filter(([name]) => name === 'geolocation').length", lambda count: count == 2000)
    (ask,) = api.get("/v1/browser/asks").json()["asks"]
    assert (ask["permission"], ask["waiting"]) == ("midi", 1)


def test_a_site_that_was_refused_three_times_is_not_heard_again(person: LiveClient, site: Site) -> None:
    for _ in range(3):
        person.call("navigate", url=site.url(PAGE, host=2))
        person.value("where()")
        answer(person, asked(person, "geolocation"), decision="deny")
        assert seen(person) == [["geolocation", DENIED]]
    person.call("navigate", url=site.url(PAGE, host=2))
    person.value("where()")
    assert seen(person) == [["geolocation", DENIED]]


def test_a_frame_is_named_and_its_question_goes_with_it(person: LiveClient, site: Site, api: httpx.Client) -> None:
    address = site.url("live/permissions_frame.html", host=1)
    person.value(f"addFrame({address!r})")
    ask = asked(person, "geolocation")
    assert (ask["origin"], ask["site"]) == (site.origin(1), site.origin())
    person.value("document.querySelector('iframe').remove()")
    person.event("asks", lambda data: data["asks"] == [])
    assert person.refused("answer", id=ask["id"], decision="once", position=PARIS)["code"] == "ask_not_found"
    # Nothing was allowed by it.
    assert person.value("navigator.permissions.query({ name: 'geolocation' }).then((s) => s.state)") == "prompt"


def test_a_hostile_page_cannot_allow_itself_anything(person: LiveClient, api: httpx.Client) -> None:
    assert person.value("typeof belljarAsks") == "undefined"
    person.value("where()")
    ask = asked(person, "geolocation")
    person.value(
        "Object.defineProperty(PermissionStatus.prototype, 'state', { get: () => 'granted' });"
        "where();"
        "navigator.permissions.query({ name: 'geolocation' }).then((s) => s.dispatchEvent(new Event('change')))"
    )
    # The call that did not wait was Chromium's to answer, which thereby denied the other; the question is still open.
    assert seen(person, 2) == [["geolocation", DENIED]] * 2
    assert [one["id"] for one in api.get("/v1/browser/asks").json()["asks"]] == [ask["id"]]


def test_of_two_answers_the_first_counts_and_a_watcher_may_not_answer(box: RunningBox, person: LiveClient) -> None:
    person.value("where()")
    ask = asked(person, "geolocation")
    given = {"id": ask["id"], "tabId": ask["tabId"]}
    with watching(box, token=token_for(box, "view")) as watcher:
        assert watcher.refused("answer", **given, decision="once", position=PARIS)["code"] == "forbidden"
    sent = [person.ask("answer", **given, decision=decision, position=PARIS) for decision in ("deny", "site")]
    results = [person.answer(id) for id in sent]
    assert [result["ok"] for result in results] == [True, False]
    assert results[1]["error"]["code"] == "ask_not_found"
    assert seen(person) == [["geolocation", DENIED]]


def test_a_page_that_prints_offers_its_pdf_and_goes_on(person: LiveClient, site: Site, api: httpx.Client) -> None:
    assert person.value("(() => { for (let i = 0; i < 500; i++) print(); return 'went on' })()") == "went on"
    data = person.event("asks", lambda data: bool(data["asks"]))
    (ask,) = data["asks"]
    assert (ask["kind"], ask["origin"]) == ("print", site.origin())
    answer(person, ask, cancel=True)
    for _ in range(2):
        person.value("print()")
        answer(person, person.event("asks", lambda data: bool(data["asks"]))["asks"][0], cancel=True)
    person.value("print()")
    assert api.get("/v1/browser/asks").json() == {"asks": []}
