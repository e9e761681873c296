"""Typing into fields, filling them at once, and striking keys."""

from itertools import count

import anyio

from belljar.box.browser.acting import keyboard
from belljar.box.browser.acting.actionability import Done, Needs, Ready, Seen, prepare, refusal
from belljar.box.browser.acting.locate import ACTING, Target
from belljar.box.browser.cdp.events import BindingCalled
from belljar.box.browser.page.frames import SIGNAL, DocumentGone
from belljar.box.browser.page.page import Page
from belljar.problems import InvalidRequest

# How often a text is typed that fields which are replaced meanwhile have lost.
MOST_TRIES = 3
_SIGNALS = count(1)


async def type_text(
    page: Page,
    target: Target,
    text: str,
    *,
    clear: bool = False,
    delay: float = 0.0,
    fail_fast: bool = False,
    deadline: float,
) -> None:
    """Type at the end of a field, or in place of what it holds.  Dates, colours and ranges are set as a whole."""
    for _ in range(MOST_TRIES):
        # Beyond ASCII several characters may arrive as one.
        keys = len(text) if text.isascii() else min(len(text), 1)
        signal = str(next(_SIGNALS))
        then = ("focus", clear, keys, signal)
        needs = Needs(enabled=True, editable=True, field=True, fail_fast=fail_fast, then=then)
        ready = await prepare(page, target, needs, deadline)
        focused = ready.done
        if focused.is_valued:
            await _set_value(ready, text)
            return
        if not focused.is_focused:
            raise refusal(target, Seen("blocked", ready.element, reason="not_editable"))
        if clear and focused.is_full and text[:1] in ("", "\n", "\r", "\t"):
            await keyboard.press(page.session, "Backspace")
        if not await _type(page, ready, text, delay, keys, signal):
            return
        text, clear = text if clear else f"{focused.before or ''}{text}", True


async def _type(page: Page, ready: Ready, text: str, delay: float, keys: int, signal: str) -> bool:
    """Type; whether the page put another field in the place of this one before all of the keys had arrived.

    Some do when a field gets the focus.  Where keys do more than write, nothing is struck twice.
    """
    # The page signals by itself when all have arrived, and mostly before its answer would come.
    asking = anyio.CancelScope()
    stop = ready.session.on(
        BindingCalled, lambda call: asking.cancel() if (call.name, call.payload) == (SIGNAL, signal) else None
    )
    try:
        await keyboard.type_text(page.session, text, delay=delay)
        if asking.cancel_called or not text.isprintable():
            return False
        with asking:
            return bool(await ready.frame.use(ACTING, "isLost", keys))
        return False
    except DocumentGone:
        return False
    finally:
        stop()


async def fill(page: Page, target: Target, value: str, *, fail_fast: bool = False, deadline: float) -> None:
    """Replace what a field holds at once, with the events of text that is pasted or put in by an input method."""
    value = value.replace("\r\n", "\n")
    needs = Needs(enabled=True, editable=True, field=True, fail_fast=fail_fast, then=("replace", value))
    ready = await prepare(page, target, needs, deadline)
    if ready.done.is_written:
        _check_taken(ready, ready.done)
    elif not ready.done.is_focused:
        raise refusal(target, Seen("blocked", ready.element, reason="not_editable"))
    elif value:
        await keyboard.insert_text(ready.session, value)
    elif ready.done.is_full:
        await keyboard.press(page.session, "Backspace")


async def _set_value(ready: Ready, text: str) -> None:
    _check_taken(ready, await ready.frame.use(ACTING, "replaceValue", text, kind=Done))


def _check_taken(ready: Ready, done: Done) -> None:
    if not done.is_taken:
        became = f"it would become {done.became!r}" if done.became else "it is not of the form the field takes"
        raise InvalidRequest(
            f"{ready.element} does not take this value: {became}. Dates are 2026-11-15, times 09:30, colours #aabbcc."
        )


async def press(page: Page, target: Target | None, key: str, *, fail_fast: bool = False, deadline: float) -> None:
    """Strike a key, in an element or where the focus is."""
    keyboard.check(key)
    if target is not None:
        ready = await prepare(page, target, Needs(enabled=True, fail_fast=fail_fast), deadline)
        await ready.frame.use(ACTING, "focusForKeys")
    await keyboard.press(page.session, key)
