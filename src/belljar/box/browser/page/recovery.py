"""Pages that no longer answer: an endless loop is ended, a crashed renderer replaced."""

import time

import anyio

from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.page.frames import DocumentGone, JsError
from belljar.box.browser.page.page import Page
from belljar.logs import log
from belljar.problems import Problem
from belljar.wire.browser.common import DialogType

# A page at work may be silent this long without being thought stuck.
PATIENCE = 1.0
# Seconds in which a renderer that is crashed on purpose must have gone.
CRASHING = 2.0
# A page whose dialog was cancelled is at work on something else for less than this, or asks again.
ASKING = 0.5
# Seconds in which a page shows whether it does again what it was just kept from.
AGAIN = 0.1
# More crashes than this within a minute, and the tab is left as it is.
MOST_RELOADS = 3
# Seconds after which a crashed page should have something else in its place, unless its server is slow.
RELOADING = 3.0


async def end_endless_loop(page: Page) -> bool:
    """After a call ran out of time: make sure that the page answers.  False where nothing helps.

    First its script is terminated; a renderer that does not even take that is crashed, and reloaded like any
    other that crashed.  A page that only waits (for a promise, a timer, a server) answers and is left alone; so is one
    whose next document is on its way, which nothing can be said about yet.
    """
    if page.dialog is not None or page.is_closed or page.is_crashed or await _answers(page) or page.awaits_server:
        return True
    log.warning("page.stuck", tab=page.id)
    for session in page.sessions:
        session.tell("Runtime.terminateExecution")
    if page.dialog is not None or page.is_closed or await _answers(page) or page.is_given_up:
        return True
    log.warning("page.crashing", tab=page.id)
    crashes = page.crashes
    page.session.tell("Page.crash")
    with anyio.move_on_after(CRASHING):
        # Whoever leaves it meanwhile forgets the crash at once.
        await page.changed.until(lambda: page.is_closed or page.crashes > crashes)
        return True
    return False


async def end_before_leaving(page: Page) -> None:
    """For a call that goes elsewhere, before it does.

    Chromium makes a place for the next document while the last one is still there, and CDP speaks to that place as
    soon as the server has answered.  In an endless loop the last one would keep it from coming, and could no longer be
    reached itself.
    """
    if page.awaits_server:
        # Given up by going elsewhere in any case; as long as it is awaited, nothing reaches the page.
        page.session.tell("Page.stopLoading")
    if page.dialog is not None or page.is_closed or not page.has_renderer or await _is_calm(page):
        return
    log.warning("page.stuck", tab=page.id)
    for session in page.sessions:
        session.tell("Runtime.terminateExecution")
    # A timer of it would begin the next loop at once.
    if page.dialog is None and not page.is_closed and not await _answers(page, PATIENCE, pause=AGAIN):
        await _crash(page)


async def leave_dialog(page: Page) -> None:
    """For a call that goes elsewhere: cancel the dialog in its way, and end a script that only asks again.

    Raises `DialogOpen` the first time, so that the caller knows what was asked; not for a page that asks again and
    again.  Whether to leave (`beforeunload`) is always the caller's to answer.
    """
    dialog = page.dialog
    if dialog is None or dialog.type is DialogType.BEFOREUNLOAD:
        return
    if not page.is_insistent:
        page.refuse_for(dialog)
    log.info("page.dialog_left", tab=page.id, type=dialog.type)
    page.ignore_dialogs()
    await page.until(lambda: page.dialog is None)
    asked = page.unheard_dialogs
    # V8 ends no script that is about to ask again.
    if not await _answers(page, ASKING, pause=AGAIN) or page.unheard_dialogs > asked:
        await _crash(page)


async def _crash(page: Page) -> None:
    """Without a zygote Chromium does not hear of a renderer's end: whoever looks after calls that wait finds out."""
    with anyio.move_on_after(CRASHING):
        await page.crash()


async def _is_calm(page: Page) -> bool:
    """Whether it answers, and will.  One that took its time may have been freed by another call, and begin again."""
    began = anyio.current_time()
    if not await _answers(page):
        return False
    return anyio.current_time() - began < AGAIN or await _answers(page, pause=AGAIN)


async def _answers(page: Page, seconds: float = PATIENCE, *, pause: float = 0.0) -> bool:
    """Whether it does within `seconds`, after a pause that it waits through itself, by a clock not its own."""
    with anyio.move_on_after(seconds):
        try:
            if pause:
                await page.main.evaluate(f"new Promise(done => scheduler.postTask(done, {{ delay: {pause * 1000} }}))")
            else:
                await page.session.send("Runtime.evaluate", expression="0")
        except (CdpError, DocumentGone, JsError):
            pass
        except (CdpGone, Problem):
            # Closed, crashed or in a dialog: others see to those.
            return True
        return True
    return False


class Reloads:
    """Reloads tabs whose renderer crashed, within reason."""

    def __init__(self) -> None:
        self._crashes: dict[str, list[float]] = {}

    def forget(self, page: Page) -> None:
        """What is loaded next has not crashed yet."""
        self._crashes.pop(page.id, None)
        page.forget_crash()

    def has_given_up(self, page: Page) -> bool:
        return page.is_crashed and len(self._crashes.get(page.id, ())) > MOST_RELOADS

    async def reload(self, page: Page) -> None:
        now = time.monotonic()
        crashes = [at for at in self._crashes.get(page.id, ()) if now - at < 60] + [now]
        self._crashes[page.id] = crashes
        if len(crashes) > MOST_RELOADS:
            log.warning("page.left_crashed", tab=page.id)
            page.changed.fire()
            return
        with anyio.move_on_after(RELOADING):
            try:
                await page.session.send("Page.reload")
                await page.changed.until(lambda: page.is_closed or not page.is_crashed)
            except (CdpError, CdpGone) as error:
                log.warning("page.not_reloaded", tab=page.id, error=str(error))
