"""A page wants to be allowed something, or printed: a person who has control is asked, and only their answer counts."""

import os
import signal
from typing import Any

import httpx2 as httpx
import pytest

from tests.box.desktop.conftest import on_host
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


# A page that has the box's own way of asking in hand: it was there before the person came, and lay in wait.
LIES_IN_WAIT = (
    "Object.defineProperty(globalThis, 'belljarAsks', { configurable: true, set(given) { globalThis.ask = given } }); 0"
)


def on_tab(live: LiveClient, tab: str, expression: str) -> Any:
    return live.call("evaluate", expression=expression, tabId=tab)["result"]


STATE = "navigator.permissions.query({ name: 'geolocation' }).then((status) => status.state)"


def test_what_is_answered_in_one_tab_is_asked_in_no_other(person: LiveClient, site: Site, api: httpx.Client) -> None:
    person.value("where()")
    first = asked(person, "geolocation")
    other = person.call("tabs.create", url=site.url(PAGE))["id"]
    on_tab(person, other, "where()")
    second = person.event("asks", lambda data: any(ask["tabId"] == other for ask in data["asks"]))["asks"][0]
    answer(person, first, decision="site", position=PARIS)
    assert api.get("/v1/browser/asks").json() == {"asks": []}
    assert person.refused("answer", id=second["id"], tabId=other, decision="deny")["code"] == "ask_not_found"
    # Nor does it end with the person, or with a tab.
    person.call("control.release")
    person.call("control.take")
    person.call("tabs.close", tabId=first["tabId"])
    assert on_tab(person, other, STATE) == "granted"


def test_a_page_that_took_hold_of_the_question_is_answered_once(
    live: LiveClient, site: Site, api: httpx.Client
) -> None:
    live.call("navigate", url=site.url(PAGE))
    live.value(LIES_IN_WAIT)
    live.call("control.take")
    assert live.until_value("typeof ask", lambda kind: kind == "function")
    live.value("ask('geolocation')")
    answer(live, asked(live, "geolocation"), decision="once", position=PARIS)
    live.value("for (const word of ['geolocation', 'granted', '', 'x'.repeat(1e7), '{}', '__proto__']) ask(word); 0")
    live.value("try { ask({ toString() { throw 1 } }) } catch {} 0")
    assert live.value(STATE) == "granted"
    assert api.get("/v1/browser/asks").json() == {"asks": []}
    live.call("navigate", url=site.url("second.html"))
    assert live.until_value(STATE, lambda state: state != "granted") == "prompt"


def test_a_script_that_prints_without_a_pause_is_ended(person: LiveClient, api: httpx.Client) -> None:
    person.value("setTimeout(() => { while (1) print() }, 10); 0")
    person.call("control.release")
    after = {"expression": "new Promise((done) => setTimeout(() => done('free'), 500))", "timeout": 40_000}
    assert api.post("/v1/browser/execute", json=after).json()["result"] == "free"


@pytest.mark.parametrize(
    ("frame", "is_asked"),
    [
        ("frame.srcdoc = html", True),
        ("frame.src = URL.createObjectURL(new Blob([html], { type: 'text/html' }))", True),
        (
            "frame.src = 'about:blank'; const write = () => { frame.contentDocument.write(html) }; setTimeout(write)",
            True,
        ),
        ("frame.src = 'data:text/html,' + encodeURIComponent(html)", False),
        ("frame.sandbox = 'allow-scripts'; frame.srcdoc = html", False),
        ("frame.allow = \"geolocation 'none'\"; frame.srcdoc = html", False),
    ],
)
def test_no_kind_of_frame_has_another_name_or_is_allowed_anything(
    person: LiveClient, site: Site, api: httpx.Client, frame: str, is_asked: bool
) -> None:
    html = (
        "<script>const tell = (word) => top.postMessage(word, '*');"
        "navigator.geolocation.getCurrentPosition(() => tell('allowed'), () => tell('denied'))</script>"
    )
    person.value(
        "addEventListener('message', ({ data }) => seen.push(data));"
        "const frame = document.createElement('iframe'); frame.allow = 'geolocation *';"
        f"const html = {html!r}; {frame}; document.body.append(frame); 0"
    )
    if is_asked:
        ask = asked(person, "geolocation")
        assert (ask["origin"], ask["site"]) == (site.origin(), site.origin())
        answer(person, ask, decision="deny")
    assert seen(person) == ["denied"]
    assert api.get("/v1/browser/asks").json() == {"asks": []}


def test_a_page_with_poisoned_prototypes_is_denied_and_harms_nobody(person: LiveClient, api: httpx.Client) -> None:
    person.value(
        "for (const name of ['name', 'state', 'once', 'then', 'get', 'apply'])"
        "  Object.defineProperty(Object.prototype, name, { configurable: true, get() {}, set() {} });"
        "Promise.prototype.then = () => 0; EventTarget.prototype.addEventListener = () => 0;"
        "Array.prototype[Symbol.iterator] = function* () { yield 'geolocation'; yield 'camera'; yield {} };"
        "Reflect.apply = () => 0; globalThis.Permissions = globalThis.Proxy = undefined;"
        "Object.defineProperty(Navigator.prototype, 'permissions', { get() { throw 1 } });"
        "where(); 0"
    )
    assert seen(person) == [["geolocation", DENIED]]
    assert api.get("/v1/browser/asks").json() == {"asks": []}


def test_frames_that_ask_and_go_leave_nothing_open(person: LiveClient, site: Site, api: httpx.Client) -> None:
    address = site.url("live/permissions_frame.html")
    person.value(
        f"(async () => {{ for (let i = 0; i < 60; i++) {{ await addFrame({address!r}); "
        "if (i % 3) document.querySelector('iframe').remove() } })()"
    )
    asked(person, "geolocation")
    person.value("document.querySelectorAll('iframe').forEach((frame) => frame.remove())")
    person.event("asks", lambda data: data["asks"] == [])
    assert api.get("/v1/browser/asks").json() == {"asks": []}
    assert person.value(STATE) == "prompt"


def test_an_agent_cannot_answer_what_a_person_is_asked(person: LiveClient, api: httpx.Client) -> None:
    person.value("where()")
    ask = asked(person, "geolocation")
    given = {"id": ask["id"], "tabId": ask["tabId"], "decision": "site", "position": PARIS}
    refused = api.post("/v1/browser/answer", json=given)
    assert refused.status_code == 409 and refused.json()["code"] == "control_held"
    answer(person, ask, decision="deny")
    assert seen(person) == [["geolocation", DENIED]]


def test_a_question_goes_with_its_document_and_nothing_was_allowed(person: LiveClient, site: Site) -> None:
    person.value("where()")
    ask = asked(person, "geolocation")
    person.call("navigate", url=site.url(PAGE, host=1))
    person.event("asks", lambda data: data["asks"] == [])
    assert person.refused("answer", id=ask["id"], decision="site", position=PARIS)["code"] == "ask_not_found"
    assert person.value(STATE) == "prompt"
    person.call("navigate", url=site.url(PAGE))
    assert person.value(STATE) == "prompt"


def test_a_chromium_that_dies_takes_its_questions_and_what_was_allowed_along(
    box: RunningBox, person: LiveClient, site: Site, api: httpx.Client
) -> None:
    person.value("where()")
    answer(person, asked(person, "geolocation"), decision="site", position=PARIS)
    person.value("void midi()")
    ask = asked(person, "midi")
    (chromium,) = [one for one in api.get("/v1/browser/status").json()["processes"] if one["name"] == "chromium"]
    os.kill(on_host(box, chromium["pid"]), signal.SIGKILL)
    person.event("asks", lambda data: data["asks"] == [])
    assert person.refused("answer", id=ask["id"], decision="site")["code"] == "ask_not_found"
    person.call("navigate", url=site.url(PAGE))
    assert person.value(STATE) == "prompt"
    person.value("where()")
    answer(person, asked(person, "geolocation"), decision="deny")
    assert seen(person) == [["geolocation", DENIED]]
