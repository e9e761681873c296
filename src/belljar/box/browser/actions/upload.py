"""Giving files to a page."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio

from belljar.box.browser.actionability import Needs, Ready, prepare
from belljar.box.browser.actions.click import click
from belljar.box.browser.cdp import CdpError, Session
from belljar.box.browser.choosers import Choosers
from belljar.box.browser.locate import ACTING, Target
from belljar.box.browser.page import Page
from belljar.problems import InvalidRequest
from belljar.problems.browser import ChooserNotOpen

# Seconds in which a click must lead to the page's asking for files.
ASKING = 3.0


async def upload(
    page: Page, target: Target | None, files: Sequence[Path], *, fail_fast: bool = False, deadline: float
) -> None:
    """Give files to a file input, to what opens one when clicked, or without a target to the chooser that is open."""
    if target is None:
        await _answer_chooser(page, files)
        return
    # The inputs themselves are mostly invisible, with something pretty in front.
    ready = await prepare(page, target, Needs(visible=False, enabled=True, fail_fast=fail_fast), deadline)
    about = await ready.frame.use(ACTING, "fileInput")
    if about["isInput"]:
        _check_count(files, is_multiple=about["multiple"] or about["directory"])
        await _give_to_input(ready, files)
        return
    await click(page, target, fail_fast=fail_fast, deadline=deadline)
    with anyio.move_on_after(min(ASKING, max(0.0, deadline - anyio.current_time()))):
        await page.until(lambda: page.watcher(Choosers).open is not None)
    await _answer_chooser(page, files)


async def _give_to_input(ready: Ready, files: Sequence[Path]) -> None:
    handle = await ready.handle()
    try:
        await _give(handle.session, files, objectId=handle.object_id)
    finally:
        handle.release()


async def _answer_chooser(page: Page, files: Sequence[Path]) -> None:
    chooser = page.watcher(Choosers).take()
    if chooser is None:
        raise ChooserNotOpen()
    _check_count(files, is_multiple=chooser.is_multiple)
    await _give(chooser.session, files, backendNodeId=chooser.node)


def _check_count(files: Sequence[Path], *, is_multiple: bool) -> None:
    if len(files) > 1 and not is_multiple:
        raise InvalidRequest("This file input takes one file only.")


async def _give(session: Session, files: Sequence[Path], **where: Any) -> None:
    try:
        await session.send("DOM.setFileInputFiles", files=[str(path) for path in files], **where)
    except CdpError as error:
        raise InvalidRequest(f"The page did not take the files: {error.message}") from error
