"""Segments: numbers without gaps, lines bound to each other, and only what is needed is read."""

import os
from pathlib import Path

import msgspec
import pytest

from belljar.record.segments import (
    NO_CHAIN,
    Actor,
    Event,
    Origin,
    Reader,
    SegmentWriter,
    chained,
    segments,
    unchained,
)

ORIGIN = Origin(1_000_000_000, 0)


def events(count: int, *, first: int = 0) -> list[Event]:
    return [
        Event(0, ORIGIN.wall + (first + n) * 10, (first + n) * 10, "call", f"n{first + n}", Actor("agent", "rest"))
        for n in range(count)
    ]


def written(folder: Path, count: int, *, segment_bytes: int = 4 << 20, batch: int = 10) -> SegmentWriter:
    writer = SegmentWriter(folder, ORIGIN, "box", segment_bytes=segment_bytes)
    for first in range(0, count, batch):
        writer.write(events(min(batch, count - first), first=first))
    return writer


def numbers(lines: list[bytes]) -> list[int]:
    return [msgspec.json.decode(line)["seq"] for line in lines]


def test_events_are_numbered_from_one_without_gaps_over_several_segments(tmp_path: Path) -> None:
    written(tmp_path, 200, segment_bytes=2000).close()
    assert len(segments(tmp_path)) > 5
    assert numbers(list(Reader(tmp_path).lines())) == list(range(1, 201))


def test_each_line_is_bound_to_the_one_before_it_headers_included(tmp_path: Path) -> None:
    written(tmp_path, 100, segment_bytes=2000).close()
    chain = NO_CHAIN
    for segment in segments(tmp_path):
        header = segment.header()
        assert header is not None and header.previous == chain
        for line in segment.path.read_bytes().splitlines(keepends=True):
            body, claimed = unchained(line)
            again, chain = chained(chain, body)
            assert again == line and chain == claimed


@pytest.mark.parametrize("since", [0, 1, 7, 99, 100, 4999, 5000, 9998, 9999])
def test_reading_begins_after_any_number(tmp_path: Path, since: int) -> None:
    written(tmp_path, 10_000, segment_bytes=400_000, batch=500).close()
    lines = Reader(tmp_path).lines(since)
    assert numbers([next(lines)]) == [since + 1]


@pytest.mark.parametrize(("time", "first"), [(0, 1), (1_000_000_000, 1), (1_000_000_001, 2), (1_000_050_000, 5001)])
def test_reading_begins_at_any_time(tmp_path: Path, time: int, first: int) -> None:
    written(tmp_path, 10_000, segment_bytes=400_000, batch=500).close()
    lines = Reader(tmp_path).lines(0, time)
    assert numbers([next(lines)]) == [first]


def test_reading_past_the_end_finds_nothing(tmp_path: Path) -> None:
    written(tmp_path, 100).close()
    assert list(Reader(tmp_path).lines(100)) == []
    assert list(Reader(tmp_path).lines(10**15)) == []
    assert list(Reader(tmp_path).lines(0, 10**18)) == []
    assert list(Reader(tmp_path / "absent").lines()) == []


def test_a_new_writer_goes_on_counting_and_binds_itself_to_the_last_line(tmp_path: Path) -> None:
    before = written(tmp_path, 25)
    before.close()
    after = written(tmp_path, 5)
    after.close()
    assert numbers(list(Reader(tmp_path).lines())) == list(range(1, 31))
    header = segments(tmp_path)[1].header()
    assert header is not None and header.previous == before.chain and header.first == 26


def test_half_a_line_is_not_given_and_is_cut_off_by_the_next_writer(tmp_path: Path) -> None:
    written(tmp_path, 20).close()
    path = segments(tmp_path)[0].path
    os.truncate(path, path.stat().st_size - 10)
    assert numbers(list(Reader(tmp_path).lines())) == list(range(1, 20))
    written(tmp_path, 3).close()
    assert numbers(list(Reader(tmp_path).lines())) == list(range(1, 23))
    assert path.read_bytes().endswith(b'"}\n')


def test_a_segment_without_a_whole_header_is_replaced(tmp_path: Path) -> None:
    written(tmp_path, 20).close()
    (tmp_path / "segment-000000000021.jsonl").write_bytes(b'{"segm')
    written(tmp_path, 3).close()
    assert numbers(list(Reader(tmp_path).lines())) == list(range(1, 24))


def test_only_we_can_read_them(tmp_path: Path) -> None:
    written(tmp_path / "record", 3).close()
    assert (tmp_path / "record").stat().st_mode & 0o777 == 0o700
    assert segments(tmp_path / "record")[0].path.stat().st_mode & 0o777 == 0o600
