"""What died is noticed at once, reported, and brought back."""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.processes import command_of, descendants, eventually, freeze
from tests.servers import running_box
from tests.site import Site


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    # Not jailed: in a jail the pids that the status tells are the jail's own, not ours to signal.
    with running_box("--egress", "open", "--jail", "off") as box, box.client() as client:
        yield client


@pytest.fixture
def headful(client: httpx.Client, site: Site) -> Iterator[httpx.Client]:
    client.post("/v1/browser/start", json={"url": site.url("index.html")}).raise_for_status()
    yield client
    client.post("/v1/browser/stop").raise_for_status()


def run(client: httpx.Client, expression: str, **fields: Any) -> httpx.Response:
    return client.post("/v1/browser/execute", json={"expression": expression, "timeout": 20_000, **fields})


def status_of(client: httpx.Client) -> dict[str, Any]:
    answer = client.get("/v1/browser/status")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def kill(client: httpx.Client, name: str) -> None:
    """Only what is surely ours: the pid must belong to a program of that name."""
    pid = pid_of(client, name)
    assert name in Path(f"/proc/{pid}/cmdline").read_text()
    os.kill(pid, signal.SIGKILL)


def pid_of(client: httpx.Client, name: str) -> int:
    processes = status_of(client)["processes"]
    return int(next(process["pid"] for process in processes if process["name"] == name))


def until_gone(pid: int) -> None:
    """Wait for the end of a process that was signalled, or that cannot live without one that was."""
    eventually(lambda: not Path(f"/proc/{pid}").exists(), f"the end of {pid}")


@pytest.fixture
def headless(client: httpx.Client, site: Site) -> Iterator[httpx.Client]:
    client.post("/v1/browser/start", json={"url": site.url("index.html"), "headless": True}).raise_for_status()
    yield client
    client.post("/v1/browser/stop").raise_for_status()


@pytest.mark.parametrize("delay", [0, 2, 20, 40, 60, 80])
@pytest.mark.parametrize("round", [0, *(pytest.param(again, marks=pytest.mark.soak) for again in (1, 2, 3, 4))])
def test_the_first_call_after_chromium_was_killed_waits_and_works(
    headless: httpx.Client, delay: int, round: int
) -> None:
    kill(headless, "chromium")
    time.sleep(delay / 1000)
    answer = run(headless, "document.title")
    assert (answer.status_code, answer.json().get("result")) == (200, "The test site"), answer.text
    status = status_of(headless)
    assert (status["state"], status["restarts"]) == ("active", 1)


def test_in_a_jail_too() -> None:
    with running_box("--egress", "open") as box, box.client() as client:
        client.post("/v1/browser/start", json={"headless": True}).raise_for_status()
        assert box.is_jailed
        inside = [pid for pid in descendants(box.process.pid) if "--remote-debugging-pipe" in command_of(pid)]
        # Its children's command lines do not have that; the jail's first process stands for the program it starts.
        os.kill(max(pid for pid in inside if "--type=" not in command_of(pid)), signal.SIGKILL)
        assert run(client, "6 * 7").json().get("result") == 42
        assert status_of(client)["restarts"] == 1


Call = Callable[[httpx.Client, Site], httpx.Response]
CALLS: dict[str, tuple[Call, int]] = {
    "click": (lambda client, site: client.post("/v1/browser/click", json={"selector": "h1"}), 200),
    "navigate": (lambda client, site: client.post("/v1/browser/navigate", json={"url": site.url("second.html")}), 200),
    "read": (lambda client, site: client.get("/v1/browser/text"), 200),
    "snapshot": (lambda client, site: client.get("/v1/browser/snapshot"), 200),
    "screenshot": (lambda client, site: client.get("/v1/browser/screenshot"), 200),
    "cookies": (lambda client, site: client.get("/v1/browser/cookies"), 200),
    "viewport": (lambda client, site: client.post("/v1/browser/viewport", json={"width": 800, "height": 600}), 200),
    "list tabs": (lambda client, site: client.get("/v1/browser/tabs"), 200),
    "open a tab": (lambda client, site: client.post("/v1/browser/tabs", json={"url": site.url("second.html")}), 201),
    "make a partition": (lambda client, site: client.put("/v1/browser/partitions/one", json={}), 200),
    "look for CDP": (lambda client, site: client.get("/v1/browser/cdp/json/version"), 200),
    "begin a crawl": (
        lambda client, site: client.post("/v1/browser/crawls", json={"url": site.url("index.html")}),
        202,
    ),
}


# Each of them alone, and those which leave the others' page as it is side by side.
TOGETHER = tuple(name for name in CALLS if name not in ("click", "navigate", "viewport", "open a tab"))
ALONE = [(name,) for name in CALLS if name not in TOGETHER]


@pytest.mark.parametrize(
    "names",
    [TOGETHER, *ALONE, *(pytest.param((name,), marks=pytest.mark.soak) for name in TOGETHER)],
    ids=" ".join,
)
def test_so_does_every_kind_of_call(headless: httpx.Client, site: Site, names: tuple[str, ...]) -> None:
    kill(headless, "chromium")
    with ThreadPoolExecutor(len(names)) as threads:
        asked = {name: threads.submit(CALLS[name][0], headless, site) for name in names}
    for name, answer in asked.items():
        assert answer.result().status_code == CALLS[name][1], (name, answer.result().text)
    assert run(headless, "1").json()["result"] == 1
    assert status_of(headless)["restarts"] == 1


def until_asked_for(site: Site, path: str) -> None:
    eventually(lambda: times_asked_for(site, path) > 0, f"a request for {path}")


def times_asked_for(site: Site, path: str) -> int:
    return sum(asked == path for _, asked, _ in site.requests)


def fetching(site: Site, path: str, then: str = "") -> str:
    return f"fetch({json.dumps(site.url(path))}, {{ cache: 'no-store' }}).then(() => {then or 'document.title'})"


def test_a_call_that_chromium_has_not_read_is_made_once_in_the_next(headless: httpx.Client, site: Site) -> None:
    """It stands still while the call is sent, and dies so."""
    pid = pid_of(headless, "chromium")
    freeze(pid)
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(run, headless, fetching(site, "/unread"))
        assert headless.get("/v1/browser/tabs").status_code == 200
        os.kill(pid, signal.SIGKILL)
        assert asked.result().json().get("result") == "The test site", asked.result().text
    assert times_asked_for(site, "/unread") == 1


def test_a_call_that_chromium_may_have_carried_out_is_not_made_again(headless: httpx.Client, site: Site) -> None:
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(run, headless, fetching(site, "/begun", "new Promise(() => 0)"))
        until_asked_for(site, "/begun")
        kill(headless, "chromium")
        answer = asked.result()
    assert (answer.status_code, answer.json()["code"]) == (409, "browser_not_active"), answer.text
    assert "while this call was running" in answer.json()["detail"]
    assert run(headless, "document.title").json()["result"] == "The test site"
    assert times_asked_for(site, "/begun") == 1


def test_a_call_that_waits_for_its_turn_has_it_in_the_next_chromium(headless: httpx.Client, site: Site) -> None:
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(run, headless, fetching(site, "/first", "new Promise(() => 0)"))
        until_asked_for(site, "/first")
        second = threads.submit(run, headless, "document.title")
        kill(headless, "chromium")
        assert first.result().json()["code"] == "browser_not_active"
        assert second.result().json().get("result") == "The test site", second.result().text


def test_a_cdp_client_is_told_at_once_and_the_next_one_waits(headless: httpx.Client) -> None:
    headers = {"Authorization": headless.headers["Authorization"]}
    url = f"{headless.base_url}".rstrip("/").replace("http", "ws", 1) + "/v1/browser/cdp"
    with connect(url, additional_headers=headers) as socket:
        kill(headless, "chromium")
        with connect(url, additional_headers=headers, open_timeout=30) as other:
            other.send('{"id": 1, "method": "Browser.getVersion"}')
            assert "product" in json.loads(other.recv(30))["result"]
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(30)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1001


def test_a_crawl_goes_on_in_the_next_chromium(headless: httpx.Client, site: Site) -> None:
    # On a busy host the next Chromium may take longer than a page may by default.
    asked = {"url": site.url("_/slow/1"), "robots": False, "pageTimeout": 35_000}
    begun = headless.post("/v1/browser/crawls", json=asked).json()
    until_asked_for(site, "/_/slow/1")
    kill(headless, "chromium")
    with headless.stream("GET", f"/v1/browser/crawls/{begun['id']}/events", timeout=40) as events:
        assert "event: end" in events.read().decode()
    job = headless.get(f"/v1/browser/crawls/{begun['id']}").json()
    assert job["state"] == "done"
    assert [(page["status"], page.get("error")) for page in job["result"]["pages"]] == [(200, None)]


@pytest.mark.parametrize("victim", ["chromium", "Xvfb"])
def test_a_killed_program_comes_back_with_the_same_tabs(headful: httpx.Client, site: Site, victim: str) -> None:
    first = status_of(headful)["tabId"]
    headful.post("/v1/browser/tabs", json={"url": site.url("second.html")}).raise_for_status()
    chromium = pid_of(headful, "chromium")
    kill(headful, victim)
    until_gone(chromium)
    # The next call works: it waits for the browser to be back.
    assert run(headful, "document.title").json()["result"] == "The second page"
    assert run(headful, "document.title", tabId=first).json()["result"] == "The test site"
    status = status_of(headful)
    assert (status["state"], status["restarts"]) == ("active", 1)
    assert status["lastError"]["code"] == "browser_cdp_error"
    assert pid_of(headful, "chromium") != chromium
    assert len(headful.get("/v1/browser/tabs").json()["tabs"]) == 2
    events = headful.get("/v1/browser/events").json()["events"]
    assert [event["state"] for event in events if event["kind"] == "state"][-3:] == ["active", "starting", "active"]


def test_a_second_death_soon_after_is_final_and_says_so(headful: httpx.Client) -> None:
    kill(headful, "chromium")
    assert run(headful, "1").status_code == 200
    kill(headful, "chromium")
    # It waits to hear what becomes of the browser, and is told.
    refused = run(headful, "1")
    assert status_of(headful)["state"] == "failed"
    assert (refused.status_code, refused.json()["code"]) == (409, "browser_not_active")
    assert "died again" in refused.json()["detail"]
    assert status_of(headful)["lastError"]["code"] == "browser_start_failed"


def test_a_crashed_renderer_is_reloaded_and_other_tabs_go_on(headless: httpx.Client, site: Site) -> None:
    other = status_of(headless)["tabId"]
    opened = headless.post("/v1/browser/tabs", json={"url": site.url("second.html", host=1)}).json()["id"]
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(run, headless, "fetch('/_/status/204'); new Promise(() => {})", tabId=opened)
        until_asked_for(site, "/_/status/204")
        crash(headless, opened)
        answer = asked.result(30)
    assert (answer.status_code, answer.json()["code"]) == (502, "tab_crashed")
    assert run(headless, "1 + 1", tabId=other).json()["result"] == 2
    assert run(headless, "document.title", tabId=opened).json().get("result") == "The second page"


def crash(client: httpx.Client, tab: str) -> None:
    """As a CDP client may."""
    url = f"{client.base_url}".rstrip("/").replace("http", "ws", 1) + f"/v1/browser/cdp/devtools/page/{tab}"
    with connect(url, additional_headers={"Authorization": client.headers["Authorization"]}) as socket:
        socket.send('{"id": 1, "method": "Page.crash"}')


def test_a_tab_that_crashes_again_and_again_says_so_at_once(headful: httpx.Client, site: Site) -> None:
    said = ""
    for _ in range(8):
        for pid in descendants(pid_of(headful, "chromium")):
            if "--type=renderer" in command_of(pid):
                os.kill(pid, signal.SIGKILL)
        said = run(headful, "1").json().get("detail", "")
        if "again and again" in said:
            break
    assert "open another tab" in said
    headful.post("/v1/browser/tabs", json={"url": site.url("second.html", host=1)}).raise_for_status()
    assert run(headful, "document.title").json()["result"] == "The second page"
