"""Pictures of what was shown before and after each act: which there are, what they show, and who may see them."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from PIL import Image

from tests.box.desktop.conftest import until
from tests.box.live.client import watching
from tests.box.record.recorded import Event, Recorded
from tests.servers import RunningBox, running_box

PAGE = (
    "data:text/html,<body style='margin:0;background:rgb(200,0,0)'>"
    "<button onclick=\"document.body.style.background='rgb(0,0,200)'\" style='position:absolute;top:0'>go</button>"
)


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--record", "content", "--jail", "off") as running, running.client() as http:
        http.post("/v1/browser/start", json={"headless": True, "width": 1280, "height": 720}).raise_for_status()
        http.post("/v1/browser/navigate", json={"url": PAGE}).raise_for_status()
        # Acts before Chromium's first frame have no pictures.
        until(lambda: has_pictures(http), "the first picture")
        yield running


def has_pictures(http: httpx.Client) -> bool:
    http.post("/v1/browser/hover", json={"selector": "body"}).raise_for_status()
    return bool(http.get("/v1/events?kinds=screen").json()["events"])


def colour(http: httpx.Client, event: Event) -> tuple[int, ...]:
    answer = http.get(f"/v1/events/pictures/{event['data']['sha256']}")
    assert answer.headers["content-type"] == "image/jpeg"
    assert hashlib.sha256(answer.content).hexdigest() == event["data"]["sha256"]
    picture = Image.open(io.BytesIO(answer.content))
    assert picture.size == (event["data"]["width"], event["data"]["height"]) and max(picture.size) <= 640
    return picture.convert("RGB").getpixel((picture.width // 2, picture.height - 5))  # type: ignore[return-value]


def pair(recorded: Recorded, operation: str) -> tuple[Event, Event]:
    def both(found: list[Event]) -> bool:
        return {one["name"] for one in found if one["data"]["operation"] == operation} == {"before", "after"}

    found = [one for one in recorded.until("screen", both) if one["data"]["operation"] == operation]
    return found[0], found[1]


def operation_of(recorded: Recorded) -> str:
    """Of the first call that begins: the end of the one before may be told after its answer."""
    name: str = next(one["name"] for one in recorded.events("call") if one["name"].endswith(".begin"))
    return name.removesuffix(".begin")


def is_red(seen: tuple[int, ...]) -> bool:
    return seen[0] > 150 and seen[2] < 60


def hovered(http: httpx.Client, is_right: Callable[[Event, Event], bool]) -> tuple[Event, Event]:
    """The pictures of an act that changes nothing, as soon as they are right: a busy machine paints late."""
    for _ in range(10):
        recorded = Recorded(http)
        http.post("/v1/browser/hover", json={"selector": "body"}).raise_for_status()
        operation = operation_of(recorded)
        found = recorded.until("screen", lambda found, name=operation: (name, "after") in names_of(found))  # type: ignore[misc]
        shown = {one["name"]: one for one in found if one["data"]["operation"] == operation}
        if "before" in shown and is_right(shown["before"], shown["after"]):
            return shown["before"], shown["after"]
    raise AssertionError(found)


def names_of(found: list[Event]) -> list[tuple[str, str]]:
    return [(one["data"]["operation"], one["name"]) for one in found]


def test_a_click_has_a_picture_before_and_one_after(box: RunningBox) -> None:
    with box.client() as http:
        http.post("/v1/browser/navigate", json={"url": PAGE}).raise_for_status()
        hovered(http, lambda _, after: is_red(colour(http, after)))
        recorded = Recorded(http)
        clicked = http.post("/v1/browser/click", json={"selector": "button"})
        before, after = pair(recorded, operation_of(recorded))
        assert is_red(colour(http, before))
        assert before["requestId"] == after["requestId"] == clicked.headers["x-request-id"]
        assert before["tabId"] == after["tabId"] and before["actor"] == {"kind": "system"}
        begin, end = [one for one in recorded.events("call") if one["requestId"] == before["requestId"]]
        assert before["t"] == begin["t"] and after["t"] >= end["t"]
        # What did not change is there once.
        first, last = hovered(
            http, lambda before, after: before["data"].get("snapshotDigest") == after["data"].get("snapshotDigest", "")
        )
        assert first["data"]["sha256"] == last["data"]["sha256"] and len(first["data"]["snapshotDigest"]) == 64
        assert not is_red(colour(http, last))


def test_pictures_are_in_the_exports_and_for_those_who_drive(box: RunningBox) -> None:
    with box.client() as http:
        # Of the first act there is no picture before it.
        http.post("/v1/browser/navigate", json={"url": PAGE}).raise_for_status()
        recorded = Recorded(http)
        http.post("/v1/browser/hover", json={"selector": "button"}).raise_for_status()
        _, shown = pair(recorded, operation_of(recorded))
        name = shown["data"]["sha256"]
        with zipfile.ZipFile(io.BytesIO(http.get("/v1/events/export").content)) as archive:
            assert hashlib.sha256(archive.read(f"record/pictures/{name}.jpg")).hexdigest() == name
        with zipfile.ZipFile(io.BytesIO(http.get("/v1/events/export?format=playwright").content)) as archive:
            assert f"resources/{name}.jpg" in archive.namelist()
            lines = [json.loads(line) for line in archive.read("trace.trace").splitlines()]
        assert f"resources/{name}.jpg" in {one["file"] for one in lines if one["type"] == "screencast-frame"}
        token = http.post("/v1/tokens", json={"role": "view"}).json()["token"]
        viewing: dict[str, Any] = {"headers": {"Authorization": f"Bearer {token}"}}
        assert http.get(f"/v1/events/pictures/{name}", **viewing).status_code == 403
        assert http.get("/v1/events?kinds=screen", **viewing).json()["events"] == []
        odd = ("0" * 64, "..%2f..%2frecord.key", "x", name.upper(), f"{name}.jpg")
        assert [http.get(f"/v1/events/pictures/{one}").status_code for one in odd] == [404, 400, 404, 404, 404]


def test_pictures_are_small_and_whoever_watches_has_frames_in_full(box: RunningBox) -> None:
    """Chromium makes small ones where nobody else wants any: nothing here has to be decoded then."""
    with box.client() as http:
        assert "_imaging" not in Path(f"/proc/{box.process.pid}/maps").read_text()
        for _ in range(2):
            with watching(box) as live:
                first = live.frame()
                assert Image.open(io.BytesIO(first.jpeg)).size == (first.w, first.h) == (1280, 720)
            before, after = hovered(http, lambda *_: True)
            assert {before["data"]["width"], after["data"]["width"]} == {640}


def test_at_the_usual_level_there_are_pictures_only_while_something_is_filmed() -> None:
    with running_box("--jail", "off") as box, box.client() as http:
        http.post("/v1/browser/start", json={"headless": True}).raise_for_status()
        http.post("/v1/browser/navigate", json={"url": PAGE}).raise_for_status()
        assert Recorded(http).since > 0 and http.get("/v1/events?kinds=screen").json()["events"] == []
        http.post("/v1/desktop/recording/start", json={}).raise_for_status()
        recorded = Recorded(http)
        http.post("/v1/browser/click", json={"selector": "button"}).raise_for_status()
        recorded.until("screen", lambda found: any(one["name"] == "after" for one in found))
        http.post("/v1/desktop/recording/stop").raise_for_status()
        later = Recorded(http)
        http.post("/v1/browser/click", json={"selector": "button"}).raise_for_status()
        later.until("call", lambda found: found[-1:] != [] and found[-1]["name"] == "browserClick.end")
        assert later.events("screen") == []
