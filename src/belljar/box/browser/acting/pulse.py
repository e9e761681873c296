"""Whether Chromium is still there: asked while calls wait for it, so that they hear more than of a timeout."""

from collections.abc import Collection

import anyio

from belljar.box.browser.acting.action import Call
from belljar.box.browser.cdp.replies import Part as Anything
from belljar.box.browser.chromium.instance import ChromiumInstance
from belljar.box.browser.page.page import Page

# Seconds between looks at the calls that wait, and how long one waits before Chromium is asked.
TICK = 1.0
# Seconds without an answer from Chromium's own process after which it is given up: its tabs are opened in another one.
GIVEN_UP = 8.0
# Seconds after which a page that somebody wants to leave must have gone, or else be at work on nothing else.
LEAVING = 2.0
# Seconds that a new page may take to come to life.
APPEARING = 3.0
# A wait of one tick that took longer than this says that this process had no time: Chromium cannot have had any either.
_STARVED = 2.0


class Pulse:
    """Of one life of Chromium.  `watch` runs beside it and returns when it was silent for too long."""

    def __init__(self, run: ChromiumInstance, calls: Collection[Call]) -> None:
        self._instance = run
        self._browser = run.connection.browser
        self._calls = calls
        # Somebody wants to know though no call waits.
        self.is_wanted = False
        # For how many seconds it has not answered.
        self.silence = 0.0

    async def watch(self) -> None:
        """Until Chromium has been silent for too long.  Its end cancels this."""
        with anyio.CancelScope() as scope:
            self._browser.on_gone.append(scope.cancel)
            async with anyio.create_task_group() as tasks:
                while self.silence < GIVEN_UP:
                    await anyio.sleep(TICK)
                    waiting = self._waiting(TICK)
                    if waiting or self.is_wanted:
                        self.is_wanted = False
                        await self._ask()
                    for page in (*self._being_left(), *(self._not_appearing() if waiting else ())):
                        tasks.start_soon(self._instance.look_after, page)
                tasks.cancel_scope.cancel()

    def _waiting(self, seconds: float) -> list[Call]:
        now = anyio.current_time()
        return [call for call in self._calls if call.began is not None and now - call.began >= seconds]

    async def _ask(self) -> None:
        """Count the seconds until it answers, as far as we had the time to hear it."""
        heard = anyio.Event()
        self._browser.ask(Anything, "Browser.getVersion", lambda _: heard.set())
        while self.silence < GIVEN_UP:
            began = anyio.current_time()
            with anyio.move_on_after(TICK):
                await heard.wait()
                self.silence = 0.0
                return
            if anyio.current_time() - began < _STARVED:
                self.silence += TICK

    def _being_left(self) -> list[Page]:
        """Pages whose script, when it never ends, would keep the next document from coming."""
        pages = {call.page for call in self._waiting(LEAVING) if call.page is not None}
        return [page for page in pages if page.is_being_left]

    def _not_appearing(self) -> list[Page]:
        pages = [page for page in self._instance.tabs.pages.values() if not page.is_ready]
        return [page for page in pages if anyio.current_time() - page.attached_at > APPEARING]
