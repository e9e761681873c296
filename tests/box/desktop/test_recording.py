"""Films of the screen: what they show, how long they are, and what is left of them when something breaks."""

import os
import resource
import signal
import tempfile
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import anyio
import av
import httpx2 as httpx
import pytest
from PIL import Image

from belljar.box.desktop import open_desktop
from belljar.box.desktop.recording.recordings import Slot
from belljar.box.display import open_display
from belljar.box.process import Program, open_processes
from belljar.box.record import Bus
from belljar.problems.box import DiskFull
from belljar.wire.desktop import StartDesktop
from belljar.wire.record import EventKind
from tests.box.desktop.conftest import end, notepad, on_host, until
from tests.servers import RunningBox, running_box

START, STOP, LIST = "/v1/desktop/recording/start", "/v1/desktop/recording/stop", "/v1/desktop/recordings"


@pytest.fixture(autouse=True)
def nothing_is_recording(desktop: httpx.Client) -> Iterator[None]:
    yield
    desktop.post(STOP)


def frames(film: bytes) -> list[av.VideoFrame]:
    with av.open(BytesIO(film), "r") as file:
        return list(file.decode(video=0))


def picture(frame: Any) -> Image.Image:
    shown: Image.Image = frame.to_image()
    return shown


def colour(frame: av.VideoFrame, x: int, y: int) -> tuple[int, ...]:
    return tuple(picture(frame).getpixel((x, y)))  # type: ignore[arg-type]


def is_close(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) <= 12 for a, b in zip(one, other, strict=True))


def wait_for_bytes(desktop: httpx.Client, id: str, count: int) -> None:
    until(lambda: desktop.get(f"{LIST}/{id}").json()["bytes"] > count, f"{count} bytes of film")


def encoder_of(box: RunningBox) -> int:
    """The encoder's process, which is the box's own and not listed."""

    def parents(pid: int) -> Iterator[int]:
        while pid > 1:
            yield pid
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])

    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"encoder.py" in (folder / "cmdline").read_bytes() and box.process.pid in parents(int(folder.name)):
                return int(folder.name)
        except OSError:
            continue
    raise AssertionError("no encoder runs")


def test_a_film_shows_what_happened(desktop: httpx.Client) -> None:
    began = time.monotonic()
    started = desktop.post(START, json={"fps": 20}).json()
    assert started["status"] == "recording"
    assert started["fileName"] == f"{started['id']}.mp4"
    with notepad(desktop, "--at", "200x200+100+100", "--colour", "C86432") as pad:
        window = desktop.get("/v1/desktop/windows").json()["windows"][-1]
        assert window["id"] == pad.window_id
        until(lambda: time.monotonic() - began > 1.5, "a second and a half of film")
        stopped = desktop.post(STOP).json()
    lasted = time.monotonic() - began
    assert stopped["status"] == "completed"
    film = desktop.get(f"{LIST}/{stopped['id']}/download").content
    assert stopped["bytes"] == len(film)
    shown = frames(film)
    assert not is_close(colour(shown[0], window["x"] + 50, window["y"] + 50), (0xC8, 0x64, 0x32))
    assert is_close(colour(shown[-1], window["x"] + 50, window["y"] + 50), (0xC8, 0x64, 0x32))
    assert (shown[0].width, shown[0].height) == (800, 600)
    the_last_frame_is_shown_whole = 1 / 20
    assert 1.2 <= stopped["durationMs"] / 1000 <= lasted + the_last_frame_is_shown_whole
    with av.open(BytesIO(film), "r") as file:
        assert file.duration is not None
        assert abs(file.duration / 1000 - stopped["durationMs"]) <= 100


def test_the_first_frames_time_is_that_of_what_it_shows(desktop: httpx.Client) -> None:
    """A film asked for at one time begins at another: what it shows first is what was there then."""
    before = time.time()
    with notepad(desktop, "--at", "200x200+100+100", "--colour", "C86432"):
        asked = time.time()
        id = desktop.post(START, json={"fps": 30}).json()["id"]
        first = until(lambda: desktop.get(f"{LIST}/{id}").json().get("firstFrame"), "the first frame")
        known = time.time()
        stopped = desktop.post(STOP).json()
    assert stopped["firstFrame"] == first
    assert before < asked <= first["t"] / 1e6 <= known
    assert first["mono"] > 0 and "gaps" not in stopped
    shown = frames(desktop.get(f"{LIST}/{id}/download").content)
    assert shown[0].pts == 0
    assert is_close(colour(shown[0], 150, 180), (0xC8, 0x64, 0x32))


def test_a_finished_film_can_be_seeked_from_its_head(desktop: httpx.Client) -> None:
    desktop.post(START, json={})
    id = desktop.post(STOP).json()["id"]
    film = desktop.get(f"{LIST}/{id}/download").content
    assert film[4:8] == b"ftyp"
    assert 0 < film.find(b"moov") < film.find(b"mdat")
    assert b"moof" not in film


def test_the_pointer_is_in_the_film(desktop: httpx.Client) -> None:
    with notepad(desktop, "--at", "300x300+100+100", "--colour", "FFFFFF"):
        desktop.post("/v1/desktop/mouse/move", json={"x": 200, "y": 250})
        desktop.post(START, json={"fps": 10})
        id = desktop.post(STOP).json()["id"]
    last = picture(frames(desktop.get(f"{LIST}/{id}/download").content)[-1])
    grey = last.convert("L")
    dark = [(x, y) for x in range(190, 225) for y in range(240, 280) if grey.tobytes()[y * grey.width + x] < 100]
    assert dark
    assert min(abs(x - 200) + abs(y - 250) for x, y in dark) <= 6


def test_ranges_and_headers_of_a_download(desktop: httpx.Client) -> None:
    desktop.post(START, json={})
    id = desktop.post(STOP).json()["id"]
    path = f"{LIST}/{id}/download"
    whole = desktop.get(path)
    assert whole.headers["content-type"] == "video/mp4"
    assert whole.headers["x-content-type-options"] == "nosniff"
    assert whole.headers["content-disposition"].startswith("attachment")
    part = desktop.get(path, headers={"Range": "bytes=4-11"})
    assert (part.status_code, part.content) == (206, whole.content[4:12])
    assert part.headers["content-range"] == f"bytes 4-11/{len(whole.content)}"
    assert desktop.get(path, headers={"Range": "bytes=99999999-"}).status_code == 416
    assert int(desktop.head(path).headers["content-length"]) == len(whole.content)


def test_a_recording_names_its_process(desktop: httpx.Client) -> None:
    started = desktop.post(START, json={}).json()
    assert started["processId"].startswith("own_")
    stopped = desktop.post(STOP).json()
    assert stopped["processId"] == started["processId"]
    assert desktop.get(f"{LIST}/{started['id']}").json()["processId"] == started["processId"]


def test_one_at_a_time(desktop: httpx.Client) -> None:
    id = desktop.post(START, json={}).json()["id"]
    again = desktop.post(START, json={})
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    refused = desktop.delete(f"{LIST}/{id}")
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert desktop.post(STOP).json()["id"] == id
    none = desktop.post(STOP)
    assert (none.status_code, none.json()["code"]) == (409, "conflict")
    assert desktop.delete(f"{LIST}/{id}").status_code == 204
    assert desktop.get(f"{LIST}/{id}").status_code == 404
    assert desktop.get(f"{LIST}/{id}/download").json()["details"] == {"resource": "desktop_recording", "id": id}
    assert id not in [one["id"] for one in desktop.get(LIST).json()["recordings"]]


@pytest.mark.parametrize(("asked", "given"), [(0, 1), (5, 5), (1000, 60), (None, 30)])
def test_the_pace_is_kept_within_bounds(desktop: httpx.Client, asked: int | None, given: int) -> None:
    started = desktop.post(START, json={"fps": asked}).json()
    assert started["fps"] == given
    assert desktop.post(STOP).json()["status"] == "completed"


def test_the_encoder_ends_when_there_is_nothing_to_do(desktop: httpx.Client, desktop_box: RunningBox) -> None:
    desktop.post(START, json={})
    encoder = encoder_of(desktop_box)
    desktop.post(STOP)
    desktop.post(START, json={})
    assert encoder_of(desktop_box) == encoder
    desktop.post(STOP)
    deadline = time.monotonic() + 30
    while Path(f"/proc/{encoder}").exists():
        assert time.monotonic() < deadline, "the encoder stays"
        time.sleep(0.2)


def test_a_full_disk_fails_the_recording_and_keeps_the_film(desktop: httpx.Client, desktop_box: RunningBox) -> None:
    started = desktop.post(START, json={"fps": 30}).json()
    pid = encoder_of(desktop_box)
    with notepad(desktop):
        wait_for_bytes(desktop, started["id"], 1000)
        size = desktop.get(f"{LIST}/{started['id']}").json()["bytes"]
        # To a writer a file that may not grow is a disk that is full.
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size + 100, size + 100))

        def failed() -> Any:
            desktop.post("/v1/desktop/mouse/move", json={"x": 1 + time.time_ns() % 500, "y": 100})
            found = desktop.get(f"{LIST}/{started['id']}").json()
            return found if found["status"] != "recording" else None

        ended = until(failed, "the recording to fail")
    assert (ended["status"], ended["error"]) == ("failed", "the disk is full")
    assert frames(desktop.get(f"{LIST}/{started['id']}/download").content)
    os.kill(pid, signal.SIGKILL)


def test_a_killed_encoder_fails_the_recording_and_the_next_works(
    desktop: httpx.Client, desktop_box: RunningBox
) -> None:
    started = desktop.post(START, json={}).json()
    wait_for_bytes(desktop, started["id"], 1000)
    os.kill(encoder_of(desktop_box), signal.SIGKILL)
    ended = until(
        lambda: (found := desktop.get(f"{LIST}/{started['id']}").json())["status"] == "failed" and found, "the end"
    )
    assert ended["error"]
    assert frames(desktop.get(f"{LIST}/{started['id']}/download").content)
    assert desktop.post(START, json={}).status_code == 200
    assert desktop.post(STOP).json()["status"] == "completed"


def test_a_film_is_made_though_the_idle_encoder_was_killed_just_now(
    desktop: httpx.Client, desktop_box: RunningBox
) -> None:
    for _ in range(5):
        desktop.post(START, json={})
        desktop.post(STOP)
        os.kill(encoder_of(desktop_box), signal.SIGKILL)
        assert desktop.post(START, json={}).status_code == 200
        assert desktop.post(STOP).json()["status"] == "completed"


def test_filming_goes_on_when_xvfb_was_killed(desktop: httpx.Client, desktop_box: RunningBox) -> None:
    desktop.post(START, json={"fps": 10})
    (xvfb,) = [one for one in desktop.get("/v1/desktop/status").json()["processes"] if one["name"] == "Xvfb"]
    killed = time.time()
    end(on_host(desktop_box, xvfb["pid"]))
    assert desktop.get("/v1/desktop/mouse/position").status_code == 200
    with notepad(desktop, "--at", "200x200+100+100", "--colour", "C86432"):
        window = desktop.get("/v1/desktop/windows").json()["windows"][-1]
        stopped = desktop.post(STOP).json()
    assert stopped["status"] == "completed"
    (gap,) = stopped["gaps"]
    assert gap["reason"] == "the display was restarted"
    assert stopped["firstFrame"]["mono"] <= gap["from"]["mono"] < gap["to"]["mono"]
    assert gap["from"]["t"] - gap["from"]["mono"] == stopped["firstFrame"]["t"] - stopped["firstFrame"]["mono"]
    assert killed - 1 <= gap["from"]["t"] / 1e6 <= gap["to"]["t"] / 1e6 <= time.time()
    events = desktop.get("/v1/events", params={"kinds": "film"}).json()["events"]
    told = [one for one in events if one["data"]["recordingId"] == stopped["id"]]
    assert [one["name"] for one in told] == ["started", "first_frame", "gap.begin", "gap.end", "ended"]
    moments = [{"t": one["t"], "mono": one["mono"]} for one in told]
    assert moments[1:4] == [stopped["firstFrame"], gap["from"], gap["to"]]
    assert told[-1]["data"]["durationMs"] == stopped["durationMs"]
    last = frames(desktop.get(f"{LIST}/{stopped['id']}/download").content)[-1]
    assert is_close(colour(last, window["x"] + 50, window["y"] + 50), (0xC8, 0x64, 0x32))


def test_an_odd_screen_is_filmed_and_stopping_the_desktop_completes_the_film() -> None:
    with running_box() as box, box.client() as http:
        assert http.post(START, json={}).json()["code"] == "conflict"
        http.post("/v1/desktop/start", json={"width": 641, "height": 403, "recordingFps": 12})
        started = http.post(START, json={}).json()
        assert started["fps"] == 12
        http.post("/v1/desktop/stop")
        (recording,) = http.get(LIST).json()["recordings"]
        assert recording["status"] == "completed"
        shown = frames(http.get(f"{LIST}/{recording['id']}/download").content)
        assert (shown[0].width, shown[0].height) == (642, 404)


def test_a_killed_server_leaves_a_film_that_plays_and_the_list_survives() -> None:
    with tempfile.TemporaryDirectory(prefix="belljar-test-") as folder:
        with running_box("--state-dir", folder) as box, box.client() as http:
            http.post("/v1/desktop/start", json={"width": 320, "height": 240})
            http.post(START, json={})
            finished = http.post(STOP).json()
            cut = http.post(START, json={"fps": 30}).json()
            wait_for_bytes(http, cut["id"], 1000)
            box.process.kill()
            box.process.wait()
        assert frames(Path(folder, "desktop", "recordings", f"{cut['id']}.mp4").read_bytes())
        with running_box("--state-dir", folder) as box, box.client() as http:
            one, two = http.get(LIST).json()["recordings"]
            assert one == finished
            assert (two["id"], two["status"]) == (cut["id"], "failed")
            assert two["firstFrame"]["t"] > one["firstFrame"]["t"]
            http.post("/v1/desktop/start", json={"width": 320, "height": 240})
            assert http.post(START, json={}).json()["id"] == "rec_3"
            http.post(STOP)


async def test_all_films_together_have_a_limit(tmp_path: Path) -> None:
    async with open_processes(may_be_root=True) as processes, open_display(processes) as display:
        async with open_desktop(processes, display, tmp_path, most_film_bytes=20_000) as part:
            await part.start(StartDesktop(width=640, height=480))
            film = await part.recordings.start(fps=30)
            noise = Program("xterm", ("-e", "cat /dev/urandom"), env=part.environment)
            await processes.start(noise)
            current = part.recordings._films.get(Slot.CALLER)
            assert current is not None
            with anyio.fail_after(60):
                await current.done.wait()
            film = await part.recordings.get(film.id)
            assert film.error == "the recordings take all of the disk that they may"
            assert film.bytes > 20_000
            with pytest.raises(DiskFull):
                await part.recordings.start(fps=30)


async def test_marks_are_chapters(tmp_path: Path) -> None:
    bus = Bus()
    async with open_processes(may_be_root=True) as processes, open_display(processes) as display:
        async with open_desktop(processes, display, tmp_path, bus=bus) as part:
            await part.start(StartDesktop(width=320, height=240))
            film = await part.recordings.start(fps=10)
            current = part.recordings._films.get(Slot.CALLER)
            assert current is not None
            with anyio.fail_after(20):
                await current.film.timed.until(lambda: current.film.began is not None)
                began = current.film.began
                assert began is not None
                await anyio.sleep(max(0.0, began + 1.2 - time.monotonic()))
            for text, after in (("before it", -1.0), ("signed in", 0.5), ("paid", 1.0)):
                bus.tell(EventKind.MARK, "mark", data={"mark": text}, mono=bus.clock.at_monotonic(began + after))
            await part.recordings.stop()
            path = await part.recordings.film(film.id)
    with av.open(str(path), "r") as file:
        chapters = file.chapters()
    assert [(one["metadata"]["title"], one["start"]) for one in chapters] == [
        ("Start", 0),
        ("signed in", 500),
        ("paid", 1000),
    ]
