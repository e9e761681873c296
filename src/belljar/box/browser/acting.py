"""One action on a page: its turn, its deadline, and what it caused."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import anyio

from belljar.box.browser.browser import Browser
from belljar.box.browser.calls import Outcome
from belljar.box.browser.dialogs import Dialog, answer
from belljar.box.browser.effects import Effects, watched
from belljar.box.browser.page import Page
from belljar.box.browser.report import Changes, last_look, look_after, look_before
from belljar.box.browser.rest import PATIENCE
from belljar.problems.browser import DialogOpen
from belljar.wire.browser.report import ReportWish

Result = TypeVar("Result")
# An action is given its page and the moment (of the event loop's clock) by which it must be over.
Action = Callable[[Page, float], Awaitable[Result]]
# Seconds by which the server's own clock lets an action run over, so that it can say itself what it was waiting for.
GRACE = 1.0


@dataclass(frozen=True)
class Performed(Outcome[Result]):
    """`value` is None when a dialog opened before the action was done; `effects` when nobody watched."""

    effects: Effects | None = None
    changes: Changes | None = None


async def perform(
    browser: Browser,
    tab_id: str | None,
    action: Action[Result],
    *,
    timeout: float,
    doing: str,
    report: ReportWish | None = None,
    is_leaving: bool = False,
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
            before = await look_before(page, report) if report is not None else None
            value = await action(page, deadline)
            await effects.settle(deadline)
            if report is not None and before is not None:
                changes = await look_after(page, before, report)
            return value

    grace = GRACE + (PATIENCE + GRACE if report is not None else 0)
    outcome = await browser.act(
        tab_id, watched_action, timeout=timeout, grace=grace, doing=doing, is_leaving=is_leaving
    )
    # A page that asks before it is left does so after the click.
    return Performed(outcome.page, outcome.value, outcome.dialog or outcome.page.dialog, seen[-1], changes)


async def perform_plain(
    browser: Browser,
    tab_id: str | None,
    action: Callable[[Page], Awaitable[Result]],
    *,
    timeout: float,
    doing: str,
    report: ReportWish | None,
    is_leaving: bool = False,
) -> Performed[Result]:
    """As `perform`, for what is cut off at its deadline, and watched only for a report."""
    if report is None:
        outcome = await browser.act(tab_id, action, timeout=timeout, doing=doing, is_leaving=is_leaving)
        return Performed(outcome.page, outcome.value, outcome.dialog)

    async def within(page: Page, deadline: float) -> Result:
        with anyio.fail_after(deadline - anyio.current_time()):
            return await action(page)

    return await perform(browser, tab_id, within, timeout=timeout, doing=doing, report=report, is_leaving=is_leaving)


async def answer_and_watch(
    browser: Browser, tab_id: str, *, accept: bool, text: str | None, timeout: float, doing: str, wish: ReportWish
) -> tuple[Dialog, Performed[None]]:
    """Answer a page's dialog and tell what came of it; of the page before, only what snapshots had seen is known."""
    deadline = anyio.current_time() + timeout

    async def answered_and_watched(page: Page) -> tuple[Dialog, Performed[None]]:
        with watched(page, browser.run.tabs) as effects:
            before = last_look(page)
            answered = await answer(page, accept=accept, text=text)
            async with page.turn:
                changes: Changes | None = None
                try:
                    await effects.settle(deadline)
                    changes = await look_after(page, before, wish)
                except DialogOpen:
                    pass
                return answered, Performed(page, None, page.dialog, effects, changes)

    return await browser.use(tab_id, answered_and_watched, timeout=timeout, grace=PATIENCE + GRACE, doing=doing)
