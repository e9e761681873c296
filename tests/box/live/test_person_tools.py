"""What a browser's own window has for a person, without one: find, copy, a menu, a password that a server asks for."""

from typing import Any

import httpx2 as httpx
import pytest

from tests.box.live.client import LiveClient, token_for, watching
from tests.servers import RunningBox
from tests.site import Site

DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


@pytest.fixture
def person(live: LiveClient, site: Site) -> LiveClient:
    live.call("control.take")
    live.call("navigate", url=site.url("live/words.html"))
    live.value(DRAWN)
    return live


def press(live: LiveClient, id: str, button: str = "left") -> None:
    box = live.value(f"{id}.getBoundingClientRect().toJSON()")
    at = (box["x"] + 10, box["y"] + 10)
    live.mouse("move", *at)
    live.mouse("down", *at, button=button)
    live.mouse("up", *at, button=button)


def asked(live: LiveClient, kind: str) -> dict[str, Any]:
    data = live.event("asks", lambda data: any(ask["kind"] == kind for ask in data["asks"]))
    found: dict[str, Any] = next(ask for ask in data["asks"] if ask["kind"] == kind)
    return found


def marks(live: LiveClient) -> list[int]:
    found: list[int] = live.value(
        "['belljar-find', 'belljar-find-shown'].map((name) => CSS.highlights.get(name)?.size ?? 0)"
    )
    return found


def test_words_are_found_counted_and_shown_one_after_another(person: LiveClient) -> None:
    found = person.call("find", text="apple")
    # Twice above, of which one goes through an element, in the shadow, at the end, and in the frame.
    assert found == {"count": 5, "index": 0}
    assert marks(person) == [4, 1]
    assert person.value("scrollY") == 0
    assert person.call("find", text="apple", index=3)["index"] == 3
    assert person.value("scrollY") > 2000
    assert person.call("find", text="apple", index=5)["index"] == 0
    assert person.call("find", text="apple", index=-1)["index"] == 4
    assert person.call("find", text="Apple", caseSensitive=True)["count"] == 1
    assert person.call("find", text="(apple) $1")["count"] == 1
    assert person.call("find", text="unseen") == {"count": 0}
    person.call("find", text="")
    assert marks(person) == [0, 0]
    assert person.value("document.adoptedStyleSheets.length") == 0


def test_a_page_with_more_than_can_be_marked(person: LiveClient) -> None:
    person.value("first.textContent = 'pear '.repeat(50000)")
    assert person.call("find", text="pear") == {"count": 1000, "index": 0, "more": True}


def test_what_is_selected_can_be_copied_but_no_password(person: LiveClient) -> None:
    assert person.call("selection") == {"text": ""}
    person.value("getSelection().selectAllChildren(last)")
    assert person.call("selection") == {"text": "the last (apple) $1"}
    person.value("field.focus(); field.setSelectionRange(3, 10)")
    assert person.call("selection") == {"text": "a field"}
    person.value("secret.focus(); secret.select()")
    assert person.call("selection") == {"text": ""}


def test_a_right_click_tells_what_it_was_on(person: LiveClient, site: Site) -> None:
    press(person, "link", "right")
    ask = asked(person, "menu")
    assert ask["link"] == site.url("live/second.html")
    press(person, "field", "right")
    person.event("asks", lambda data: [one.get("editable") for one in data["asks"]] == [True])
    press(person, "own", "right")
    person.event("asks", lambda data: data["asks"] == [])
    press(person, "first", "right")
    ask = asked(person, "menu")
    assert "link" not in ask
    press(person, "first")
    person.event("asks", lambda data: data["asks"] == [])
    assert person.refused("answer", id=ask["id"], cancel=True)["code"] == "ask_not_found"


def test_a_picture_is_saved_from_its_menu(person: LiveClient) -> None:
    press(person, "image", "right")
    ask = asked(person, "menu")
    assert ask["image"].startswith("data:image/png")
    person.call("answer", id=ask["id"], save=True)
    saved = person.event("download", lambda data: data["state"] == "completed")
    assert saved["bytes"] > 50


def test_an_agents_right_click_asks_nobody(person: LiveClient, api: httpx.Client) -> None:
    person.call("control.release")
    api.post("/v1/browser/click", json={"selector": "#link", "button": "right"}).raise_for_status()
    assert api.get("/v1/browser/asks").json() == {"asks": []}


def test_a_password_that_a_server_asks_for_is_asked_of_the_person(
    box: RunningBox, person: LiveClient, site: Site
) -> None:
    going = person.ask("navigate", url=site.url("_/auth"))
    ask = asked(person, "auth")
    assert (ask["origin"], ask["label"]) == (site.origin(), "tests")
    with watching(box, token=token_for(box, "view")) as other:
        assert [one["kind"] for one in other.event("ready")["asks"]] == ["auth"]
    assert person.refused("answer", id=ask["id"], username="user")["code"] == "invalid_request"
    person.call("answer", id=ask["id"], username="user", password="wrong")
    again = person.event("asks", lambda data: data["asks"] != [] and data["asks"][0]["id"] != ask["id"])["asks"][0]
    person.call("answer", id=again["id"], username="user", password="secret")
    assert person.answer(going)["result"]["title"] == "inside"
    assert person.refused("answer", id=again["id"], cancel=True)["code"] == "ask_not_found"


def test_who_gives_control_back_is_asked_for_no_password(person: LiveClient, site: Site, api: httpx.Client) -> None:
    going = person.ask("navigate", url=site.url("_/auth", host=1))
    asked(person, "auth")
    person.call("control.release")
    assert person.answer(going)["result"]["status"] == 401
    person.event("asks", lambda data: data["asks"] == [])
    assert api.post("/v1/browser/navigate", json={"url": site.url("_/auth", host=1)}).json()["status"] == 401
