"""What pages ask of a person, and a person's answers."""

from typing import Annotated

from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.asking.asks import Asks
from belljar.box.parts import Box, TheBox
from belljar.problems import InvalidRequest
from belljar.problems.browser import AskNotFound, BrowserNotActive, BrowserTimeout, DialogOpen, TabNotFound
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.server.signature import Query
from belljar.wire.browser.acting import ActionResult
from belljar.wire.browser.asks import AnswerRequest, AskList

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
    typed=("value",),
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound, AskNotFound, DialogOpen, BrowserTimeout, InvalidRequest),
)
@again_after_restart
async def answer(body: AnswerRequest, box: TheBox) -> ActionResult:
    """Answer what a page asks, with the events that a person's choice brings, or close it."""
    asking = body.tab_id or await _tab_of(box, body.id)
    async with box.browser.action(body.model_copy(update={"tab_id": asking}), "answering what the page asks") as act:
        await act.page.watcher(Asks).answer(body)
    return act.result


async def _tab_of(box: Box, id: str) -> str:
    for page in (await box.browser.running()).tabs.list():
        if any(ask.id == id for ask in page.watcher(Asks).list()):
            return page.id
    raise AskNotFound
