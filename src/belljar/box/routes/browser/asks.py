"""What pages ask of a person, and a person's answers."""

from typing import Annotated

from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.asking.asks import Asks
from belljar.box.browser.asking.finding import find, selection
from belljar.box.parts import Box, TheBox
from belljar.problems import InvalidRequest
from belljar.problems.browser import AskNotFound, BrowserNotActive, BrowserTimeout, DialogOpen, TabNotFound
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.server.signature import Query
from belljar.wire.browser.acting import ActionResult
from belljar.wire.browser.asks import AnswerRequest, Ask, AskList, FindRequest, FindResult, Selection
from belljar.wire.browser.common import OnTab

router = Router(prefix="/v1/browser", tags=["browser"])


@router.get(
    "/asks",
    operation_id="getBrowserAsks",
    tells=Kind.TEXT,
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound),
)
async def list_asks(box: TheBox, tab_id: Annotated[str | None, Query(alias="tabId")] = None) -> AskList:
    """What waits for a person: fields that one opened, and files that a page asks for; in all tabs, or in one."""
    tabs = (await box.browser.running()).tabs
    pages = tabs.list() if tab_id is None else [tabs.get(tab_id)]
    return AskList(asks=[ask for page in pages for ask in page.watcher(Asks).list()])


@router.post(
    "/answer",
    operation_id="browserAnswer",
    live="answer",
    typed=("value", "username", "password"),
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound, AskNotFound, DialogOpen, BrowserTimeout, InvalidRequest),
)
@again_after_restart
async def answer(body: AnswerRequest, box: TheBox) -> ActionResult:
    """Answer what a page asks, with the events that a person's choice brings, or close it."""
    asked = await _find(box, body)
    on_tab, doing = body.model_copy(update={"tab_id": asked.tab_id}), "answering what the page asks"
    if asked.kind == "auth":
        # Whoever waits for the page has its turn, and waits for this.
        async with box.browser.use_page(on_tab, doing) as page:
            await page.watcher(Asks).answer(body)
        return ActionResult()
    async with box.browser.action(on_tab, doing) as act:
        await act.page.watcher(Asks).answer(body)
    return act.result


@router.post(
    "/find",
    operation_id="browserFind",
    live="find",
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound, DialogOpen, BrowserTimeout),
)
@again_after_restart
async def find_words(body: FindRequest, box: TheBox) -> FindResult:
    """Find words on the page: all places are marked, and one is shown."""
    async with box.browser.use_page(body, "finding words") as page:
        return await find(page, body.text, body.index, is_case_sensitive=body.case_sensitive)


@router.get(
    "/selection",
    operation_id="getBrowserSelection",
    tells=Kind.CLIPBOARD,
    live="selection",
    responses=problems(BrowserNotActive, TabNotFound, DialogOpen, BrowserTimeout),
)
@again_after_restart
async def read_selection(box: TheBox, tab_id: Annotated[str | None, Query(alias="tabId")] = None) -> Selection:
    """The words that are selected on the page, to be copied; never those of a password."""
    async with box.browser.use_page(OnTab(tab_id=tab_id), "reading the selection") as page:
        return await selection(page)


async def _find(box: Box, body: AnswerRequest) -> Ask:
    tabs = (await box.browser.running()).tabs
    pages = tabs.list() if body.tab_id is None else [tabs.get(body.tab_id)]
    for page in pages:
        for ask in page.watcher(Asks).list():
            if ask.id == body.id:
                return ask
    raise AskNotFound
