"""The page as a model reads it."""

from typing import Annotated

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.asgi.signature import Query
from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.elements import list_elements
from belljar.box.browser.looking import look_up
from belljar.box.browser.snapshot import Snapshot, SnapshotOptions, Snapshots
from belljar.box.parts import TheBox, TheCaller
from belljar.problems.browser import (
    BrowserInvalidSelector,
    BrowserNotActive,
    BrowserTimeout,
    DialogOpen,
    ElementNotFound,
    FrameGone,
    FrameNotFound,
    TabNotFound,
)
from belljar.tokens import Role
from belljar.wire.browser.snapshot import Elements, ElementsQuery, InteractiveElement, SnapshotQuery, SnapshotResult

router = Router(prefix="/v1/browser", tags=["browser"])
_PROBLEMS = problems(
    BrowserNotActive,
    DialogOpen,
    FrameGone,
    TabNotFound,
    FrameNotFound,
    ElementNotFound,
    BrowserInvalidSelector,
    BrowserTimeout,
)


@router.get(
    "/snapshot",
    operation_id="getBrowserSnapshot",
    tells=Kind.TEXT,
    response_model_exclude_none=True,
    responses=_PROBLEMS,
)
@again_after_restart
async def snapshot(query: Annotated[SnapshotQuery, Query()], box: TheBox, caller: TheCaller) -> SnapshotResult:
    """The page for a model: roles, names, values, states, and refs that actions take; with `since` only changes."""
    async with box.browser.use_page(query, "taking a snapshot") as page:
        options = SnapshotOptions(query.selector, query.frame, query.depth, query.interactive_only, query.urls)
        subject = await look_up(page, selector=query.selector, frame=query.frame)
        snapshots = page.watcher(Snapshots)
        drives = caller.role >= Role.DRIVE
        since = snapshots.last_revision(options, drives=drives) if query.since_last else query.since
        taken = await snapshots.take(options, subject.root, subject.frame, drives=drives)
        said = _said(snapshots, taken, since, query.max_chars)
        title = page.title if subject.frame is page.main else await page.read_title()
        return SnapshotResult(url=page.url, title=title, tab_id=page.id, **said)


@router.get(
    "/elements",
    operation_id="getBrowserElements",
    tells=Kind.TEXT,
    response_model_exclude_none=True,
    responses=_PROBLEMS,
)
@again_after_restart
async def elements(query: Annotated[ElementsQuery, Query()], box: TheBox) -> Elements:
    """What of the page can be acted on, with the refs that actions take; a snapshot's lines as values."""
    async with box.browser.use_page(query, "listing elements") as page:
        found = await list_elements(page, query.limit + 1)
        return Elements(
            elements=[InteractiveElement(**one) for one in found[: query.limit]],
            url=page.url,
            title=await page.read_title(),
            tab_id=page.id,
            truncated=len(found) > query.limit or None,
        )


def _said(snapshots: Snapshots, taken: Snapshot, since: int | None, most: int | None) -> dict[str, object]:
    said: dict[str, object] = {"revision": taken.revision}
    if since == taken.revision:
        return said | {"snapshot": "", "unchanged": True}
    changes = snapshots.changes(since, taken) if since is not None else None
    if changes is not None:
        said["delta"] = True
    text, is_cut = _cut(taken.text if changes is None else changes, most)
    return said | {"snapshot": text} | ({"truncated": True} if is_cut else {})


def _cut(text: str, most: int | None) -> tuple[str, bool]:
    """At most so many characters, in whole lines, with a last one that says what is missing."""
    if most is None or len(text) <= most:
        return text, False
    note = "\n… {} more lines: use selector, depth or interactiveOnly"
    kept = text[: max(0, most - len(note) - 6)].rpartition("\n")[0]
    return kept + note.format(text.count("\n", len(kept))), True
