"""A full disk under a session's ring of film and the record's pictures: neither box nor session notices."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.film_clock import LIST, read_film
from tests.plane.plane import state_folder, until
from tests.servers import RunningBox, running_box
from tests.site import Site, running_site

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small file system: NOT tested")

MARKS = "/v1/events/marks"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


class SmallDisk:
    """A file system of the box's own."""

    def __init__(self, box: RunningBox, folder: Path) -> None:
        self.folder = Path(f"/proc/{box.process.pid}/root{folder}")
        self._ballast = self.folder / "ballast"

    def fill(self) -> None:
        with self._ballast.open("ab", buffering=0) as file:
            for size in (65536, 4096, 512, 1):
                try:
                    while True:
                        os.write(file.fileno(), bytes(size))
                except OSError:
                    continue

    def make_room(self) -> None:
        self._ballast.unlink()


@contextmanager
def box_on_a_small_disk(below: str, size: str, *flags: str) -> Iterator[tuple[RunningBox, SmallDisk]]:
    """With the folder `below` its state on a disk that a test can fill."""
    with state_folder() as state:
        folder = state / below
        folder.mkdir(parents=True)
        small = f'mount -t tmpfs -o size={size},mode=700 tmpfs {folder}; exec "$@"'
        inside = ("unshare", "--mount", "sh", "-c", small, "sh")
        with running_box("--jail", "off", "--state-dir", str(state), *flags, inside=inside) as box:
            yield box, SmallDisk(box, folder)


def show_clock(api: httpx.Client, site: Site, **start: Any) -> None:
    api.post("/v1/browser/start", json={"width": 640, "height": 480, **start}).raise_for_status()
    api.post("/v1/browser/navigate", json={"url": site.url("live/clock.html")}).raise_for_status()


def pieces(disk: SmallDisk) -> set[str]:
    return {one.name for one in (disk.folder / "ring").glob("piece-*.m4s")}


def act(api: httpx.Client) -> None:
    assert api.post("/v1/browser/click", json={"selector": "canvas"}).status_code == 200
    assert api.post("/v1/browser/execute", json={"expression": "1 + 1"}).json()["result"] == 2


def keep_film(api: httpx.Client) -> httpx.Response:
    return api.post(MARKS, json={"text": "keep this", "film": True})


@pytest.mark.parametrize(
    "start",
    [pytest.param({"headless": True}, marks=pytest.mark.soak), {"kiosk": True}],
    ids=["headless", "headful"],
)
def test_a_ring_on_a_full_disk_costs_its_film_and_goes_on_when_there_is_room(site: Site, start: dict[str, Any]) -> None:
    flags = ("--film", "on_failure", "--film-minutes", "0.1")
    with box_on_a_small_disk("desktop/recordings", "16m", *flags) as (box, disk), box.client() as api:
        show_clock(api, site, **start)
        until(lambda: len(pieces(disk)) >= 2, what="the first pieces")
        disk.fill()
        until(lambda: "film.ended" in box.log.read_text(), what="the film's end")
        act(api)
        # Nothing of it, or a refusal that says why: never a failure of ours.
        assert keep_film(api).json().get("code", "disk_full") == "disk_full"
        # A failure meanwhile, of which no film can be made.
        api.post("/v1/browser/navigate", json={"url": "chrome://crash", "timeout": 3000})
        until(
            lambda: api.post("/v1/browser/navigate", json={"url": site.url("live/clock.html")}).is_success,
            what="the page",
        )
        act(api)
        assert api.get("/v1/events", params={"kinds": "tab,film"}).status_code == 200
        disk.make_room()
        seen = pieces(disk)
        until(lambda: len(pieces(disk) - seen) >= 3, what="film again", within=40)

        def kept() -> str | None:
            answer = keep_film(api)
            assert answer.status_code == 200, answer.text
            id: str | None = answer.json().get("recordingId")
            return id

        id = until(kept, what="a film of it")
        assert read_film(api.get(f"{LIST}/{id}/download").content)
        assert box.terminate() == 0
        assert "Traceback" not in box.log.read_text()


def test_a_film_on_a_full_disk_fails_alone_and_another_begins_when_there_is_room(site: Site) -> None:
    with box_on_a_small_disk("desktop/recordings", "16m", "--film", "on") as (box, disk), box.client() as api:
        show_clock(api, site, headless=True)
        until(lambda: films(api) and films(api)[0].get("firstFrame"), what="the session's film")
        disk.fill()
        until(lambda: "film.ended" in box.log.read_text(), what="the film's end")
        act(api)
        own = api.post("/v1/desktop/recording/start", json={"fps": 5}).json()
        assert own.get("code", "disk_full") == "disk_full"
        disk.make_room()
        until(
            lambda: films(api)[-1]["status"] == "recording" and films(api)[-1].get("firstFrame"),
            what="another",
            within=40,
        )
        assert box.terminate() == 0
        assert "Traceback" not in box.log.read_text()


def films(api: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(LIST).json()["recordings"]
    return found


@pytest.mark.parametrize("below", ["record/pictures", "record"], ids=["pictures alone", "with the record"])
def test_pictures_that_a_full_disk_refuses_are_counted_and_come_again(site: Site, below: str) -> None:
    with box_on_a_small_disk(below, "2m", "--record", "content") as (box, disk), box.client() as api:
        show_clock(api, site, headless=True)

        def screens() -> int:
            act(api)
            return len(events(api, "screen"))

        until(screens, what="a picture")
        disk.fill()
        before = len(events(api, "screen"))
        for _ in range(5):
            act(api)
        if below == "record/pictures":
            until(lambda: lost(api, "screen"), what="pictures that are counted as lost")
            assert not list(disk.folder.glob(".*")), "half a picture"
        else:
            until(lambda: "record.cannot_write" in box.log.read_text(), what="a record that cannot be written")
        disk.make_room()
        until(lambda: screens() > before + 1, what="pictures again")
        everything = events(api, None)
        assert lost(api, "screen") or lost(api, "call"), "what was lost is told"
        assert [one["seq"] for one in everything] == list(range(1, len(everything) + 1))
        for one in events(api, "screen")[-2:]:
            assert api.get(f"/v1/events/pictures/{one['data']['sha256']}").status_code == 200
        assert box.terminate() == 0
        assert "Traceback" not in box.log.read_text()


def events(api: httpx.Client, kinds: str | None) -> list[dict[str, Any]]:
    asked: dict[str, str | int] = {"limit": 1000} if kinds is None else {"limit": 1000, "kinds": kinds}
    found: list[dict[str, Any]] = api.get("/v1/events", params=asked).json()["events"]
    return found


def lost(api: httpx.Client, kind: str) -> int:
    return sum(one["data"].get(kind, 0) for one in events(api, "system") if one["name"] == "lost")
