"""The steps that operations and sub-actions are made of, each one or two calls of the SDK."""

from dataclasses import dataclass
from typing import Any

from belljar.agent.tool.actions import WaitUntil
from belljar.agent.tool.failure import LOOK_HINT, ToolFailure, timeout_hint
from belljar.agent.tool.shelf import Shelf
from belljar.sdk.aio.page import AsyncPage

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

    async def text(self, selector: str | None, most: int) -> dict[str, Any]:
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
