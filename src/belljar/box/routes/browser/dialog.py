"""JavaScript dialogs: which is open, and answering it."""

from typing import Annotated

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Query
from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.dialogs import answer
from belljar.box.browser.page import Page
from belljar.box.parts import Box, TheBox
from belljar.problems.browser import BrowserNotActive, BrowserTimeout, DialogNotFound, TabNotFound
from belljar.wire.browser.dialogs import DialogRequest, DialogResult, OpenDialog

router = Router(prefix="/v1/browser", tags=["browser"])


@router.get(
    "/dialog",
    operation_id="getBrowserDialog",
    tells=Kind.TEXT,
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound),
)
async def open_dialog(box: TheBox, tab_id: Annotated[str | None, Query(alias="tabId")] = None) -> OpenDialog:
    """The dialog that is open, if one is."""
    page = await _page_with_dialog(box, tab_id)
    return OpenDialog(dialog=page.dialog.info() if page.dialog is not None else None, tab_id=page.id)


@router.post(
    "/dialog",
    operation_id="browserDialog",
    live="dialog",
    response_model_exclude_none=True,
    responses=problems(BrowserNotActive, TabNotFound, DialogNotFound, BrowserTimeout),
)
@again_after_restart
async def answer_dialog(body: DialogRequest, box: TheBox) -> DialogResult:
    """Answer the open dialog; the page goes on."""
    asking = await _page_with_dialog(box, body.tab_id)
    asked, wish = body.model_copy(update={"tab_id": asking.id}), body.wish
    if wish is None:
        async with box.browser.use_page(asked, "closing the dialog") as page:
            answered = await answer(page, accept=body.accept, text=body.text)
        return DialogResult(dialog=answered.info())
    async with box.browser.answering(asked, wish) as act:
        answered = await answer(act.page, accept=body.accept, text=body.text)
    return DialogResult(dialog=answered.info(), next=act.dialog_info, **act.effects_info())


async def _page_with_dialog(box: Box, tab_id: str | None) -> Page:
    """Without an id the active tab, unless it has no dialog and another one has."""
    page = await box.browser.page(tab_id)
    if tab_id is None and page.dialog is None:
        return next((other for other in (await box.browser.running()).tabs.list() if other.dialog is not None), page)
    return page
