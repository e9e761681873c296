"""Nobody waits for a machine: control, stop and a new address come before what is under way."""

import threading

import httpx2 as httpx
import pytest

from tests.box.live.client import LiveClient
from tests.processes import eventually
from tests.site import Site


def test_control_is_taken_and_given_while_a_page_does_not_come(live: LiveClient, site: Site) -> None:
    waiting = live.ask("navigate", url=site.url("_/slow/20"))
    for method in ("control.take", "control.renew", "control.release"):
        assert live.call(method)["holder"]["kind"] in ("viewer", "none")
    live.call("stop")
    assert live.answer(waiting)["ok"] is False


def test_stop_ends_the_way_to_a_page_that_does_not_come(live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url("index.html"))
    waiting = live.ask("navigate", url=site.url("_/slow/20"))
    live.event("tabs", lambda data: data["tabs"][0].get("loading") is True)
    live.call("stop")
    assert live.answer(waiting)["error"]["code"] == "overtaken"
    live.event("tabs", lambda data: "loading" not in data["tabs"][0])
    assert live.value("location.href") == site.url("index.html")


# Asks the site for something once it is read so far.
HERE = "<h1>Here</h1><script>fetch('/_/status/200?read')</script>"


@pytest.mark.parametrize("address", [f"_/html?body={HERE}<img src=/_/slow/20>", f"_/halting/20?body={HERE}"])
def test_stop_keeps_what_has_come(live: LiveClient, site: Site, api: httpx.Client, address: str) -> None:
    answers: list[httpx.Response] = []
    before = len(site.requests)

    def go() -> None:
        answers.append(api.post("/v1/browser/navigate", json={"url": site.url(address)}, timeout=40))

    agent = threading.Thread(target=go)
    agent.start()
    eventually(lambda: any(path.endswith("?read") for _, path, _ in site.requests[before:]), "the page has come so far")
    live.call("stop")
    agent.join(15)
    assert not agent.is_alive()
    assert answers[0].status_code == 200
    assert live.value("document.querySelector('h1').textContent") == "Here"


def test_a_new_address_overtakes_the_one_before(live: LiveClient, site: Site) -> None:
    first = live.ask("navigate", url=site.url("_/slow/20"))
    live.event("tabs", lambda data: data["tabs"][0].get("loading") is True)
    second = live.ask("navigate", url=site.url("_/slow/21"))
    third = live.ask("navigate", url=site.url("second.html"))
    assert live.answer(first)["error"]["code"] == "overtaken"
    assert live.answer(second)["error"]["code"] in ("overtaken", "navigation_failed")
    assert live.answer(third)["result"]["url"] == site.url("second.html")


def test_a_persons_address_overtakes_an_agents(live: LiveClient, site: Site, api: httpx.Client) -> None:
    answers: list[httpx.Response] = []

    def go() -> None:
        answers.append(api.post("/v1/browser/navigate", json={"url": site.url("_/slow/20")}, timeout=40))

    agent = threading.Thread(target=go)
    agent.start()
    live.event("tabs", lambda data: data["tabs"][0].get("loading") is True)
    live.call("control.take")
    assert live.call("navigate", url=site.url("second.html"))["url"] == site.url("second.html")
    agent.join(15)
    assert answers[0].json()["code"] == "navigation_failed"


def test_who_has_no_control_stops_nobody(live: LiveClient, site: Site, api: httpx.Client) -> None:
    api.post("/v1/control", json={"action": "take"}).raise_for_status()
    assert live.refused("stop")["code"] == "control_held"
    assert live.refused("navigate", url=site.url("second.html"))["code"] == "control_held"


def test_the_reason_that_a_page_failed_is_told(live: LiveClient, site: Site) -> None:
    assert live.refused("navigate", url="http://127.0.0.1:9/")["code"] == "navigation_failed"
    live.event("tabs", lambda data: data["tabs"][0].get("error", "").startswith("ERR_"))
    live.call("navigate", url=site.url("index.html"))
    live.event("tabs", lambda data: "error" not in data["tabs"][0])
