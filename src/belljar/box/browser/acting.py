"""One action on a page: its turn, its deadline, and what it caused."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import anyio

from belljar.box.browser.browser import Browser
from belljar.box.browser.dialogs import Dialog
from belljar.box.browser.effects import Effects, watched
from belljar.box.browser.page import Page

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


async def perform(
    browser: Browser, tab_id: str | None, action: Action[Result], *, timeout: float, doing: str
) -> Performed[Result]:
    """Act when it is this call's turn on the page, within `timeout` seconds, waiting included."""
    deadline = anyio.current_time() + timeout
    seen: list[Effects] = []

    async def watched_action(page: Page) -> Result:
        with watched(page, browser.run.tabs) as effects:
            seen.append(effects)
            value = await action(page, deadline)
            await effects.settle(deadline)
            return value

    outcome = await browser.act(tab_id, watched_action, timeout=timeout + GRACE, doing=doing)
    return Performed(outcome.page, outcome.value, outcome.dialog, seen[0])
