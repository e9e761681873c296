"""Pages and processes at their worst: the next call works, or says what is wrong, and nobody has to help."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx2 as httpx
import pytest

from tests.processes import command_of, descendants, freeze
from tests.servers import running_box
from tests.site import Site

# Within which a call must have worked or said the truth.
SOON = 15.0


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    # Not jailed: in a jail the pids that the status tells are the jail's own, not ours to signal.
    with running_box("--egress", "open", "--jail", "off") as box, box.client() as client:
        client.timeout = httpx.Timeout(60)
        yield client


@pytest.fixture
def fresh(client: httpx.Client, site: Site) -> Iterator[httpx.Client]:
    """For tests after which Chromium is not what it was."""
    client.post("/v1/browser/stop").raise_for_status()
    client.post("/v1/browser/start", json={"headless": True, "url": site.url("index.html")}).raise_for_status()
    yield client
    client.post("/v1/browser/stop").raise_for_status()


@pytest.fixture
def api(client: httpx.Client, site: Site) -> httpx.Client:
    """A Chromium that tests share, with one tab that is new; what is left of the last test's is closed."""
    old = client.get("/v1/browser/tabs")
    if old.status_code == 409:
        client.post("/v1/browser/start", json={"headless": True, "url": site.url("index.html")}).raise_for_status()
        return client
    client.post("/v1/browser/tabs", json={"url": site.url("index.html")}).raise_for_status()
    for tab in old.json()["tabs"]:
        client.delete(f"/v1/browser/tabs/{tab['id']}").raise_for_status()
    return client


def run(api: httpx.Client, expression: str, **fields: Any) -> httpx.Response:
    return api.post("/v1/browser/execute", json={"expression": expression, **fields})


def navigate(api: httpx.Client, url: str) -> httpx.Response:
    """With the timeout that a call has which names none; what it says comes soon."""
    began = time.monotonic()
    answer = api.post("/v1/browser/navigate", json={"url": url})
    assert time.monotonic() - began < SOON
    return answer


def chromium(api: httpx.Client) -> int:
    processes = api.get("/v1/browser/status").json()["processes"]
    return int(next(process["pid"] for process in processes if process["name"] == "chromium"))


def kill(api: httpx.Client, kind: str) -> int:
    """Kill Chromium's processes of a kind; how many there were."""
    found = [pid for pid in descendants(chromium(api)) if f"--type={kind}" in command_of(pid)]
    for pid in found:
        # The end of one may be that of others.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(found)


@pytest.mark.parametrize(
    "how",
    [
        pytest.param("setTimeout(() => { while (1) {} }, 100)", marks=pytest.mark.soak),
        "setInterval(() => { while (1) {} }, 100)",
    ],
)
def test_an_endless_loop_is_left_for_another_page_of_its_site(api: httpx.Client, site: Site, how: str) -> None:
    run(api, f"{how}; 0")
    # Cut off, when the page has long been in its loop.
    assert run(api, "new Promise(() => 0)", timeout=500).json()["code"] == "browser_timeout"
    assert navigate(api, site.url("second.html")).json()["title"] == "The second page"
    assert run(api, "document.title").json()["result"] == "The second page"


@pytest.mark.parametrize(
    "lie",
    [
        pytest.param("window.setTimeout = (then) => then()", marks=pytest.mark.soak),
        pytest.param("window.setTimeout = () => 0", marks=pytest.mark.soak),
        "window.Promise = function () {}",
    ],
)
def test_an_endless_loop_is_left_whatever_its_page_made_of_clocks(api: httpx.Client, site: Site, lie: str) -> None:
    run(api, f"setInterval(() => {{ while (1) {{}} }}, 100); {lie}; 0")
    assert run(api, "fetch('/_/slow/5')", timeout=500).json()["code"] == "browser_timeout"
    assert navigate(api, site.url("second.html")).json()["title"] == "The second page"
    assert run(api, "document.title").json()["result"] == "The second page"


def test_half_characters_keep_nobody_waiting(api: httpx.Client, site: Site) -> None:
    half, whole = r"\ud800", "\ufffd"
    assert run(api, f"'a{half}b'").json()["result"] == f"a{whole}b"
    page = f"<p id=p></p><script>document.title = p.textContent = 'a{half}b'; name = '{half}'</script>"
    assert navigate(api, site.url(f"_/html?body={page}")).json()["title"] == f"a{whole}b"
    assert api.get("/v1/browser/markdown").json()["markdown"] == f"a{whole}b\n"
    assert api.get("/v1/browser/snapshot").status_code == 200
    run(api, f"setTimeout(() => alert('{half}'), 0); 0").raise_for_status()
    assert run(api, "new Promise(() => 0)", timeout=5000).json()["dialog"]["message"] == whole
    api.post("/v1/browser/dialog", json={"accept": True}).raise_for_status()
    assert navigate(api, site.url("second.html")).json()["title"] == "The second page"


@pytest.mark.parametrize("event", ["beforeunload", "pagehide"])
def test_an_endless_loop_at_leaving_is_ended(api: httpx.Client, site: Site, event: str) -> None:
    run(api, f"addEventListener('{event}', () => {{ while (1) {{}} }}); 0").raise_for_status()
    assert navigate(api, site.url("second.html")).json()["title"] == "The second page"
    assert run(api, "document.title").json()["result"] == "The second page"


def test_the_same_by_reload_and_history(api: httpx.Client, site: Site) -> None:
    navigate(api, site.url("second.html")).raise_for_status()
    for path in ("reload", "back", "forward"):
        run(api, "setTimeout(() => { while (1) {} }, 50); 0")
        assert run(api, "new Promise(() => 0)", timeout=300).json()["code"] == "browser_timeout"
        answer = api.post(f"/v1/browser/{path}", json={"timeout": 15_000})
        assert answer.status_code == 200, (path, answer.text)


@pytest.mark.parametrize(
    "how",
    [
        "setTimeout(() => { while (1) alert('again') }, 50)",
        pytest.param("setInterval(() => alert('again'), 1)", marks=pytest.mark.soak),
    ],
)
class TestEndlessAlerts:
    @pytest.fixture
    def asking(self, api: httpx.Client, how: str) -> httpx.Client:
        run(api, f"{how}; 0")
        self.until_asked(api)
        return api

    def until_asked(self, api: httpx.Client) -> None:
        deadline = time.monotonic() + SOON
        while "dialog" not in api.get("/v1/browser/dialog").json():
            assert time.monotonic() < deadline

    def test_they_are_left_by_navigating_twice(self, asking: httpx.Client, site: Site) -> None:
        refused = navigate(asking, site.url("second.html"))
        assert (refused.status_code, refused.json()["code"]) == (409, "dialog_open")
        assert refused.json()["dialog"]["message"] == "again"
        assert navigate(asking, site.url("second.html")).json()["title"] == "The second page"
        assert run(asking, "document.title").json() == {"result": "The second page", "type": "string"}

    def test_they_are_left_at_once_by_whoever_answered_several(self, asking: httpx.Client, site: Site) -> None:
        for _ in range(3):
            self.until_asked(asking)
            asking.post("/v1/browser/dialog", json={"accept": True}).raise_for_status()
        self.until_asked(asking)
        assert navigate(asking, site.url("second.html")).json()["title"] == "The second page"

    def test_their_tab_is_closed(self, asking: httpx.Client) -> None:
        [tab] = asking.get("/v1/browser/tabs").json()["tabs"]
        began = time.monotonic()
        closed = asking.delete(f"/v1/browser/tabs/{tab['id']}")
        assert (closed.status_code, closed.json().get("dialog")) == (200, None)
        assert time.monotonic() - began < SOON
        assert [other["id"] for other in asking.get("/v1/browser/tabs").json()["tabs"]] != [tab["id"]]
        assert run(asking, "1 + 1").json()["result"] == 2


def test_a_question_whether_to_leave_is_never_answered_for_the_caller(api: httpx.Client, site: Site) -> None:
    run(api, "addEventListener('beforeunload', event => event.preventDefault()); 0")
    api.post("/v1/browser/click", json={"selector": "body"}).raise_for_status()
    assert navigate(api, site.url("second.html")).json()["dialog"]["type"] == "beforeunload"
    for _ in range(2):
        assert navigate(api, site.url("second.html")).json()["code"] == "dialog_open"
    api.post("/v1/browser/dialog", json={"accept": True}).raise_for_status()


def test_chromium_without_its_zygote_is_replaced(fresh: httpx.Client, site: Site) -> None:
    """It lives on and can start no more processes for pages."""
    assert kill(fresh, "zygote")
    said = navigate(fresh, site.url("second.html", host=1))
    deadline = time.monotonic() + 2 * SOON
    while said.status_code != 200:
        assert time.monotonic() < deadline
        assert said.json()["detail"]
        said = navigate(fresh, site.url("second.html", host=1))
    assert run(fresh, "document.title").json()["result"] == "The second page"
    status = fresh.get("/v1/browser/status").json()
    assert (status["state"], status["restarts"]) == ("active", 1)
    assert status["lastError"]["message"].startswith("Chromium could start no more pages and was started again")


def test_a_frozen_chromium_is_replaced(fresh: httpx.Client, site: Site) -> None:
    freeze(chromium(fresh))
    # It never got the call, which the next one carries out.
    said = navigate(fresh, site.url("second.html"))
    assert (said.status_code, said.json().get("title")) == (200, "The second page")
    status = fresh.get("/v1/browser/status").json()
    assert (status["state"], status["restarts"]) == ("active", 1)
    assert status["lastError"]["message"].startswith("Chromium did not answer for 8 s and was started again")


def test_while_it_is_frozen_limits_are_named_as_given_and_the_cause_told(fresh: httpx.Client) -> None:
    pid = chromium(fresh)
    os.kill(pid, signal.SIGSTOP)
    try:
        said = fresh.post("/v1/browser/click", json={"selector": "a", "timeout": 4000}).json()
        assert said["detail"].startswith("Timed out after 4000 ms while clicking. Chromium itself has not answered for")
        assert "has not answered" in fresh.get("/v1/browser/status").json()["lastError"]["message"]
    finally:
        os.kill(pid, signal.SIGCONT)
    assert run(fresh, "1 + 1").json()["result"] == 2
    assert fresh.get("/v1/browser/status").json()["restarts"] == 0


def test_a_flood_of_addresses_stops_nobody_else(api: httpx.Client, site: Site) -> None:
    [first] = api.get("/v1/browser/tabs").json()["tabs"]
    api.post("/v1/browser/tabs", json={"url": site.url("second.html", host=1)}).raise_for_status()
    run(api, "setTimeout(() => { for (let i = 0; ; i++) history.pushState(0, '', '#' + i) }, 10); 0", tabId=first["id"])
    assert run(api, "new Promise(done => setTimeout(() => done(1), 500))", timeout=15_000).json()["result"] == 1
    assert navigate(api, site.url("index.html", host=1)).status_code == 200
    assert api.delete(f"/v1/browser/tabs/{first['id']}").status_code == 200
    assert run(api, "1 + 1").json()["result"] == 2


def test_a_page_that_floods_its_console_is_slowed_and_says_so(api: httpx.Client, site: Site) -> None:
    """Messages cost Chromium's browser process, and with it every other tab, most."""
    run(api, "setInterval(() => { for (let i = 0; i < 2000; i++) console.log('x') }, 1); 0")
    deadline = time.monotonic() + SOON
    words: list[str] = []
    while not any("slowed down" in one for one in words):
        assert time.monotonic() < deadline
        found = api.get("/v1/browser/console", params={"level": "warn"}).json()["messages"]
        words = [message["text"] for message in found]
    # Left behind, the next page is as quick as any.
    left = navigate(api, site.url("second.html")).json()
    assert left["title"] == "The second page", left
    assert run(api, "document.title").json()["result"] == "The second page"


def test_a_script_that_floods_without_a_pause_is_ended(api: httpx.Client) -> None:
    run(api, "setTimeout(() => { while (1) console.log('x') }, 10); 0")
    after = run(api, "new Promise(done => setTimeout(() => done('free'), 500))", timeout=40_000)
    assert after.json()["result"] == "free"


def test_one_that_pauses_is_not_ended(api: httpx.Client) -> None:
    """Slowed down, it goes through all of it."""
    flood = (
        "for (let i = 0; i < 8; i++) { for (let j = 0; j < 1000; j++) console.log(i); await new Promise(setTimeout) }"
    )
    whole = run(api, f"(async () => {{ {flood} return 'whole' }})()", timeout=60_000)
    assert whole.json()["result"] == "whole"


def test_a_tab_that_crashed_again_and_again_takes_a_good_address(api: httpx.Client, site: Site) -> None:
    restarts = api.get("/v1/browser/status").json()["restarts"]
    for _ in range(8):
        kill(api, "renderer")
        said = run(api, "1").json().get("detail", "")
        if "again and again" in said:
            break
    assert "navigate elsewhere" in said
    [tab] = api.get("/v1/browser/tabs").json()["tabs"]
    assert navigate(api, site.url("second.html")).json()["tabId"] == tab["id"]
    assert run(api, "document.title").json()["result"] == "The second page"
    assert api.get("/v1/browser/status").json()["restarts"] == restarts


def test_a_tab_that_crashed_again_and_again_is_closed(api: httpx.Client) -> None:
    for _ in range(8):
        kill(api, "renderer")
        if "again and again" in run(api, "1").json().get("detail", ""):
            break
    [tab] = api.get("/v1/browser/tabs").json()["tabs"]
    assert api.delete(f"/v1/browser/tabs/{tab['id']}").status_code == 200
    assert run(api, "1 + 1").json()["result"] == 2
