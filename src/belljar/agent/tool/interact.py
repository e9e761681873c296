"""The operations on a tab; `interact`, one sub-action after another; and the steps both are made of.

On an error page every later action would wait its whole time for elements that cannot be there.
"""

from dataclasses import dataclass
from typing import Any

import anyio

from belljar.agent.tool.failure import LOOK_HINT, ToolFailure, sentence_of, timeout_hint
from belljar.agent.tool.profile import LastUrl
from belljar.agent.tool.request import (
    Action,
    Click,
    DblClick,
    ExtractText,
    Fill,
    Goto,
    Request,
    Screenshot,
    Sleep,
    WaitForSelector,
    WaitUntil,
)
from belljar.agent.tool.workspace import Shelf
from belljar.problems import Problem
from belljar.sdk.aio.page import AsyncPage
from belljar.sdk.errors import NoAnswer

# What an overlay may take to go, where nobody says.
HIDDEN_MS = 5000


@dataclass(frozen=True)
class Place:
    url: str
    title: str
    http_status: int | None = None


@dataclass(frozen=True)
class Steps:
    """On one tab, each within `timeout_ms`.  They raise `Problem`s and `ToolFailure`s."""

    page: AsyncPage
    shelf: Shelf
    timeout_ms: int

    @property
    def timeout(self) -> float:
        return self.timeout_ms / 1000

    async def goto(self, url: str, wait_until: WaitUntil) -> Place:
        """A server's error page is a page; an address that leads to none is a failure."""
        went = await self.page.navigate(url, wait_until=wait_until, timeout=self.timeout)
        if not went.moved:
            what = "is a download" if went.download else "has no page to show"
            raise ToolFailure(f"{url[:500]} {what} (HTTP {went.status}).", "Give the address of a page.")
        return Place(went.url, went.title, went.status or 0)

    async def place(self) -> Place:
        """Where the tab is now."""
        seen = await self.page.text(max_chars=1, timeout=self.timeout)
        return Place(seen.url, seen.title)

    async def click(self, selector: str, *, count: int = 1, force: bool = False) -> None:
        """With what it leads to: a page that it opens is waited for."""
        done = await self.page.click(selector, click_count=count, force=force, timeout=self.timeout)
        if done.navigated is not None:
            await self.page.wait(state="load", timeout=self.timeout)

    async def fill(self, selector: str, text: str) -> None:
        await self.page.type(selector, text, clear=True, timeout=self.timeout)

    async def text(self, selector: str | None, most: int) -> dict[str, object]:
        """The rendered text of the page or of an element, once that is there; marked as somebody else's words."""
        if selector is not None:
            await self.wait_for(selector, "attached", self.timeout_ms)
        found = await self.page.text(selector, max_chars=most, timeout=self.timeout)
        return {
            "external": True,
            "url": found.url,
            "title": found.title,
            "truncated": bool(found.truncated),
            "content": found.text,
        }

    async def wait_for(self, selector: str, state: Any, ms: int) -> None:
        if not (await self.page.wait(selector, state=state, timeout=ms / 1000)).found:
            hint = LOOK_HINT if state in ("visible", "attached") else timeout_hint(ms)
            raise ToolFailure(f"wait_for_selector({selector}) timed out after {ms} ms: it is not {state}.", hint)

    async def until_hidden(self, overlay: str, ms: int | None, what: str) -> None:
        """The stability guard: a target that is ready says nothing about what lies over it."""
        patience = min(HIDDEN_MS, self.timeout_ms) if ms is None else ms
        if not (await self.page.wait(overlay, state="hidden", timeout=patience / 1000)).found:
            raise ToolFailure(f"wait_for_hidden({overlay}) timed out before {what}", timeout_hint(self.timeout_ms))

    async def screenshot(self, out_path: str | None) -> dict[str, str]:
        picture = await self.page.screenshot(timeout=self.timeout)
        saved = await self.shelf.save(out_path, picture)
        return {"path": saved.path, "download": saved.download}


Entry = dict[str, Any]
# What an action may fail with and the sequence go on.
EXPECTED = (Problem, ToolFailure, NoAnswer)


async def interact(request: Request, steps: Steps, last_url: LastUrl, start: str | None) -> dict[str, object]:
    """`start` is where to go first; None where the sequence goes somewhere itself."""
    results: list[Entry] = []
    reason: str | None = None
    if start is not None:
        entry = {"number": 0, "action": "goto", "url": start}
        try:
            arrived = await steps.goto(start, request.wait_until)
        except EXPECTED as error:
            results.append(entry | {"ok": False, "error": sentence_of(error), "aborted_sequence": True})
            reason = "initial_goto_failed"
        else:
            await last_url.write(arrived.url)
    if reason is None:
        reason = await _run(request, steps, results)
    place = await _last_place(steps)
    if reason is None:
        await last_url.write(place.url)
    skipped = len(request.actions) - sum(entry["number"] > 0 for entry in results)
    is_stopped = reason is None and skipped > 0
    return {
        "results": results,
        "url": place.url,
        "title": place.title,
        "aborted": reason is not None,
        "abort_reason": reason,
        # The action whose failure ended a sequence that was told to stop at one, and how many were left.
        "stopped_at": results[-1]["number"] if is_stopped else None,
        "skipped": skipped,
    }


async def _run(request: Request, steps: Steps, results: list[Entry]) -> str | None:
    """Fill `results`; why the sequence was aborted, if it was."""
    for number, action in enumerate(request.actions, 1):
        entry = {"number": number, "action": action.action, **_subject(action)}
        try:
            entry |= {"ok": True, **await _do(action, request, steps)}
        except EXPECTED as error:
            entry |= {"ok": False, "error": sentence_of(error)}
            if isinstance(action, Goto):
                results.append(entry | {"aborted_sequence": True})
                return "goto_failed"
        results.append(entry)
        if not entry["ok"] and request.stop_on_error:
            break
    return None


async def _do(action: Action, request: Request, steps: Steps) -> dict[str, Any]:
    """What there is to say about it, done."""
    match action:
        case Goto():
            arrived = await steps.goto(action.url, action.wait_until or request.wait_until)
            return {"http_status": arrived.http_status}
        case Click() | DblClick():
            await _guard(action, steps)
            await steps.click(action.selector, count=2 if isinstance(action, DblClick) else 1, force=action.force)
        case Fill():
            await _guard(action, steps)
            await steps.fill(action.selector, action.text)
        case ExtractText():
            return {"text": await steps.text(action.selector, action.max_chars or request.max_chars)}
        case WaitForSelector():
            await steps.wait_for(action.selector, action.state, action.timeout_ms or request.timeout_ms)
        case Screenshot():
            return await steps.screenshot(action.out_path)
        case Sleep():
            await anyio.sleep(action.ms / 1000)
    return {}


async def _guard(action: Click | DblClick | Fill, steps: Steps) -> None:
    if action.wait_for_hidden is not None:
        what = f"{action.action}({action.selector})"
        await steps.until_hidden(action.wait_for_hidden, action.wait_for_hidden_ms, what)


def _subject(action: Action) -> dict[str, str]:
    if isinstance(action, Goto):
        return {"url": action.url}
    selector = getattr(action, "selector", None)
    return {"selector": selector} if selector is not None else {}


async def _last_place(steps: Steps) -> Place:
    """The page may be an error's, or busy: then nothing is known, which is no reason to lose the results."""
    try:
        return await steps.place()
    except EXPECTED:
        return Place("", "")


async def run_operation(request: Request, steps: Steps, last_url: LastUrl) -> dict[str, object]:
    """Every operation but `close`, within the call's budget."""
    try:
        with anyio.fail_after(request.budget):
            done = await _operate(request, steps, last_url)
    except TimeoutError as error:
        seconds = f"{request.budget:g}"
        raise ToolFailure(
            f"{request.operation} timed out after {seconds} s.", timeout_hint(request.timeout_ms)
        ) from error
    return {"operation": request.operation, **done}


async def _operate(request: Request, steps: Steps, last_url: LastUrl) -> dict[str, object]:
    if request.operation == "interact":
        return await interact(request, steps, last_url, await starting_url(request, last_url))
    start = await starting_url(request, last_url)
    assert start is not None
    place = await steps.goto(start, request.wait_until)
    await last_url.write(place.url)
    match request.operation:
        case "navigate":
            return {**_told(place), "http_status": place.http_status}
        case "extract_text":
            text = await steps.text(request.selector, request.max_chars)
            return {"url": text["url"], "title": text["title"], "text": text}
        case "click":
            assert request.selector is not None
            await steps.click(request.selector)
            after = await steps.place()
            if after.url != place.url:
                await last_url.write(after.url)
            return _told(after)
    saved = await steps.screenshot(request.out_path)
    return {**_told(await steps.place()), **saved}


async def starting_url(request: Request, last_url: LastUrl) -> str | None:
    """The address given, or the last one; None for a sequence that goes somewhere itself.  Raises `ToolFailure`."""
    if request.url is not None:
        return request.url
    if request.begins_elsewhere:
        return None
    remembered = await last_url.read()
    if remembered is None:
        raise ToolFailure(
            f'{request.operation} needs a URL: pass `url=...` or call `operation="navigate"` first',
            "There is no page to go on with: name one.",
        )
    return remembered


def _told(place: Place) -> dict[str, object]:
    return {"url": place.url, "title": place.title}
