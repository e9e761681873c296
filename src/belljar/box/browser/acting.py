"""One action on a page: its turn, its deadline, and what it caused."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import anyio

from belljar.box.browser.browser import Browser
from belljar.box.browser.dialogs import Dialog
from belljar.box.browser.effects import Effects, watched
from belljar.box.browser.page import Page
from belljar.box.browser.report import PATIENCE, Changes, look_after, look_before

Result = TypeVar("Result")
# An action is given its page and the moment (of the event loop's clock) by which it must be over.
Action = Callable[[Page, float], Awaitable[Result]]
# Seconds by which the server's own clock lets an action run over, so that it can say itself what it was waiting for.
GRACE = 1.0


@dataclass(frozen=True)
class Performed(Generic[Result]):
    """`value` is None when a dialog opened before the action was done."""

    page: Page
    value: Result | None
    dialog: Dialog | None
    effects: Effects
    changes: Changes | None = None


async def perform(
    browser: Browser, tab_id: str | None, action: Action[Result], *, timeout: float, doing: str, report: bool = False
) -> Performed[Result]:
    """Act when it is this call's turn on the page, within `timeout` seconds, waiting included.

    With `report` the page's rest is waited for as well, and what changed is told.
    """
    deadline = anyio.current_time() + timeout
    seen: list[Effects] = []
    changes: Changes | None = None

    async def watched_action(page: Page) -> Result:
        nonlocal changes
        with watched(page, browser.run.tabs) as effects:
            seen.append(effects)
            before = await look_before(page) if report else None
            value = await action(page, deadline)
            await effects.settle(deadline)
            if before is not None:
                changes = await look_after(page, before)
            return value

    most = timeout + GRACE + (PATIENCE + GRACE if report else 0)
    outcome = await browser.act(tab_id, watched_action, timeout=most, doing=doing)
    # A page that asks before it is left does so after the click.
    return Performed(outcome.page, outcome.value, outcome.dialog or outcome.page.dialog, seen[0], changes)
