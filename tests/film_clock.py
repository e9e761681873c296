"""`pages/live/clock.html` draws the time; this reads it from a film's frames, and says how far off a film is."""

import random
import time
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import av
import httpx2 as httpx
from PIL import Image

LIST = "/v1/desktop/recordings"
CELL = 24
COLUMNS = 12


@dataclass(frozen=True)
class Shown:
    """A frame: where it stands in the film, in seconds, and the page's clock in it, in microseconds since 1970."""

    place: float
    clock: int
    presses: int


def image_of(frame: Any) -> Image.Image:
    made: Image.Image = frame.to_image()
    return made


def read_cells(picture: Image.Image, count: int, row: int, at: tuple[int, int]) -> int:
    """A number of `count` cells from `row` on.  Raises `ValueError` where a cell is neither black nor white."""
    value = 0
    for place in range(count):
        x = at[0] + (place % COLUMNS) * CELL + CELL // 2
        y = at[1] + (row + place // COLUMNS) * CELL + CELL // 2
        light = picture.getpixel((x, y))
        assert isinstance(light, (int, float))
        if 60 < light < 190:
            raise ValueError(f"the cell {place} is grey: {light}")
        value |= (light > 128) << place
    return value


def read_film(film: bytes, at: tuple[int, int] = (0, 0)) -> list[Shown]:
    """Every frame that shows the clock whole."""
    found = []
    with av.open(BytesIO(film), "r") as file:
        for frame in file.decode(video=0):
            assert frame.time is not None
            picture = image_of(frame).convert("L")
            try:
                clock, presses = read_cells(picture, 48, 0, at) * 64, read_cells(picture, 12, 4, at)
            except (ValueError, IndexError):
                continue
            # Neither a blank page nor one half drawn tells a time of today.
            if abs(clock / 1e6 - time.time()) < 86_400:
                found.append(Shown(frame.time, clock, presses))
    return found


def frame_at(film: list[Shown], place: float) -> Shown:
    """What a player shows at this time of the film."""
    return [one for one in film if one.place <= place + 1e-6][-1]


def make_events(api: httpx.Client, count: int, longest_pause: float) -> list[int]:
    """Calls at random times; when each was there, by the record, in microseconds since 1970."""
    since = api.get("/v1/events", params={"limit": 1}).json()["newest"]
    for _ in range(count):
        time.sleep(random.uniform(0.02, longest_pause))
        api.post("/v1/browser/execute", json={"expression": "1"}).raise_for_status()
    found: list[dict[str, Any]] = []
    while True:
        query = {"since": since, "kinds": "call", "limit": 1000}
        page = api.get("/v1/events", params=query).json()
        found += page["events"]
        since = page["cursor"]
        if not page["more"]:
            break
    times = [one["t"] for one in found if one["name"] == "executeBrowserScript.begin"]
    assert len(times) == count, {one["name"] for one in found}
    return times


def milliseconds_off(
    api: httpx.Client, recording: dict[str, Any], events: list[int], at: tuple[int, int]
) -> list[float]:
    """For each event, how far the clock in the film's frame at its time is from it: late is positive."""
    film = read_film(api.get(f"{LIST}/{recording['id']}/download").content, at)
    first = recording["firstFrame"]["t"]
    return [(t - frame_at(film, (t - first) / 1e6).clock) / 1000 for t in events]
