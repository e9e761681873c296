"""Files given to a page; and file choosers, never shown and always noted, so that no page waits for one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import anyio

from belljar.box.browser.acting.actionability import Needs, Ready, prepare
from belljar.box.browser.acting.click import click
from belljar.box.browser.acting.locate import ACTING, Target
from belljar.box.browser.cdp import CdpError, Session
from belljar.box.browser.cdp.events import FileChooserOpened
from belljar.box.browser.cdp.replies import NodeDescription
from belljar.box.browser.cdp.replies import Part as Found
from belljar.box.browser.page.frames import Frame
from belljar.box.browser.page.page import Page, Part
from belljar.problems import InvalidRequest
from belljar.problems.browser import ChooserNotOpen


class _FileInput(Found):
    """What files would be given to."""

    is_input: bool
    multiple: bool
    directory: bool


@dataclass(frozen=True)
class Chooser:
    """A page's question for files, and the input that gets them."""

    session: Session
    node: int
    is_multiple: bool
    # Whose it is; None where that frame is not known.
    frame: Frame | None = None
    # Of the input, as far as they are known by now.
    attributes: Mapping[str, str] = field(default_factory=dict)


class Choosers:
    """Keeps the last question that was not answered."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.open: Chooser | None = None
        # Called with the one that is open and described, and with None when none is any more.
        self.on_change: list[Callable[[Chooser | None], None]] = []
        page.frames.on_navigated.append(lambda frame: self._navigated(frame is page.main))

    def attach(self, session: Session, part: Part) -> None:
        if part is Part.WORKER:
            return
        session.on(FileChooserOpened, lambda event: self._opened(session, event))
        session.tell("Page.setInterceptFileChooserDialog", enabled=True)

    def take(self) -> Chooser | None:
        """The open question, which is answered now."""
        chooser = self.open
        self._move(None)
        return chooser if chooser is not None and not chooser.session.is_gone else None

    def _opened(self, session: Session, event: FileChooserOpened) -> None:
        # Pickers that scripts open without an input have no node to give files to; they are refused by Chromium.
        if event.backend_node_id is not None:
            frame = self._page.frames.get(event.frame_id)
            self.open = chooser = Chooser(session, event.backend_node_id, event.mode == "selectMultiple", frame)
            self._page.changed.fire()
            session.ask(
                NodeDescription,
                "DOM.describeNode",
                lambda found: self._described(chooser, found),
                backendNodeId=event.backend_node_id,
            )

    def _described(self, chooser: Chooser, found: NodeDescription) -> None:
        if self.open is chooser:
            names = found.node.attributes
            self._move(replace(chooser, attributes=dict(zip(names[::2], names[1::2], strict=False))))

    def _navigated(self, is_main: bool) -> None:
        if is_main and self.open is not None:
            self._move(None)

    def _move(self, to: Chooser | None) -> None:
        was, self.open = self.open, to
        if was is not to:
            for callback in self.on_change:
                callback(to)


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
    about = await ready.frame.use(ACTING, "fileInput", kind=_FileInput)
    if about.is_input:
        _check_count(files, is_multiple=about.multiple or about.directory)
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


async def _give(session: Session, files: Sequence[Path], **where: object) -> None:
    try:
        await session.send("DOM.setFileInputFiles", files=[str(path) for path in files], **where)
    except CdpError as error:
        raise InvalidRequest(f"The page did not take the files: {error.message}") from error
