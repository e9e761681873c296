"""One tab: going places, clicking and typing, waiting, running scripts."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from belljar.problems.browser import TabNotFound
from belljar.sdk.aio.http import AsyncHttp
from belljar.sdk.aio.playwright import AsyncPlaywrightLink
from belljar.sdk.aio.reading import AsyncReading
from belljar.sdk.encoding import Button, Modifier, PermissionDecision, WaitState, WaitUntil, asked_of, ms
from belljar.sdk.errors import Unreachable, rebuilt
from belljar.wire.base import Ok
from belljar.wire.browser.acting import (
    ActionResult,
    DragPlace,
    ExecuteResult,
    ScrollResult,
    SelectResult,
    UploadResult,
    WaitResult,
)
from belljar.wire.browser.asks import AskList, FindResult, Selection
from belljar.wire.browser.common import DialogResult, OpenDialog, PageInfo, ReportWish
from belljar.wire.browser.lifecycle import CloseResult, Geolocation, TabInfo, TabList

if TYPE_CHECKING:
    from playwright.async_api import Page as PlaywrightPage


class AsyncActing(AsyncReading):
    """What can be done with a tab.

    An element is named by a selector (CSS, `text=`, `role=`, `xpath=`, chained with `>>`) or by a `ref` of a snapshot.
    Actions wait until it can be acted on; `report=True` also returns what changed, `fail_fast=True` refuses at once
    what is covered or disabled and not about to change.  Timeouts are seconds; the server's own where none is given.
    """

    def __init__(self, http: AsyncHttp, tab_id: str | None, playwright: AsyncPlaywrightLink | None) -> None:
        self._http = http
        self.tab_id = tab_id
        self._playwright = playwright

    async def navigate(
        self,
        url: str,
        *,
        wait_until: WaitUntil = "load",
        report: bool | ReportWish = False,
        timeout: float | None = None,
    ) -> PageInfo:
        """Go to an address."""
        asked = asked_of(self.tab_id, timeout, url=url, wait_until=wait_until, report=report)
        return await self._http.post("/v1/browser/navigate", PageInfo, asked, timeout=timeout)

    async def back(
        self, *, wait_until: WaitUntil = "load", report: bool | ReportWish = False, timeout: float | None = None
    ) -> PageInfo:
        """One step back in the tab's history."""
        asked = asked_of(self.tab_id, timeout, wait_until=wait_until, report=report)
        return await self._http.post("/v1/browser/back", PageInfo, asked, timeout=timeout)

    async def forward(
        self, *, wait_until: WaitUntil = "load", report: bool | ReportWish = False, timeout: float | None = None
    ) -> PageInfo:
        """One step forward again."""
        asked = asked_of(self.tab_id, timeout, wait_until=wait_until, report=report)
        return await self._http.post("/v1/browser/forward", PageInfo, asked, timeout=timeout)

    async def reload(
        self,
        *,
        wait_until: WaitUntil = "load",
        ignore_cache: bool = False,
        report: bool | ReportWish = False,
        timeout: float | None = None,
    ) -> PageInfo:
        """Load the page again."""
        asked = asked_of(self.tab_id, timeout, wait_until=wait_until, ignore_cache=ignore_cache, report=report)
        return await self._http.post("/v1/browser/reload", PageInfo, asked, timeout=timeout)

    async def click(
        self,
        selector: str | None = None,
        *,
        ref: str | None = None,
        button: Button = "left",
        click_count: int = 1,
        modifiers: Sequence[Modifier] = (),
        force: bool = False,
        report: bool | ReportWish = False,
        fail_fast: bool = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> ActionResult:
        """Click an element; the answer says what it led to: a navigation, dialog, popup, download, file chooser."""
        asked = asked_of(
            self.tab_id,
            timeout,
            selector=selector,
            ref=ref,
            button=button,
            click_count=click_count,
            modifiers=list(modifiers),
            force=force,
            report=report,
            fail_fast=fail_fast,
            frame=frame,
        )
        return await self._http.post("/v1/browser/click", ActionResult, asked, timeout=timeout)

    async def hover(
        self,
        selector: str | None = None,
        *,
        ref: str | None = None,
        modifiers: Sequence[Modifier] = (),
        force: bool = False,
        report: bool | ReportWish = False,
        fail_fast: bool = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> ActionResult:
        """Move the mouse over an element."""
        asked = asked_of(
            self.tab_id,
            timeout,
            selector=selector,
            ref=ref,
            modifiers=list(modifiers),
            force=force,
            report=report,
            fail_fast=fail_fast,
            frame=frame,
        )
        return await self._http.post("/v1/browser/hover", ActionResult, asked, timeout=timeout)

    async def type(
        self,
        selector: str | None = None,
        text: str = "",
        *,
        ref: str | None = None,
        delay: float = 0,
        clear: bool = False,
        report: bool | ReportWish = False,
        fail_fast: bool = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> ActionResult:
        """Type into a field as a person would; `delay` is seconds between keys, `clear` empties the field first."""
        asked = asked_of(
            self.tab_id,
            timeout,
            selector=selector,
            text=text,
            ref=ref,
            delay=ms(delay),
            clear=clear,
            report=report,
            fail_fast=fail_fast,
            frame=frame,
        )
        return await self._http.post("/v1/browser/type", ActionResult, asked, timeout=timeout)

    async def fill(
        self,
        selector: str | None = None,
        value: str = "",
        *,
        ref: str | None = None,
        report: bool | ReportWish = False,
        fail_fast: bool = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> ActionResult:
        """Replace what a field holds, at once and without keys; `type` is for pages that listen to those."""
        asked = asked_of(
            self.tab_id,
            timeout,
            selector=selector,
            value=value,
            ref=ref,
            report=report,
            fail_fast=fail_fast,
            frame=frame,
        )
        return await self._http.post("/v1/browser/fill", ActionResult, asked, timeout=timeout)

    async def press(
        self,
        key: str,
        *,
        selector: str | None = None,
        ref: str | None = None,
        report: bool | ReportWish = False,
        fail_fast: bool = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> ActionResult:
        """Press a key or a combination (`Control+a`), in an element or in whatever has the focus."""
        asked = asked_of(
            self.tab_id, timeout, key=key, selector=selector, ref=ref, report=report, fail_fast=fail_fast, frame=frame
        )
        return await self._http.post("/v1/browser/press", ActionResult, asked, timeout=timeout)

    async def select(
        self,
        selector: str | None = None,
        value: str | Sequence[str] | None = None,
        *,
        ref: str | None = None,
        label: str | Sequence[str] | None = None,
        index: int | Sequence[int] | None = None,
        report: bool | ReportWish = False,
        fail_fast: bool = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> SelectResult:
        """Choose options of a `<select>`, these and no others, by value, label or place."""
        asked = asked_of(
            self.tab_id,
            timeout,
            selector=selector,
            value=value,
            ref=ref,
            label=label,
            index=index,
            report=report,
            fail_fast=fail_fast,
            frame=frame,
        )
        return await self._http.post("/v1/browser/select", SelectResult, asked, timeout=timeout)

    async def scroll(
        self,
        selector: str | None = None,
        *,
        ref: str | None = None,
        x: float | None = None,
        y: float | None = None,
        wheel: bool = False,
        report: bool | ReportWish = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> ScrollResult:
        """Scroll the page or an element by pixels; an element without any is scrolled into view."""
        asked = asked_of(
            self.tab_id, timeout, selector=selector, ref=ref, x=x, y=y, wheel=wheel, report=report, frame=frame
        )
        return await self._http.post("/v1/browser/scroll", ScrollResult, asked, timeout=timeout)

    async def drag(
        self,
        from_: str | DragPlace,
        to: str | DragPlace,
        *,
        report: bool | ReportWish = False,
        fail_fast: bool = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> ActionResult:
        """Drag from one place to another: selectors, refs, or points as `DragPlace(x=…, y=…)`."""
        asked = asked_of(self.tab_id, timeout, from_=from_, to=to, report=report, fail_fast=fail_fast, frame=frame)
        return await self._http.post("/v1/browser/drag", ActionResult, asked, timeout=timeout)

    async def upload(
        self,
        files: Mapping[str, bytes] | Sequence[str | Path],
        *,
        selector: str | None = None,
        ref: str | None = None,
        ask: str | None = None,
        report: bool = False,
        fail_fast: bool = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> UploadResult:
        """Give files of this machine to a file input or to the chooser that is open: paths, or contents by name.

        With `ask`, the id of a question of the page's, only to the chooser that asked it.
        """
        asked = asked_of(
            self.tab_id, timeout, selector=selector, ref=ref, ask=ask, report=report, fail_fast=fail_fast, frame=frame
        )
        fields = {name: str(value).lower() if isinstance(value, bool) else value for name, value in asked.items()}
        with ExitStack() as opened:
            sent = _contents(files, opened)
            response = await self._http.request("POST", "/v1/browser/upload", files=sent, data=fields, timeout=timeout)
        return UploadResult.model_validate_json(response.content)

    async def upload_from_box(
        self,
        paths: Sequence[str],
        *,
        selector: str | None = None,
        ref: str | None = None,
        ask: str | None = None,
        report: bool | ReportWish = False,
        fail_fast: bool = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> UploadResult:
        """As `upload`, with files that are in the box already."""
        asked = asked_of(
            self.tab_id,
            timeout,
            paths=list(paths),
            selector=selector,
            ref=ref,
            ask=ask,
            report=report,
            fail_fast=fail_fast,
            frame=frame,
        )
        return await self._http.post("/v1/browser/upload", UploadResult, asked, timeout=timeout)

    async def wait(
        self,
        selector: str | None = None,
        *,
        ref: str | None = None,
        state: WaitState = "visible",
        text: str | None = None,
        url: str | None = None,
        function: str | None = None,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> WaitResult:
        """Wait until all that is given is true at once; `found` of the answer is false after the timeout."""
        asked = asked_of(
            self.tab_id,
            timeout,
            selector=selector,
            ref=ref,
            state=state,
            text=text,
            url=url,
            function=function,
            frame=frame,
        )
        return await self._http.post("/v1/browser/wait", WaitResult, asked, timeout=timeout)

    async def execute(
        self,
        expression: str,
        *,
        await_promise: bool = True,
        report: bool | ReportWish = False,
        frame: str | None = None,
        timeout: float | None = None,
    ) -> ExecuteResult:
        """Run JavaScript in the page; `result` of the answer is its value."""
        asked = asked_of(
            self.tab_id, timeout, expression=expression, await_promise=await_promise, report=report, frame=frame
        )
        return await self._http.post("/v1/browser/execute", ExecuteResult, asked, timeout=timeout)

    async def dialog(self) -> OpenDialog:
        """The JavaScript dialog that is open, if any."""
        return await self._http.get("/v1/browser/dialog", OpenDialog, asked_of(self.tab_id, None))

    async def answer_dialog(
        self, *, accept: bool, text: str | None = None, report: bool | ReportWish = False, timeout: float | None = None
    ) -> DialogResult:
        """Press OK or Cancel in the dialog that is open."""
        asked = asked_of(self.tab_id, timeout, accept=accept, text=text, report=report)
        return await self._http.post("/v1/browser/dialog", DialogResult, asked, timeout=timeout)

    async def stop_loading(self, *, timeout: float | None = None) -> None:
        """Stop what is on its way, as a browser's Stop does; whoever waits for it goes on with what has come."""
        await self._http.post("/v1/browser/stop-loading", Ok, asked_of(self.tab_id, timeout), timeout=timeout)

    async def asks(self) -> AskList:
        """What the page asks of a person: a field that one opened, files."""
        return await self._http.get("/v1/browser/asks", AskList, asked_of(self.tab_id, None))

    async def answer(
        self,
        id: str,
        *,
        indexes: Sequence[int] | None = None,
        value: str | None = None,
        username: str | None = None,
        password: str | None = None,
        decision: PermissionDecision | None = None,
        position: Geolocation | None = None,
        save: bool = False,
        cancel: bool = False,
        timeout: float | None = None,
    ) -> ActionResult:
        """Answer what the page asks of a person, or close it."""
        asked = asked_of(
            self.tab_id,
            timeout,
            id=id,
            indexes=None if indexes is None else list(indexes),
            value=value,
            username=username,
            password=password,
            decision=decision,
            position=position,
            save=save,
            cancel=cancel,
        )
        return await self._http.post("/v1/browser/answer", ActionResult, asked, timeout=timeout)

    async def find(
        self, text: str, *, index: int = 0, case_sensitive: bool = False, timeout: float | None = None
    ) -> FindResult:
        """Find words on the page: all places are marked, and one is shown; no words take the marks away."""
        asked = asked_of(self.tab_id, timeout, text=text, index=index, case_sensitive=case_sensitive)
        return await self._http.post("/v1/browser/find", FindResult, asked, timeout=timeout)

    async def selection(self) -> Selection:
        """The words that are selected on the page; never those of a password."""
        return await self._http.get("/v1/browser/selection", Selection, asked_of(self.tab_id, None))

    async def playwright(self) -> "PlaywrightPage":
        """This tab as a connected Playwright page; needs Playwright (`pip install playwright`), but no browser of its.

        The connection lives as long as this client.
        """
        if self._playwright is None:
            raise Unreachable("Playwright connects to a socket, and this client has none.")
        return await self._playwright.page(await self._id())

    async def _id(self) -> str:
        """The tab's id; asked for where the active one is meant."""
        return self.tab_id or (await self.dialog()).tab_id


def _contents(files: Mapping[str, bytes] | Sequence[str | Path], opened: ExitStack) -> list[tuple[str, object]]:
    """As multipart parts; files are read while they are sent."""
    if isinstance(files, Mapping):
        return [("file", (name, content)) for name, content in files.items()]
    return [("file", (Path(path).name, opened.enter_context(Path(path).open("rb")))) for path in files]


class AsyncPage(AsyncActing):
    """One tab.  Everything that `browser` does with the active tab, this does with this one."""

    tab_id: str

    @property
    async def url(self) -> str:
        """Where the tab is now: asked of the server each time."""
        return (await self.info()).url

    @property
    async def title(self) -> str:
        """What its page calls itself now."""
        return (await self.info()).title

    async def info(self) -> TabInfo:
        """The tab as it is now."""
        listed = await self._http.get("/v1/browser/tabs", TabList)
        found = next((tab for tab in listed.tabs if tab.id == self.tab_id), None)
        if found is None:
            raise rebuilt(TabNotFound.status, TabNotFound(self.tab_id).body(), {})
        return found

    async def activate(self) -> TabInfo:
        """Bring the tab to the front: it receives what names no tab."""
        return await self._http.post(f"/v1/browser/tabs/{self.tab_id}/activate", TabInfo)

    async def close(self, *, wait: bool = True) -> CloseResult:
        """Close the tab, unless its page asks whether to leave: then `dialog` of the answer says so.

        Without `wait` the answer comes when the closing has begun.
        """
        query = None if wait else {"wait": wait}
        return await self._http.delete(f"/v1/browser/tabs/{self.tab_id}", CloseResult, query)
