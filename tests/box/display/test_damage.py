"""Changes of the screen: whoever watches is told, however many begin to at the same moment."""

import anyio
import anyio.lowlevel

from belljar.box.desktop.recording.take import Watch
from belljar.box.display import Connection, Display
from belljar.box.display.x11.pixels import Area
from belljar.wire.desktop import DisplayMode
from tests.box.display.test_pixels import paint

_MOST_WATCHERS = 50


class _Watcher:
    def __init__(self, server: Connection) -> None:
        self._told = anyio.Event()
        self.has_begun = False
        self.watch = Watch(server, lambda: self._told.set())

    async def begin(self) -> None:
        await self.watch.__aenter__()
        self.has_begun = True

    async def settle(self) -> None:
        """Until all that was there at first is looked at."""
        while await self.watch.has_changed():
            await self.watch.new_cursor()
        self._told = anyio.Event()

    async def told(self) -> bool:
        with anyio.fail_after(10):
            await self._told.wait()
            return await self.watch.has_changed()


async def test_all_who_begin_to_watch_a_fresh_display_at_once_are_told_of_changes(display: Display) -> None:
    await display.start(DisplayMode.DESKTOP, 101, 51)
    server = await display.connection()
    watchers: list[_Watcher] = []
    async with anyio.create_task_group() as tasks:
        # One more at each turn of the loop, so that some come while the first still asks what the server has.
        while len(watchers) < _MOST_WATCHERS and not (watchers and watchers[0].has_begun):
            watchers.append(_Watcher(server))
            tasks.start_soon(watchers[-1].begin)
            await anyio.lowlevel.checkpoint()
    for watcher in watchers:
        assert await watcher.watch.has_changed()  # The first grab never waits for a change.
        await watcher.settle()
    for colour in (0x102030, 0x405060):
        await paint(server, Area(0, 0, 20, 20), colour)
        for watcher in watchers:
            assert await watcher.told()
            await watcher.settle()
    for watcher in watchers:
        await watcher.watch.__aexit__(None, None, None)


async def test_a_change_is_told_of_after_the_screen_got_another_size(display: Display) -> None:
    await display.start(DisplayMode.DESKTOP, 200, 100)
    server = await display.connection()
    watcher = _Watcher(server)
    async with watcher.watch:
        await watcher.settle()
        await display.resize(160, 80)
        await watcher.settle()
        await paint(server, Area(0, 0, 20, 20), 0x102030)
        assert await watcher.told()
