"""Which quality, which rendition: tables, and a clock of their own."""

import pytest

from belljar.box.live.stream.pace import Pace, Rendition, choose_quality


@pytest.mark.parametrize(
    ("current", "seconds", "chosen"),
    [(70, 0.01, 80), (80, 0.01, 80), (70, 0.05, 70), (80, 0.2, 70), (60, 0.2, 60), (75, 0.05, 70)],
)
def test_quality_follows_the_fastest_viewer(current: int, seconds: float, chosen: int) -> None:
    assert choose_quality(current, seconds) == chosen


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def watch(pace: Pace, clock: Clock, *, size: int, seconds: float, dropped: int, frames: int = 20) -> None:
    for _ in range(frames):
        clock.now += 0.2
        for _ in range(dropped):
            pace.dropped()
        pace.delivered(size, seconds)


def test_a_viewer_that_falls_behind_on_a_slow_line_gets_the_smaller_rendition() -> None:
    clock = Clock()
    pace = Pace(clock)
    # 100 kB in 0.2 s are 4 Mb/s, and five of six frames never get there.
    watch(pace, clock, size=100_000, seconds=0.2, dropped=5)
    assert pace.rendition is Rendition.SMALL


@pytest.mark.parametrize(("size", "seconds", "dropped"), [(100_000, 0.01, 5), (100_000, 0.2, 0)])
def test_others_keep_the_full_one(size: int, seconds: float, dropped: int) -> None:
    """Who is behind for other reasons than the line, and who is not behind."""
    clock = Clock()
    pace = Pace(clock)
    watch(pace, clock, size=size, seconds=seconds, dropped=dropped)
    assert pace.rendition is Rendition.FULL


def test_the_full_rendition_is_tried_again_later_each_time() -> None:
    clock = Clock()
    pace = Pace(clock)
    waits: list[float] = []
    for _ in range(3):
        watch(pace, clock, size=100_000, seconds=0.2, dropped=5, frames=30)
        assert pace.rendition is Rendition.SMALL
        began = clock.now
        while pace.rendition is Rendition.SMALL:
            watch(pace, clock, size=10_000, seconds=0.02, dropped=0, frames=1)
        waits.append(clock.now - began)
    assert waits == sorted(waits) and waits[0] < waits[-1]
