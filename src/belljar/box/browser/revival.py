"""Pages that no longer answer: an endless loop is ended, a crashed renderer replaced."""

import time

import anyio
import structlog

from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.page import Page
from belljar.problems import Problem

log = structlog.get_logger(__name__)

# A page at work may be silent this long without being thought stuck.
PATIENCE = 1.0
# More crashes than this within a minute, and the tab is left as it is.
MOST_RELOADS = 3


async def end_endless_loop(page: Page) -> None:
    """After a call ran out of time: make sure that the page answers, by whatever it takes.

    First its script is terminated; a renderer that does not even take that is crashed, and reloaded like any
    other that crashed.  A page that only waits (for a promise, a timer, a server) answers and is left alone.
    """
    if page.dialog is not None or page.is_closed or page.is_crashed or await _answers(page):
        return
    log.warning("page.stuck", tab=page.id)
    for session in page.sessions:
        session.tell("Runtime.terminateExecution")
    if page.dialog is not None or await _answers(page):
        return
    log.warning("page.crashing", tab=page.id)
    if not page.is_closed:
        page.session.tell("Page.crash")


async def _answers(page: Page) -> bool:
    with anyio.move_on_after(PATIENCE):
        try:
            await page.session.send("Runtime.evaluate", expression="0")
        except CdpError:
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
        with anyio.move_on_after(30):
            try:
                await page.session.send("Page.reload")
            except (CdpError, CdpGone) as error:
                log.warning("page.not_reloaded", tab=page.id, error=str(error))
