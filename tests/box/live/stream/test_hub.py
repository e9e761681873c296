"""The hub with a source of its own: fan-out, pace, and what slow viewers cost."""

from collections.abc import Callable
from io import BytesIO

import anyio.lowlevel
import pytest
from PIL import Image

from belljar.box.live.outbox import as_bytes
from belljar.box.live.stream import Deliver, Frame, Wishes
from belljar.box.live.stream.hub import Hub, Shrinker, open_hub
from belljar.box.live.stream.slot import MAX_UNACKED, Slot


def jpeg(width: int = 1280, height: int = 720) -> bytes:
    file = BytesIO()
    Image.new("RGB", (width, height), (200, 30, 30)).save(file, "JPEG")
    return file.getvalue()


def numbered(number: int) -> Frame:
    return Frame(1280, 720, dpr=1, timestamp=float(number), raw=b"jpeg")


class CountingSource:
    """Delivers pictures as fast as they are taken, and knows how often it was started and stopped."""

    def __init__(self, *, is_broken: bool = False) -> None:
        self.started = 0
        self.stopped = 0
        self.made = 0
        self._is_broken = is_broken

    async def show(self, deliver: Deliver, wishes: Wishes) -> None:
        self.started += 1
        if self._is_broken and self.started == 1:
            raise OSError("the camera fell over")
        try:
            while True:
                self.made += 1
                await deliver(numbered(self.made))
        finally:
            self.stopped += 1


async def take(hub: Hub, slot: Slot) -> Frame:
    with anyio.fail_after(5):
        while not slot.is_ready:
            await anyio.lowlevel.checkpoint()
        picture = await hub.next_for(slot)
    assert picture is not None
    return picture


async def until(is_true: Callable[[], bool]) -> None:
    with anyio.fail_after(5):
        while not is_true():
            await anyio.lowlevel.checkpoint()


def nothing() -> None:
    """For a viewer that looks by itself."""


async def test_the_source_runs_once_from_the_first_viewer_to_the_last() -> None:
    source = CountingSource()
    async with open_hub(source) as hub:
        await anyio.wait_all_tasks_blocked()
        assert (source.started, hub.viewers) == (0, 0)
        with hub.watching(nothing) as one, hub.watching(nothing) as two:
            await take(hub, one)
            await take(hub, two)
            assert (source.started, hub.viewers) == (1, 2)
        await until(lambda: source.stopped == 1)
        made = source.made
        await anyio.wait_all_tasks_blocked()
        assert source.made == made and hub.latest is None


async def test_a_slow_viewer_gets_the_newest_and_its_losses_are_counted() -> None:
    async with open_hub(CountingSource()) as hub:
        with hub.watching(nothing) as quick, hub.watching(nothing) as slow:
            for _ in range(50):
                last = await take(hub, quick)
            newest = await take(hub, slow)
            assert newest.timestamp >= last.timestamp - 1
            assert slow.dropped >= 45 and quick.dropped <= 5
        assert hub.dropped >= 45


async def test_the_source_makes_no_more_than_is_taken() -> None:
    source = CountingSource()
    async with open_hub(source) as hub:
        with hub.watching(nothing) as slot:
            await until(lambda: source.made == 1)
            await anyio.wait_all_tasks_blocked()
            assert source.made == 1
            for _ in range(5):
                await take(hub, slot)
            await anyio.wait_all_tasks_blocked()
            assert source.made <= 7


async def test_a_late_viewer_begins_with_what_there_is() -> None:
    async with open_hub(CountingSource()) as hub:
        with hub.watching(nothing) as first:
            await take(hub, first)
            with hub.watching(nothing) as late:
                assert late.is_ready


async def test_a_source_that_breaks_is_started_again(capfd: pytest.CaptureFixture[str]) -> None:
    source = CountingSource(is_broken=True)
    async with open_hub(source) as hub:
        with hub.watching(nothing) as slot:
            await take(hub, slot)
    assert source.started == 2


def test_who_acknowledges_is_never_sent_further_ahead() -> None:
    slot = Slot(nothing)
    slot.acked(0)
    for number in range(1, 10):
        slot.put(numbered(number))
        if not slot.is_ready:
            break
        picture = slot.take()
        assert picture is not None
        slot.sending(picture)
        slot.sent(picture, 0.001)
    assert number == MAX_UNACKED + 1
    slot.acked(1)
    assert slot.is_ready


async def test_the_smaller_rendition_is_smaller_and_maps_input_alike() -> None:
    full = Frame(1280, 720, dpr=2, timestamp=1, raw=jpeg(2560, 1440))
    shrinker = Shrinker()
    small = await shrinker.small(full)
    assert Image.open(BytesIO(small.data)).size == (640, 360)
    assert (small.width, small.height, small.dpr, small.is_small) == (1280, 720, 0.5, True)
    assert await shrinker.small(full) is small
    assert as_bytes(small)[1] == 1


class SizesSource:
    """Knows which sizes it was asked for, one after another; shows nothing."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []

    async def show(self, deliver: Deliver, wishes: Wishes) -> None:
        while True:
            self.sizes.append((wishes.max_width, wishes.max_height))
            await wishes.stirred.changed()


async def test_pictures_are_as_large_as_somebody_shows_them_and_no_larger_than_there_are() -> None:
    source = SizesSource()
    async with open_hub(source) as hub:
        with hub.watching(lambda: None) as slot, hub.watching(lambda: None) as other:
            await until(lambda: source.sizes == [(1920, 1080)])
            hub.show_on(slot, (2400, 1350))
            await until(lambda: source.sizes[1:] == [(2560, 1440)])
            hub.show_on(other, (1e5, 1e5))
            await until(lambda: source.sizes[2:] == [(3840, 2160)])


async def test_who_says_another_size_all_the_time_changes_it_a_few_times_at_most() -> None:
    source = SizesSource()
    async with open_hub(source) as hub:
        with hub.watching(lambda: None) as slot:
            await until(lambda: len(source.sizes) == 1)
            for number in range(1000):
                hub.show_on(slot, (number * 7919 % 5000 + 0.5, number * 104_729 % 4000 + 0.5))
                await anyio.lowlevel.checkpoint()
            await until(lambda: source.sizes[-1] == (3840, 2160))
            assert len(source.sizes) <= 3


async def test_larger_pictures_end_where_they_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SizesSource()
    async with open_hub(source) as hub:
        with hub.watching(lambda: None) as slot:
            await until(lambda: len(source.sizes) == 1)
            hub.show_on(slot, (3840, 2160))
            await until(lambda: source.sizes[-1] == (3840, 2160))
            # Nobody takes them: each waits for as long as a source does.
            monkeypatch.setattr("belljar.box.live.stream.hub._LONGEST_WAIT", 0.15)
            monkeypatch.setattr("belljar.box.live.stream.hub._RETUNE_SECONDS", 0.5)
            with anyio.fail_after(10):
                while source.sizes[-1] != (1920, 1080):
                    await hub.deliver(numbered(1))
            # Until somebody comes who may be quicker.
            with hub.watching(lambda: None):
                await until(lambda: source.sizes[-1] == (3840, 2160))
