"""Starting, stopping and the fields of start, as a client meets them."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from PIL import Image

from belljar.box.browser.chromium.launch import redacted
from belljar.wire.browser.lifecycle import BARS_HEIGHT, StartRequest
from tests.servers import running_box
from tests.site import Site


@pytest.fixture(scope="module")
def server() -> Iterator[httpx.Client]:
    with running_box("--egress", "open") as box, box.client() as client:
        yield client


@pytest.fixture
def client(server: httpx.Client) -> Iterator[httpx.Client]:
    yield server
    server.post("/v1/browser/stop").raise_for_status()


def run(client: httpx.Client, expression: str) -> Any:
    return client.post("/v1/browser/execute", json={"expression": expression}).json()["result"]


def start(client: httpx.Client, **fields: Any) -> dict[str, Any]:
    answer = client.post("/v1/browser/start", json=fields)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_before_a_start_everything_says_so(client: httpx.Client) -> None:
    assert client.get("/v1/browser/status").json()["state"] == "inactive"
    assert client.post("/v1/browser/stop").json() == {"state": "inactive"}
    for method, path in (("POST", "reload"), ("GET", "tabs"), ("GET", "cdp/json/version")):
        refused = client.request(method, f"/v1/browser/{path}")
        assert (refused.status_code, refused.json()["code"]) == (409, "browser_not_active")


def test_while_it_starts_calls_say_so(client: httpx.Client) -> None:
    said: set[str] = set()
    with ThreadPoolExecutor(1) as elsewhere:
        started = elsewhere.submit(start, client, headless=True)
        while not started.done():
            said.add(client.get("/v1/browser/tabs").json().get("detail", ""))
        started.result()
    assert "The browser is starting. Ask again in a moment." in said


def test_on_a_display_the_window_fills_it(client: httpx.Client, site: Site) -> None:
    status = start(client, width=1000, height=700, url=site.url("index.html"))
    assert status["state"] == "active" and status["display"].startswith(":")
    assert status["url"] == site.url("index.html")
    assert status["sandbox"] == {"enabled": True}
    assert {process["name"]: process["running"] for process in status["processes"]} == {
        "Xvfb": True,
        "chromium": True,
        "streamer": False,
    }
    assert 990 <= status["viewport"]["w"] <= 1000 and 500 < status["viewport"]["h"] < 700
    assert status["cdpUrl"] == f"{str(client.base_url).replace('http', 'ws').rstrip('/')}/v1/browser/cdp"
    again = client.post("/v1/browser/start", json={})
    assert (again.status_code, again.json()["code"]) == (409, "browser_already_active")


@pytest.mark.parametrize("jail", [pytest.param("off", marks=pytest.mark.soak), "auto"])
def test_no_bar_warns_of_flags_and_a_page_has_the_viewport_asked_for(jail: str) -> None:
    """A bar over the page would take 56 pixels more than tabs and address do."""
    with running_box("--egress", "public", "--jail", jail) as box, box.client() as http:
        status = start(http)
        assert status["resolution"] == {"width": 1280, "height": 720, "dpi": 96}
        assert run(http, "[innerWidth, innerHeight]") == [1280, 720 - BARS_HEIGHT]
        http.post("/v1/browser/stop").raise_for_status()
        status = start(http, viewport={"width": 900, "height": 600})
        assert status["resolution"] == {"width": 900, "height": 600 + BARS_HEIGHT, "dpi": 96}
        # Not only told so: that is what the window leaves it, on the screen that there is.
        size = run(http, "[innerWidth, innerHeight, outerWidth, outerHeight, screen.width, screen.height]")
        assert size == [900, 600, 900, 687, 900, 687]
        picture = Image.open(BytesIO(http.get("/v1/desktop/screenshot").content))
        assert picture.size == (900, 687)


@pytest.mark.parametrize(
    ("asked", "screen"),
    [
        ({}, (1280, 720)),
        ({"viewport": {"width": 1280, "height": 720}}, (1280, 807)),
        ({"viewport": {"width": 1280, "height": 720}, "kiosk": True}, (1280, 720)),
        ({"viewport": {"width": 1280, "height": 720}, "headless": True}, (1280, 720)),
        ({"viewport": {"width": 1280, "height": 720}, "height": 900}, (1280, 900)),
        ({"viewport": {"width": 1280, "height": 720}, "width": 800, "height": 600}, (800, 600)),
        ({"viewport": {"width": 100, "height": 100}}, (200, 200)),
        ({"viewport": {"width": 16384, "height": 16384}}, (7680, 4320)),
        # As much larger as the page has device pixels, unless that is more than displays have.
        ({"viewport": {"width": 1280, "height": 720, "deviceScaleFactor": 2}}, (2560, 1614)),
        ({"viewport": {"width": 1280, "height": 720, "deviceScaleFactor": 10}}, (1280, 807)),
        ({"viewport": {"width": 1280, "height": 720, "deviceScaleFactor": 0.5}}, (1280, 807)),
        ({"viewport": {"width": 1280, "height": 720, "deviceScaleFactor": 2}, "width": 1280}, (1280, 807)),
    ],
)
def test_a_display_has_room_for_the_page_unless_its_size_was_given(asked: Any, screen: tuple[int, int]) -> None:
    assert StartRequest.model_validate(asked).screen == screen


def test_a_size_that_was_given_remains_the_screens(client: httpx.Client) -> None:
    status = start(client, width=1000, height=700, viewport={"width": 1280, "height": 720})
    assert (status["resolution"]["width"], status["resolution"]["height"]) == (1000, 700)
    assert status["viewport"] == {"w": 1280, "h": 720, "dpr": 1.0}


def test_a_kiosk_has_no_bars(client: httpx.Client) -> None:
    assert start(client, kiosk=True, width=1000, height=700)["viewport"] == {"w": 1000, "h": 700, "dpr": 1.0}


def test_headless_has_no_display_and_the_whole_size(client: httpx.Client) -> None:
    status = start(client, headless=True, width=1100, height=650)
    assert "display" not in status
    assert status["viewport"] == {"w": 1100, "h": 650, "dpr": 1.0}
    assert [process["name"] for process in status["processes"]] == ["chromium"]


def test_a_viewport_is_set_at_start_and_later_for_every_tab(client: httpx.Client) -> None:
    asked = {"width": 500, "height": 400, "deviceScaleFactor": 2}
    assert start(client, headless=True, viewport=asked)["viewport"] == {"w": 500, "h": 400, "dpr": 2.0}
    client.post("/v1/browser/viewport", json={"width": 640, "height": 480}).raise_for_status()
    assert run(client, "[innerWidth, innerHeight]") == [640, 480]
    client.post("/v1/browser/tabs").raise_for_status()
    assert run(client, "[innerWidth, innerHeight]") == [640, 480]


EMULATION = {
    "locale": "de-DE",
    "timezone": "Asia/Tokyo",
    "userAgent": "Belljar test",
    "geolocation": {"latitude": 52.5, "longitude": 13.4},
    "colorScheme": "dark",
    "extraHeaders": {"X-Belljar-Test": "yes"},
    "initScripts": ["window.early = 1"],
    "permissions": ["geolocation"],
}
SEEN = """(async () => [
  new Intl.DateTimeFormat().resolvedOptions().timeZone, (1.5).toLocaleString(), navigator.language,
  navigator.userAgent, matchMedia('(prefers-color-scheme: dark)').matches, window.early,
  await new Promise(done =>
    navigator.geolocation.getCurrentPosition(place => done(place.coords.latitude), error => done(error.message)))
])()"""
EXPECTED = ["Asia/Tokyo", "1,5", "de-DE", "Belljar test", True, 1, 52.5]


@pytest.mark.parametrize("when", ["at start", "later"])
def test_pages_are_told_what_was_asked(client: httpx.Client, site: Site, when: str) -> None:
    start(client, headless=True, **(EMULATION if when == "at start" else {}))
    if when == "later":
        client.post("/v1/browser/emulation", json=EMULATION).raise_for_status()
    client.post("/v1/browser/navigate", json={"url": site.url("index.html")}).raise_for_status()
    assert run(client, SEEN) == EXPECTED
    client.post("/v1/browser/tabs", json={"url": site.url("_/echo")}).raise_for_status()
    headers = run(client, "document.body.innerText")
    assert "X-Belljar-Test: yes" in headers and "Accept-Language: de-DE" in headers


def test_null_gives_chromiums_own_back(client: httpx.Client, site: Site) -> None:
    start(client, headless=True)
    client.post("/v1/browser/navigate", json={"url": site.url("index.html")}).raise_for_status()
    own = run(client, SEEN)
    client.post("/v1/browser/emulation", json=EMULATION).raise_for_status()
    client.post("/v1/browser/emulation", json={"initScripts": ["window.early += 1"]}).raise_for_status()
    client.post("/v1/browser/reload", json={}).raise_for_status()
    assert run(client, SEEN) == [*EXPECTED[:5], 2, EXPECTED[6]]
    client.post("/v1/browser/emulation", json=dict.fromkeys(EMULATION)).raise_for_status()
    client.post("/v1/browser/reload", json={}).raise_for_status()
    assert run(client, SEEN) == own


def test_what_chromium_does_not_know_is_refused(client: httpx.Client) -> None:
    refused = client.post("/v1/browser/start", json={"headless": True, "timezone": "Nowhere/Land"})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")
    start(client, headless=True)
    refused = client.post("/v1/browser/emulation", json={"timezone": "Nowhere/Land"})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")


def test_webgl_is_there_when_asked_for(client: httpx.Client) -> None:
    start(client, headless=True, webgl=True)
    assert run(client, "!!document.createElement('canvas').getContext('webgl')") is True


def test_a_first_page_that_fails_leaves_the_browser_up(client: httpx.Client, site: Site) -> None:
    answer = client.post("/v1/browser/start", json={"headless": True, "url": site.url().replace("http:", "https:")})
    assert (answer.status_code, answer.json()["code"]) == (502, "navigation_failed")
    assert client.get("/v1/browser/status").json()["state"] == "active"


def test_nothing_installed_is_424_and_status_says_what_to_do(tmp_path: Any) -> None:
    with running_box(env={"PATH": str(tmp_path)}) as box, box.client() as bare:
        refused = bare.post("/v1/browser/start", json={})
        assert (refused.status_code, refused.json()["code"]) == (424, "browser_install_required")
        status = bare.get("/v1/browser/status").json()
        assert status["state"] == "install_required"
        for told in (refused.json(), status):
            assert told["missingDependencies"] == ["chromium", "Xvfb"]
            assert told["installCommand"] == "belljar install browser --yes"


def test_a_chromium_that_ends_at_once_is_told_with_its_last_words(tmp_path: Path) -> None:
    # Any program that knows none of Chromium's flags.
    (tmp_path / "chromium").symlink_to("/usr/bin/sleep")
    with running_box(env={"PATH": f"{tmp_path}:{os.environ['PATH']}"}) as box, box.client() as api:
        failed = api.post("/v1/browser/start", json={"headless": True})
        assert (failed.status_code, failed.json()["code"]) == (500, "browser_start_failed")
        assert "exit code 1" in failed.json()["detail"] and "--help" in failed.json()["detail"]
        last = api.get("/v1/browser/status").json()["lastError"]
        assert last["message"] == failed.json()["detail"]
        assert "…/sleep: unrecognized option '--remote-debugging-pipe'" in last["stderr"]
        assert "/usr/bin" not in str(last)
        view = api.post("/v1/tokens", json={"role": "view"}).json()["token"]
        watched = api.get("/v1/browser/status", headers={"Authorization": f"Bearer {view}"}).json()["lastError"]
        assert watched == {name: value for name, value in last.items() if name != "stderr"}


def test_a_start_fails_when_its_time_has_passed() -> None:
    with running_box("--start-timeout", "0.02") as box, box.client() as api:
        failed = api.post("/v1/browser/start", json={"headless": True})
        assert (failed.status_code, failed.json()["code"]) == (500, "browser_start_failed")
        assert "within 0.02 s" in failed.json()["detail"]
        assert api.get("/v1/browser/status").json()["state"] == "failed"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("/opt/x/chrome: error while loading libnss3.so", "…/chrome: error while loading libnss3.so"),
        ("profile at '/home/ann/.config/p'", "profile at '…/p'"),
        ("proxy http://ann:secret@10.0.0.1:80/", "proxy http://…@10.0.0.1:80/"),
        ("token 0123456789abcdef0123456789abcdef", "token …"),
        ("[1:1:ERROR:a.cc(12)] no usable sandbox", "[1:1:ERROR:a.cc(12)] no usable sandbox"),
    ],
)
def test_what_chromium_said_is_told_without_the_hosts_own_business(line: str, shown: str) -> None:
    assert redacted(line) == shown


CHOICES = [
    "navigator.mediaDevices.getDisplayMedia()",
    "navigator.usb.requestDevice({filters: []})",
    "navigator.serial.requestPort()",
    "navigator.hid.requestDevice({filters: []})",
    "navigator.bluetooth.requestDevice({acceptAllDevices: true})",
    "navigator.requestMIDIAccess({sysex: true})",
    "getScreenDetails()",
]


def test_on_a_display_nothing_waits_for_a_person_to_choose(client: httpx.Client, site: Site) -> None:
    """With a gesture, as Chromium wants one: it would show a list, which no denial of prompts hides."""
    start(client, url=site.url("index.html"))
    for choice in CHOICES:
        # Of human interface devices a refusal is an empty list.
        asking = (
            f"document.body.onclick = () => answer = ({choice}).then(e => e?.length === 0 ? 'no' : 'yes', () => 'no')"
        )
        client.post("/v1/browser/execute", json={"expression": f"{asking}; 0"}).raise_for_status()
        client.post("/v1/browser/click", json={"selector": "body"}).raise_for_status()
        assert run(client, "answer") == "no", choice
