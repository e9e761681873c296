"""Fields whose widgets are in no picture: a person opens one, is told what it offers, and the page gets the answer."""

from typing import Any

import httpx2 as httpx
import pytest

from tests.box.live.client import LiveClient, token_for, watching
from tests.servers import RunningBox
from tests.site import Site

Ask = dict[str, Any]


@pytest.fixture(autouse=True)
def fields_page(live: LiveClient, site: Site) -> None:
    live.call("control.take")
    live.call("navigate", url=site.url("live/fields.html"))
    # Once a frame has been drawn, clicks hit what it shows.
    live.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")


def click(live: LiveClient, x: float, y: float) -> None:
    live.mouse("move", x, y)
    live.mouse("down", x, y, button="left")
    live.mouse("up", x, y, button="left")


def middle(live: LiveClient, id: str, part: float = 0.5) -> tuple[float, float]:
    box = live.value(f"{id}.getBoundingClientRect().toJSON()")
    return box["x"] + box["width"] * part, box["y"] + 15


def opened(live: LiveClient, kind: str, is_right: Any = lambda ask: True) -> Ask:
    """What the tab asks, once it asks for this kind."""
    data = live.event("asks", lambda data: any(ask["kind"] == kind and is_right(ask) for ask in data["asks"]))
    (ask,) = data["asks"]
    found: Ask = ask
    return found


def ask_for(live: LiveClient, id: str, kind: str, part: float = 0.5) -> Ask:
    click(live, *middle(live, id, part))
    return opened(live, kind)


def nothing_asked(live: LiveClient) -> None:
    live.event("asks", lambda data: data["asks"] == [])


def events_of(live: LiveClient, id: str) -> list[str]:
    seen = live.value(f"seen.filter((e) => e.id === {id!r})")
    return [one["type"] for one in seen if one["type"] in ("input", "change")]


def test_options_are_offered_with_groups_and_what_cannot_be_chosen(live: LiveClient) -> None:
    ask = ask_for(live, "one", "select")
    assert ask["label"] == "Fruit"
    assert ask["multiple"] is False
    assert [(one["label"], one.get("group"), one.get("disabled")) for one in ask["options"]] == [
        ("Choose", None, None),
        ("Apple", "Sweet", None),
        ("Banana", "Sweet", None),
        ("Lemon", "Sour", True),
        ("Durian", None, True),
        ("Elderberry <b>ripe</b>", None, None),
    ]
    assert ask["options"][0]["selected"] is True
    assert (ask["box"]["x"], ask["box"]["y"], ask["box"]["w"]) == (20, 40, 240)


def test_the_page_gets_the_choice_as_a_persons(live: LiveClient) -> None:
    ask = ask_for(live, "one", "select")
    live.call("answer", id=ask["id"], indexes=[2])
    assert live.value("one.value") == "b"
    assert events_of(live, "one") == ["input", "change"]
    nothing_asked(live)
    # Chromium's own list is closed: keys are the page's again.
    assert live.value("document.querySelector(':open') === null")
    live.key("keydown", "x", "KeyX")
    live.key("keyup", "x", "KeyX")
    live.until_value("seen.filter((e) => e.type === 'keydown').map((e) => e.key).join()", lambda keys: keys == "x")


def test_choosing_what_is_chosen_already_changes_nothing(live: LiveClient) -> None:
    live.value("one.value = 'a'")
    ask = ask_for(live, "one", "select")
    live.call("answer", id=ask["id"], indexes=[1])
    assert (live.value("one.value"), events_of(live, "one")) == ("a", [])


def test_an_answer_that_cannot_be_leaves_the_question_open(live: LiveClient) -> None:
    ask = ask_for(live, "one", "select")
    for bad in ({"indexes": [3]}, {"indexes": [4]}, {"indexes": [1, 2]}, {"indexes": [99]}, {"value": "Mango"}, {}):
        assert live.refused("answer", id=ask["id"], **bad)["code"] == "invalid_request", bad
    assert (live.value("one.value"), events_of(live, "one")) == ("", [])
    live.call("answer", id=ask["id"], value="Banana")
    assert live.value("one.value") == "b"


def test_several_are_chosen_at_once(live: LiveClient) -> None:
    ask = ask_for(live, "many", "select")
    assert ask["multiple"] is True
    live.call("answer", id=ask["id"], indexes=[0, 2])
    assert live.value("[...many.selectedOptions].map((o) => o.value)") == ["red", "blue"]


@pytest.mark.parametrize(
    ("id", "kind", "value"),
    [
        ("date", "date", "2025-03-01"),
        ("time", "time", "13:45"),
        ("both", "datetime-local", "2025-03-01T13:45"),
        ("month", "month", "2025-03"),
        ("week", "week", "2025-W09"),
        ("colour", "color", "#00ff80"),
    ],
)
def test_dates_times_and_colours_are_set_whole(live: LiveClient, id: str, kind: str, value: str) -> None:
    ask = ask_for(live, id, kind)
    live.call("answer", id=ask["id"], value=value)
    assert live.value(f"{id}.value") == value
    assert events_of(live, id) == ["input", "change"]


def test_a_framework_that_watches_the_setter_notices_the_change(live: LiveClient) -> None:
    ask = ask_for(live, "date", "date")
    assert (ask["value"], ask["min"], ask["max"], ask["label"]) == ("2024-02-29", "2020-01-01", "2030-12-31", "Day")
    live.call("answer", id=ask["id"], value="2025-03-01")
    assert live.value("changes") == ["2025-03-01"]
    assert live.refused("answer", id=ask["id"], value="2025-03-02")["code"] == "ask_not_found"


def test_a_value_that_is_none_is_refused_and_a_date_can_be_cleared(live: LiveClient) -> None:
    ask = ask_for(live, "date", "date")
    assert live.refused("answer", id=ask["id"], value="tomorrow")["code"] == "invalid_request"
    assert live.value("date.value") == "2024-02-29"
    live.call("answer", id=ask["id"], value="")
    assert live.value("date.value") == ""


def test_suggestions_are_offered_and_any_text_may_be_written(live: LiveClient) -> None:
    ask = ask_for(live, "town", "datalist")
    assert [(one["label"], one["value"]) for one in ask["options"]] == [("Berlin", "Berlin"), ("Bern (CH)", "Bern")]
    live.call("answer", id=ask["id"], value="Bern")
    assert live.value("town.value") == "Bern"
    assert events_of(live, "town")[0] == "input"


def test_a_page_that_opens_a_picker_itself_is_noticed(live: LiveClient) -> None:
    ask = ask_for(live, "toOpen", "date")
    live.call("answer", id=ask["id"], value="2025-01-02")
    assert live.value("date.value") == "2025-01-02"
    assert live.value("document.querySelector(':open') === null")


def test_a_key_opens_a_list_and_another_closes_it(live: LiveClient) -> None:
    live.value("one.focus()")
    live.key("keydown", " ", "Space")
    live.key("keyup", " ", "Space")
    opened(live, "select")
    live.key("keydown", "Escape", "Escape")
    live.key("keyup", "Escape", "Escape")
    nothing_asked(live)


def test_a_click_elsewhere_takes_the_question_back(live: LiveClient) -> None:
    ask = ask_for(live, "one", "select")
    click(live, *middle(live, "plain"))
    nothing_asked(live)
    assert live.refused("answer", id=ask["id"], indexes=[1])["code"] == "ask_not_found"


def test_a_question_can_be_called_off(live: LiveClient) -> None:
    ask = ask_for(live, "one", "select")
    live.call("answer", id=ask["id"], cancel=True)
    nothing_asked(live)
    assert live.value("[one.value, document.querySelector(':open') === null]") == ["", True]


def test_inside_a_shadow_root_and_inside_a_frame(live: LiveClient) -> None:
    ask = ask_for(live, "host", "select")
    live.call("answer", id=ask["id"], indexes=[1])
    assert live.value("host.shadowRoot.getElementById('deep').value") == "down"
    ask = ask_for(live, "inner", "select")
    assert "box" not in ask
    live.call("answer", id=ask["id"], indexes=[1])
    assert live.value("inner.contentDocument.getElementById('s').value") == "side"


def test_inside_a_frame_of_another_process(live: LiveClient, site: Site) -> None:
    address = site.url("live/fields.html", host=1)
    live.value(
        f"new Promise((done) => {{ const f = document.createElement('iframe'); f.onload = () => done(true);"
        f" f.style = 'width: 500px; height: 120px; border: 0'; f.src = {address!r}; far.append(f) }})"
    )
    box = live.value("(() => { const b = far.firstChild.getBoundingClientRect(); return [b.x, b.y] })()")
    live.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
    click(live, box[0] + 100, box[1] + 55)
    ask = opened(live, "select")
    live.call("answer", id=ask["id"], indexes=[1])
    asked = live.call("evaluate", expression="document.getElementById('one').value", frame="#far iframe")
    assert asked["result"] == "a"


def test_a_field_that_is_removed_or_locked_meanwhile(live: LiveClient) -> None:
    ask = ask_for(live, "one", "select")
    live.value("one.remove()")
    assert live.refused("answer", id=ask["id"], indexes=[1])["code"] == "ask_not_found"
    nothing_asked(live)
    ask = ask_for(live, "date", "date")
    live.value("date.disabled = true")
    assert live.refused("answer", id=ask["id"], value="2025-01-01")["code"] == "ask_not_found"
    assert live.value("date.value") == "2024-02-29"


def test_options_that_were_exchanged_are_not_chosen(live: LiveClient) -> None:
    ask = ask_for(live, "one", "select")
    live.value("one.replaceChildren(new Option('Buy everything', 'x'), new Option('And more', 'y'))")
    assert live.refused("answer", id=ask["id"], indexes=[1])["code"] == "invalid_request"
    assert events_of(live, "one") == []


def test_thousands_of_long_options_are_bounded(live: LiveClient) -> None:
    options = "Array.from({length: 5000}, (_, i) => new Option(`o${i} ` + 'x'.repeat(i % 500 ? 5 : 5000), i))"
    live.value(f"one.replaceChildren(...{options})")
    ask = ask_for(live, "one", "select")
    assert len(ask["options"]) == 1000
    assert all(len(one["label"]) <= 201 for one in ask["options"])
    assert ask["more"] == 4000
    live.call("answer", id=ask["id"], value="4999")
    assert live.value("one.value") == "4999"


def test_going_elsewhere_takes_the_question_back(live: LiveClient, site: Site) -> None:
    ask = ask_for(live, "one", "select")
    live.call("navigate", url=site.url("second.html"))
    nothing_asked(live)
    assert live.refused("answer", id=ask["id"], indexes=[1])["code"] == "ask_not_found"


def test_who_comes_later_is_told_and_a_viewer_may_look_but_not_answer(box: RunningBox, live: LiveClient) -> None:
    ask = ask_for(live, "one", "select")
    with watching(box, token=token_for(box, "view")) as other:
        assert other.event("ready")["asks"] == [ask]
        assert other.refused("answer", id=ask["id"], indexes=[1])["code"] == "forbidden"
    with watching(box, token=token_for(box, "drive")) as other:
        assert other.event("ready")["asks"] == [ask]
        assert other.refused("answer", id=ask["id"], indexes=[1])["code"] == "control_held"
    live.call("answer", id=ask["id"], indexes=[1])
    assert live.value("one.value") == "a"


def test_an_agents_click_asks_nobody(box: RunningBox, live: LiveClient, api: httpx.Client) -> None:
    live.call("control.release")
    for selector in ("#one", "#date", "#town"):
        api.post("/v1/browser/click", json={"selector": selector}).raise_for_status()
        assert api.get("/v1/browser/asks").json() == {"asks": []}
    api.post("/v1/browser/select", json={"selector": "#one", "value": "a"}).raise_for_status()
    assert live.value("one.value") == "a"
    assert live.kept("asks", lambda data: True) is None


def test_a_page_that_hangs_keeps_nobody_from_anything(live: LiveClient, site: Site) -> None:
    live.value("setTimeout(() => { const end = performance.now() + 4000; while (performance.now() < end); }, 0); 1")
    click(live, 100, 55)
    # Control is not the page's.
    live.call("control.renew")
    assert opened(live, "select")["label"] == "Fruit"
