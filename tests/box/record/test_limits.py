"""Bounds of the record: too much at once, a full disk, a size and an age."""

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from belljar.box.record import Bus, Record, open_record
from belljar.box.record.bus import MAX_HELD_BYTES, PAGE, SHARE, SHARES
from belljar.box.record.retention import Retention, prune
from belljar.record.segments import Reader, segments
from belljar.wire.desktop import Recording, RecordingList, RecordingStatus
from belljar.wire.record import EventKind, RecordLevel
from tests.servers import running_box


@asynccontextmanager
async def opened(folder: Path, level: RecordLevel = RecordLevel.ACTIONS) -> AsyncIterator[Record]:
    async with open_record(Bus(), folder, box="box", level=level, kinds=frozenset(EventKind)) as record:
        yield record


def told(record: Record) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Reader(record.folder).lines()]


async def test_of_a_page_that_logs_without_end_a_share_is_written_and_the_rest_counted(tmp_path: Path) -> None:
    async with opened(tmp_path) as record:
        for n in range(100_000):
            record.bus.tell(EventKind.CONSOLE, "log", actor=PAGE, data={"text": f"line {n}", "level": "log"})
        record.bus.tell(EventKind.CALL, "listProcesses.begin")
        await record.flush()
        record.bus.tell(EventKind.MARK, "mark", data={"mark": "after"})
        await record.flush()
        found = told(record)
    lines = [event for event in found if event["kind"] == "console"]
    [lost] = [event for event in found if event["name"] == "lost"]
    assert lost["data"]["reason"] == "rate"
    assert len(lines) + lost["data"]["console"] == 100_000
    # In how many seconds it was told is not ours to say.
    assert len(lines) % SHARES[EventKind.CONSOLE] == 0
    assert [event["kind"] for event in found][-2:] == ["call", "mark"]
    assert [event["seq"] for event in found] == list(range(1, len(found) + 1))


async def test_what_waits_is_bounded_however_slow_the_writer_is(tmp_path: Path) -> None:
    async with opened(tmp_path) as record:
        big = "x" * 60_000
        for _ in range(200):
            record.bus.tell(EventKind.CALL, "x.begin", data={"text": big}, held_bytes=len(big))
        held = (one.data for one in record.bus.waiting)
        assert sum(len(str(data.get("text", ""))) for data in held if isinstance(data, dict)) <= MAX_HELD_BYTES
        for kind in EventKind:
            for _ in range(SHARE * 12):
                record.bus.tell(kind, "flood")
        assert len(record.bus.waiting) <= 8192
        await record.flush()
        found = told(record)
    assert all(len(json.dumps(event)) < 5000 for event in found)
    assert any(event["name"] == "lost" for event in found)


async def test_an_event_whose_data_cannot_be_made_is_written_without_it(tmp_path: Path) -> None:
    def broken() -> dict[str, Any]:
        raise ZeroDivisionError

    async with opened(tmp_path) as record:
        record.bus.tell(EventKind.CONSOLE, "one", actor=PAGE, data=broken)
        record.bus.tell(EventKind.CONSOLE, "half a character", actor=PAGE, data={"id": "\ud800"})
        record.bus.tell(EventKind.MARK, "three", data={"mark": "after"})
        await record.flush()
        found = told(record)
    assert [event["data"] for event in found[1:]] == [{"cut": True}, {"cut": True}, {"mark": "after"}]


async def test_whoever_listens_hears_of_everything_at_once_and_the_record_of_what_is_chosen(tmp_path: Path) -> None:
    async with opened(tmp_path, RecordLevel.NONE) as record:
        heard: list[str] = []
        stop = record.bus.listen(lambda event: heard.append(event.name))
        record.bus.tell(EventKind.MARK, "one")
        stop()
        record.bus.tell(EventKind.MARK, "two")
        await record.flush()
        assert heard == ["one"] and told(record) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small file system: a full disk is NOT tested")
def test_a_full_disk_stops_nothing_and_what_it_lost_is_counted(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o711)
    folder = tmp_path / "state" / "record"
    folder.mkdir(parents=True)
    small = f'mount -t tmpfs -o size=256k,mode=700 tmpfs {folder}; exec "$@"'
    inside = ("unshare", "--mount", "sh", "-c", small, "sh")
    state = ("--jail", "off", "--state-dir", str(tmp_path / "state"))
    with running_box(*state, inside=inside) as box, box.client() as http:
        http.get("/v1/processes")
        before = http.get("/v1/events").json()
        ballast = Path(f"/proc/{box.process.pid}/root{folder}/ballast")
        with pytest.raises(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
        # More than what is left of the last block.
        for _ in range(60):
            assert http.get("/v1/processes").status_code == 200
            assert http.get("/v1/events", params={"limit": 1}).status_code == 200
        assert http.post("/v1/events/marks", json={"text": "while full"}).status_code == 200
        full = http.get("/v1/events", params={"limit": 1000}).json()
        ballast.unlink()
        http.post("/v1/events/marks", json={"text": "room again"})
        after = http.get("/v1/events", params={"since": full["newest"], "limit": 1000}).json()["events"]
        everything = http.get("/v1/events", params={"limit": 1000}).json()["events"]
        assert "record.cannot_write" in box.log.read_text()
    assert before["events"] == full["events"][: len(before["events"])]
    lost = after[0]
    assert lost["name"] == "lost" and lost["data"]["reason"] == "disk"
    assert lost["data"]["call"] >= 2 and lost["data"]["mark"] == 1
    assert [event["data"].get("mark") for event in after if event["kind"] == "mark"] == ["room again"]
    assert [event["seq"] for event in everything] == list(range(1, len(everything) + 1))


class FilmsInMemory:
    """What there is to remove, without a display to film."""

    def __init__(self, *ended: float) -> None:
        self.films = [
            Recording(
                id=f"rec_{n}",
                status=RecordingStatus.COMPLETED,
                file_name=f"rec_{n}.mp4",
                bytes=1,
                started_at=datetime.fromtimestamp(at - 1, UTC).isoformat(),
                ended_at=datetime.fromtimestamp(at, UTC).isoformat(),
                width=1,
                height=1,
                fps=1,
            )
            for n, at in enumerate(ended)
        ]

    async def list(self) -> RecordingList:
        return RecordingList(recordings=self.films)

    async def delete(self, id: str) -> None:
        self.films = [film for film in self.films if film.id != id]


async def write(record: Record, count: int) -> None:
    for _ in range(count):
        record.bus.tell(EventKind.MARK, "mark", data={"mark": "word " * 60})
    await record.flush()
    await record.begin_segment()


async def test_the_oldest_goes_when_there_is_too_much_and_films_of_that_time_with_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as record:
        for _ in range(4):
            await write(record, 50)
        now = record.bus.clock.origin.wall / 1e6
        films = FilmsInMemory(now - 100, now + 100)
        size = sum(segment.size for segment in segments(record.folder))
        await prune(record, films, Retention(size // 2, None))
        await record.flush()
        found = told(record)
        assert sum(segment.size for segment in segments(record.folder)) <= size // 2 + 1000
        assert [event["seq"] for event in found] == list(range(found[0]["seq"], record.newest + 1))
        assert found[0]["seq"] > 1 and record.reader.oldest() == found[0]["seq"]
        assert found[-1]["name"] == "retention"
        assert [film.id for film in films.films] == ["rec_1"]
    async with opened(tmp_path) as again:
        assert again.newest >= found[-1]["seq"]


async def test_all_that_is_too_old_goes_and_counting_goes_on(tmp_path: Path) -> None:
    async with opened(tmp_path) as record:
        await write(record, 20)
        newest = record.newest
        long_ago = record.bus.clock.origin.wall / 1e6 - 1000
        pictures = record.folder / "pictures"
        pictures.mkdir()
        (pictures / "old.jpg").write_bytes(b"x")
        for path in (*(segment.path for segment in segments(record.folder)), pictures / "old.jpg"):
            os.utime(path, (long_ago, long_ago))
        (pictures / "new.jpg").write_bytes(b"x")
        films = FilmsInMemory(long_ago)
        await prune(record, films, Retention(None, 500))
        await record.flush()
        assert [event["seq"] for event in told(record)] == [newest + 1, newest + 2]
        assert [path.name for path in pictures.iterdir()] == ["new.jpg"]
        assert films.films == []


async def test_pictures_of_the_segment_that_is_written_are_held_to_the_bound_too(tmp_path: Path) -> None:
    """A segment of events has hundreds of times its own size in pictures, and was the one that always stays."""
    async with opened(tmp_path) as record:
        record.bus.tell(EventKind.MARK, "mark", data={"mark": "a word"})
        await record.flush()
        pictures = record.folder / "pictures"
        pictures.mkdir()
        now = record.bus.clock.origin.wall / 1e6
        for number in range(10):
            (pictures / f"{number}.jpg").write_bytes(bytes(100_000))
            os.utime(pictures / f"{number}.jpg", (now, now - number))
        await prune(record, FilmsInMemory(), Retention(500_000, None))
        assert sorted(path.name for path in pictures.iterdir()) == ["0.jpg", "1.jpg", "2.jpg", "3.jpg"]
        assert [event["data"].get("mark") for event in told(record)][-1] == "a word"


async def test_nothing_goes_within_the_bounds(tmp_path: Path) -> None:
    async with opened(tmp_path) as record:
        await write(record, 20)
        before = told(record)
        await prune(record, FilmsInMemory(0), Retention(1 << 20, 500))
        await record.flush()
        assert told(record) == before


async def test_a_reader_that_retention_overtakes_goes_on_with_what_is_left(tmp_path: Path) -> None:
    async with opened(tmp_path) as record:
        for _ in range(3):
            await write(record, 10)
        lines = record.reader.lines()
        next(lines)
        await prune(record, FilmsInMemory(), Retention(1, None))
        rest = [json.loads(line)["seq"] for line in lines]
        assert rest[-1] <= record.newest and rest == sorted(rest)
