"""What died is noticed at once, reported, and brought back."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.processes import command_of, descendants
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


@pytest.mark.parametrize("victim", ["chromium", "Xvfb"])
def test_a_killed_program_comes_back_with_the_same_tabs(headful: httpx.Client, site: Site, victim: str) -> None:
    first = status_of(headful)["tabId"]
    headful.post("/v1/browser/tabs", json={"url": site.url("second.html")}).raise_for_status()
    chromium = pid_of(headful, "chromium")
    kill(headful, victim)
    while (status := status_of(headful))["state"] == "active" and not status.get("restarts"):
        pass
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
    for restarts in (1, 2):
        kill(headful, "chromium")
        status = status_of(headful)
        while status["state"] == "starting" or (status["state"] == "active" and status["restarts"] < restarts):
            status = status_of(headful)
    assert status["state"] == "failed"
    refused = run(headful, "1")
    assert (refused.status_code, refused.json()["code"]) == (409, "browser_not_active")
    assert "died again" in refused.json()["detail"]
    assert status_of(headful)["lastError"]["code"] == "browser_start_failed"


def test_a_crashed_renderer_is_reloaded_and_other_tabs_go_on(headful: httpx.Client, site: Site) -> None:
    other = status_of(headful)["tabId"]
    headful.post("/v1/browser/tabs", json={"url": site.url("second.html", host=1)}).raise_for_status()
    headful.post("/v1/browser/navigate", json={"url": "chrome://crash", "timeout": 2000})
    assert run(headful, "1 + 1", tabId=other).json()["result"] == 2
    assert run(headful, "2 + 2").status_code in (200, 502)
    assert run(headful, "1").json().get("result") == 1


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
