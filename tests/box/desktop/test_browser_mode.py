"""In browser mode the desktop's tools work on the browser's display; without a screen they say why they cannot."""

from collections.abc import Iterator
from io import BytesIO

import httpx2 as httpx
import pytest
from PIL import Image

from tests.box.desktop.conftest import until
from tests.servers import RunningBox, running_box

DESKTOP = "/v1/desktop"
PAGE = (
    "data:text/html,<title>Canvas</title><body style='margin:0;background:rgb(200,100,50)'>"
    "<input id=i autofocus style='position:fixed;left:100px;top:100px;width:300px'>"
)


@pytest.fixture(scope="module")
def browser_box() -> Iterator[RunningBox]:
    with running_box() as box:
        yield box


@pytest.fixture
def http(browser_box: RunningBox) -> Iterator[httpx.Client]:
    with browser_box.client() as client:
        yield client
        client.post("/v1/browser/stop")


def test_the_tools_work_on_the_browser(http: httpx.Client) -> None:
    started = http.post("/v1/browser/start", json={"width": 800, "height": 600, "url": PAGE, "recordingFps": 5})
    assert started.status_code == 200, started.text
    http.post("/v1/browser/navigate", json={"url": PAGE})
    status = http.get(f"{DESKTOP}/status").json()
    assert (status["state"], status["mode"]) == ("active", "browser")
    assert http.get("/v1/browser/status").json()["mode"] == "browser"
    until(lambda: any("Canvas" in w["title"] for w in http.get(f"{DESKTOP}/windows").json()["windows"]), "the window")
    (window,) = [w for w in http.get(f"{DESKTOP}/windows").json()["windows"] if "Canvas" in w["title"]]

    def painted() -> bool:
        picture = Image.open(BytesIO(http.get(f"{DESKTOP}/screenshot").content)).convert("RGB")
        assert picture.size == (800, 600)
        return (
            dict((colour, count) for count, colour in picture.getcolors(1 << 20) or []).get((200, 100, 50), 0) > 100_000
        )

    until(painted, "the page on the screen")

    def execute(script: str) -> object:
        return http.post("/v1/browser/execute", json={"expression": script}).json().get("result")

    point = execute("[Math.round(screenX + (outerWidth - innerWidth) / 2), screenY + outerHeight - innerHeight]")
    assert isinstance(point, list)
    http.post(f"{DESKTOP}/windows/{window['id']}/focus")
    http.post(f"{DESKTOP}/mouse/click", json={"x": point[0] + 200, "y": point[1] + 110})
    http.post(f"{DESKTOP}/keyboard/type", json={"text": "typed by hand", "delayMs": 5})
    until(lambda: execute("document.querySelector('#i').value") == "typed by hand", "the text in the page")
    http.post(f"{DESKTOP}/keyboard/press", json={"key": "ctrl+a"})
    http.post(f"{DESKTOP}/keyboard/press", json={"key": "ctrl+c"})
    until(lambda: http.get(f"{DESKTOP}/clipboard").json()["text"] == "typed by hand", "the clipboard")
    check_that_the_active_tab_follows_the_tab_strip(http)
    for path in ("start", "stop"):
        refused = http.post(f"{DESKTOP}/{path}", json={})
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert http.post(f"{DESKTOP}/recording/start", json={}).json()["fps"] == 5
    http.post("/v1/browser/stop")
    (recording,) = http.get(f"{DESKTOP}/recordings").json()["recordings"]
    assert recording["status"] == "completed"
    assert http.get(f"{DESKTOP}/status").json()["state"] == "inactive"


def check_that_the_active_tab_follows_the_tab_strip(http: httpx.Client) -> None:
    def active() -> object:
        return http.get("/v1/browser/status").json()["tabId"]

    first = active()
    second = http.post("/v1/browser/tabs", json={"url": "data:text/html,<title>Second</title>"}).json()["id"]
    assert active() == second
    for x, chosen in ((100, first), (350, second)):
        http.post(f"{DESKTOP}/mouse/click", json={"x": x, "y": 20}).raise_for_status()
        until(lambda chosen=chosen: active() == chosen, "the tab that was clicked")  # type: ignore[misc]  # bound now


def test_without_a_screen_calls_say_why(http: httpx.Client) -> None:
    started = http.post("/v1/browser/start", json={"headless": True})
    assert started.status_code == 200, started.text
    for method, path, body in (
        ("GET", "screenshot", None),
        ("POST", "mouse/move", {"x": 1, "y": 1}),
        ("GET", "clipboard", None),
        ("POST", "recording/start", {"source": "display"}),
        ("POST", "start", {}),
    ):
        answer = http.request(method, f"{DESKTOP}/{path}", json=body)
        assert answer.status_code == 409, (path, answer.text)
        assert "headless" in answer.json()["detail"] or path == "start"
