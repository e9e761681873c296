"""Waiting until something is true of a page, without taking a turn on it."""

import re
from collections.abc import Awaitable, Callable, Sequence
from functools import lru_cache

import anyio

from belljar.box.browser.acting.locate import ACTING, POLL, ElementState, Target, find_frame, frame_of, starting_frame
from belljar.box.browser.page.frames import DocumentGone, Frame, JsError, World
from belljar.box.browser.page.page import Page
from belljar.problems.browser import BrowserInvalidSelector, FrameNotFound, ScriptError, StaleRef
from belljar.wire.browser.acting import WaitState

# Asked of a page again and again; it may raise a problem to end the wait.
Condition = Callable[[Page], Awaitable[bool]]
_LIFECYCLE = {
    WaitState.DOMCONTENTLOADED: "DOMContentLoaded",
    WaitState.LOAD: "load",
    WaitState.NETWORKIDLE: "networkIdle",
}


async def wait_for(page: Page, conditions: Sequence[Condition], *, deadline: float) -> bool:
    """Whether all conditions came true together by the deadline."""
    with anyio.CancelScope(deadline=deadline):
        while True:
            try:
                if await _all_true(page, conditions):
                    return True
                await page.main.use(ACTING, "change", POLL)
            except DocumentGone:
                await anyio.lowlevel.checkpoint()
    return False


async def _all_true(page: Page, conditions: Sequence[Condition]) -> bool:
    for condition in conditions:
        if not await condition(page):
            return False
    return True


def element_is(target: Target, state: WaitState) -> Condition:
    async def check(page: Page) -> bool:
        is_attached, is_visible = await _state(page, target)
        if target.ref is not None and not is_attached and state not in (WaitState.HIDDEN, WaitState.DETACHED):
            # Refs are never given again: it cannot come any more.
            raise StaleRef(target.ref)
        match state:
            case WaitState.HIDDEN:
                return not is_visible
            case WaitState.ATTACHED:
                return is_attached
            case WaitState.DETACHED:
                return not is_attached
            case _:
                return is_visible

    return check


async def _state(page: Page, target: Target) -> tuple[bool, bool]:
    """Whether the element is there, and whether it shows."""
    try:
        frame, query = await starting_frame(page, target), target.query()
        while True:
            state = await frame.use(ACTING, "state", query.body(), kind=ElementState)
            if state.invalid is not None:
                raise BrowserInvalidSelector(target.name, state.invalid)
            if state.next is None:
                return state.is_attached, state.is_visible
            handle = await frame.use_handle(ACTING, "pick", query.body())
            child = None if handle is None else await frame_of(page, handle)
            if child is None:
                return False, False
            frame, query = child, query.rest(state.next)
    except (FrameNotFound, StaleRef):
        return False, False


def text_shows(text: str) -> Condition:
    query = {"steps": [{"engine": "text", "text": text, "exact": False}]}

    async def check(page: Page) -> bool:
        for frame in page.frames.all():
            try:
                if (await frame.use(ACTING, "state", query, kind=ElementState)).is_visible:
                    return True
            except DocumentGone:
                continue
        return False

    return check


def url_is(pattern: str) -> Condition:
    async def check(page: Page) -> bool:
        return matches_url(pattern, page.url)

    return check


def matches_url(pattern: str, url: str) -> bool:
    """`*` is anything but a slash, `**` anything; without either the whole address, or its path and what follows."""
    if "*" in pattern:
        return _url_pattern(pattern).fullmatch(url) is not None
    return url == pattern or (pattern.startswith("/") and url.partition("://")[2].partition("/")[2] == pattern[1:])


@lru_cache(maxsize=100)
def _url_pattern(pattern: str) -> re.Pattern[str]:
    parts = (".*" if part == "**" else "[^/]*" if part == "*" else re.escape(part) for part in _PIECES.findall(pattern))
    # Without a scheme it may begin anywhere: `**/done` and `/done*` alike.
    return re.compile(("" if "://" in pattern else ".*") + "".join(parts), re.DOTALL)


_PIECES = re.compile(r"\*\*+|\*|[^*]+")


def script_is_true(source: str, frame_name: str | None, world: World = World.MAIN) -> Condition:
    expression = (
        "(async () => { const value = ("
        + source
        + "\n); return Boolean(await (typeof value === 'function' ? value() : value)) })()"
    )

    async def check(page: Page) -> bool:
        try:
            frame: Frame = page.main if frame_name is None else await find_frame(page, frame_name)
            return bool(await frame.evaluate(expression, world=world))
        except FrameNotFound:
            return False
        except JsError as error:
            if error.name == "SyntaxError":
                raise ScriptError(
                    f"The function cannot be read: {error.message}",
                    name=error.name,
                    message=error.message,
                    line=error.line,
                    column=error.column,
                ) from error
            # What it needs may not be there yet.
            return False

    return check


def page_has_reached(state: WaitState) -> Condition:
    async def check(page: Page) -> bool:
        return _LIFECYCLE[state] in page.main.lifecycle

    return check
