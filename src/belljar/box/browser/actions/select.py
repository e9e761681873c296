"""Choosing options of a drop-down."""

from collections.abc import Sequence
from typing import Any

import anyio

from belljar.box.browser.actionability import Needs, prepare, refusal
from belljar.box.browser.locate import ACTING, POLL, Target
from belljar.box.browser.page import Page
from belljar.problems.browser import OptionNotFound

# `{"any": …}` (a value, else a label), `{"value": …}`, `{"label": …}` or `{"index": …}`.
Wanted = dict[str, Any]


async def select(
    page: Page, target: Target, wanted: Sequence[Wanted], *, fail_fast: bool = False, deadline: float
) -> list[str]:
    """Choose exactly these options; the values chosen.  Options that are not there yet are waited for."""
    needs = Needs(enabled=True, field=True, fail_fast=fail_fast)
    while True:
        ready = await prepare(page, target, needs, deadline)
        done = await ready.frame.use(ACTING, "choose", list(wanted))
        if "values" in done:
            values: list[str] = done["values"]
            return values
        if "isOther" in done:
            raise OptionNotFound(f"{ready.element} is not a <select>. Click it and then the option.")
        if "isSingle" in done:
            raise OptionNotFound(f"{ready.element} takes one option only.")
        is_over = fail_fast or anyio.current_time() >= deadline
        if is_over and "isDisabled" in done:
            seen = {"state": "blocked", "reason": "disabled", "element": f"An option of {ready.element}"}
            raise refusal(target, seen, is_fast=fail_fast)
        if is_over:
            words = ", ".join(str(next(iter(one.values()))) for one in done["missing"])
            raise OptionNotFound(f"{ready.element} has no option {words}.", available=done["available"])
        left = max(0.0, deadline - anyio.current_time()) * 1000
        await ready.frame.use(ACTING, "change", min(POLL, left))
