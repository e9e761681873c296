"""Snapshots of a page for a model: every frame in place, elements with refs, or only what changed."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import anyio

from belljar.box.browser.acting.locate import Target, find, find_frame, find_now, frame_of
from belljar.box.browser.cdp import CdpError, CdpGone, Session
from belljar.box.browser.cdp.replies import Part as Found
from belljar.box.browser.page.frames import DocumentGone, Frame, Handle, JsError, World, bundle
from belljar.box.browser.page.page import Page, Part
from belljar.problems import Problem
from belljar.problems.browser import ElementNotFound, TabCrashed


@dataclass(frozen=True)
class Subject:
    frame: Frame
    # None: the whole document.
    root: Handle | None


async def look_up(page: Page, *, selector: str | None, frame: str | None) -> Subject:
    """Find it now: a read does not wait for elements that are not there."""
    if selector is None:
        return Subject(page.main if frame is None else await find_frame(page, frame), None)
    return Subject(*await find_now(page, Target(selector=selector, frame=frame)))


async def wait_for(page: Page, *, selector: str, frame: str | None, seconds: float) -> Subject:
    """Find an element that may not be there yet.  Raises `ElementNotFound` when it did not come."""
    with anyio.move_on_after(seconds):
        return Subject(*await find(page, Target(selector=selector, frame=frame)))
    raise ElementNotFound(selector)


# Lines beyond which finding out what changed would take longer than reading it again.
MOST_LINES = 3_000
_REF = re.compile(r"\[((?:f\d+)?e\d+)\]")


def delta(before: Sequence[str], after: Sequence[str]) -> str | None:
    """The changes as lines: `+` new, `-` gone, `~` the same element said anew, `@` where in the tree they are.

    None where so much changed that the whole is as short.  No change is the empty string.
    """
    # Imported on first use: most boxes are never asked for changes.
    from difflib import SequenceMatcher

    start, end = _common(before, after)
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if len(old) > MOST_LINES or len(new) > MOST_LINES:
        return None
    lines: list[str] = []
    place = ""
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        here = _place(after, start + c) if c < d else _place(before, start + a)
        if here != place and here:
            lines.append(f"@ {here}")
        place = here
        lines.extend(_changes(old[a:b], new[c:d]))
    text = "\n".join(lines)
    return text if len(text) < 0.7 * sum(len(line) + 1 for line in after) + 100 else None


def _common(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How many lines are the same at the beginning and at the end."""
    shorter = min(len(before), len(after))
    start = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    rest = shorter - start
    return start, next((n for n in range(rest) if before[-1 - n] != after[-1 - n]), rest)


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    refs_before = {ref for line in old for ref in _REF.findall(line)}
    refs_after = {ref for line in new for ref in _REF.findall(line)}
    yield from (
        f"- {line}" for line in _tops([line for line in old if not refs_after.intersection(_REF.findall(line))])
    )
    margin = min((_depth(line) for line in new), default=0)
    for line in new:
        mark = "~" if refs_before.intersection(_REF.findall(line)) else "+"
        yield f"{mark} {line[margin:]}"


def _tops(lines: Sequence[str]) -> Iterator[str]:
    """The outermost of lines that went; what they held went with them."""
    index = 0
    while index < len(lines):
        top = lines[index]
        below = index + 1
        while below < len(lines) and _depth(lines[below]) > _depth(top):
            below += 1
        held = below - index - 1
        yield top.strip() + (f" (with {held} more)" if held else "")
        index = below


def _place(lines: Sequence[str], index: int) -> str:
    """The elements around a line, outermost first."""
    path: list[str] = []
    depth = _depth(lines[index])
    for line in reversed(lines[:index]):
        if depth == 0:
            break
        if _depth(line) < depth:
            depth = _depth(line)
            path.insert(0, line.strip()[:60])
    return " > ".join(path)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


class _Walk(Found):
    text: str
    # Where the lines of each frame belong: the line of its element, its depth and ref.
    frames: list[tuple[int, int, str]]
    # The highest number that was given to an element.
    last: int
    title: str


class _Elements(Found):
    elements: list[dict[str, str]]
    last: int


_WALKER = bundle("dom", "refs", "reach", "naming", "snapshot")
# Snapshots of a page that `since` may refer to.
KEPT = 8
# Frames inside frames beyond this are not a page that somebody reads.
MOST_FRAMES = 100
# Seconds in which a frame inside has to answer: one that is stuck must not cost the page.
FRAME_PATIENCE = 2.0


@dataclass(frozen=True)
class SnapshotOptions:
    """What of the page is wanted; two snapshots compare when these are the same."""

    selector: str | None = None
    frame: str | None = None
    depth: int | None = None
    interactive_only: bool = False
    urls: bool = False


@dataclass(frozen=True)
class Snapshot:
    revision: int
    lines: Sequence[str]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Snapshots:
    """The snapshots taken of one page.  A revision names what was seen; the same sight keeps its revision."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._revision = 0
        self._kept: OrderedDict[int, tuple[SnapshotOptions, Snapshot]] = OrderedDict()
        # The revision that was seen last, among those kept, by those who drive (True) and by those who only watch.
        self._seen: dict[tuple[bool, SnapshotOptions], int] = {}
        # Ids of frames by the ref of their element: asked of Chromium once.
        self._frame_ids: dict[str, str] = {}

    def attach(self, session: Session, part: Part) -> None:
        """Nothing to listen to."""

    async def take(
        self,
        options: SnapshotOptions,
        root: Handle | None = None,
        within: Frame | None = None,
        *,
        drives: bool = True,
    ) -> Snapshot:
        """Look at the page now; `root` and `within` are what the options' selector and frame were found to be.

        Whoever only watches must not take from those who drive what they have yet to be told.
        """
        taken = await self._take(options, root, within)
        self._seen[drives, options] = taken.revision
        return taken

    async def _take(self, options: SnapshotOptions, root: Handle | None, within: Frame | None) -> Snapshot:
        lines = await self._frame_lines(within or self._page.main, options, root, [0])
        last = self._last(options)
        if last is not None and last.lines == lines:
            return last
        self._revision += 1
        snapshot = Snapshot(self._revision, lines)
        self._kept[snapshot.revision] = (options, snapshot)
        while len(self._kept) > KEPT:
            gone, _ = self._kept.popitem(last=False)
            self._seen = {whose: revision for whose, revision in self._seen.items() if revision != gone}
        return snapshot

    async def look(self, options: SnapshotOptions) -> list[str]:
        """The lines of a snapshot of which nobody is told: no revision is spent on it."""
        return await self._frame_lines(self._page.main, options, None, [0])

    def changes(self, since: int, snapshot: Snapshot) -> str | None:
        """What changed since an earlier revision; None where that is forgotten or too much changed to say."""
        options, before = self._kept.get(since, (None, None))
        now = self._kept.get(snapshot.revision)
        if before is None or now is None or options != now[0]:
            return None
        return delta(before.lines, snapshot.lines)

    def last_revision(self, options: SnapshotOptions, *, drives: bool = True) -> int:
        """Of the last snapshot with these options that their like has seen; 0, which none has, where there is none."""
        return self._seen.get((drives, options), 0)

    def _last(self, options: SnapshotOptions) -> Snapshot | None:
        return next((taken for asked, taken in reversed(self._kept.values()) if asked == options), None)

    async def _frame_lines(
        self, frame: Frame, options: SnapshotOptions, root: Handle | None, count: list[int]
    ) -> list[str]:
        count[0] += 1
        found = await self._walk(frame, options, root)
        lines = found.text.split("\n") if found.text else []
        for at, depth, ref in reversed(found.frames):
            child = await self._frame_of(frame, ref)
            if child is None or count[0] >= MOST_FRAMES:
                continue
            left = None if options.depth is None else options.depth - depth - 1
            inner = await self._inner(child, replace(options, depth=left), count)
            margin = "" if options.interactive_only else " " * (depth + 1)
            lines[at + 1 : at + 1] = [margin + line for line in inner]
        return lines

    async def _walk(self, frame: Frame, options: SnapshotOptions, root: Handle | None) -> _Walk:
        """Once more from the beginning in a new document, unless an element of the old one was asked for."""
        asked = {"depth": options.depth, "interactiveOnly": options.interactive_only, "urls": options.urls}
        while True:
            context = await frame.context(World.ISOLATED)
            try:
                naming = self._page.refs.naming(frame, context)
                found = await frame.use(_WALKER, "take", *naming, asked, root, kind=_Walk)
                self._page.refs.given(frame, context, found.last)
                if frame is self._page.main:
                    self._page.title = found.title
                return found
            except DocumentGone:
                if root is not None or frame.is_detached:
                    raise

    async def _inner(self, frame: Frame, options: SnapshotOptions, count: list[int]) -> list[str]:
        """The lines of a frame inside; one that goes away, crashes or is stuck is empty, not an error."""
        if options.depth is not None and options.depth <= 0:
            return []
        with anyio.move_on_after(FRAME_PATIENCE):
            try:
                return await self._frame_lines(frame, options, None, count)
            except (DocumentGone, TabCrashed):
                return []
        return []

    async def _frame_of(self, parent: Frame, ref: str) -> Frame | None:
        known = self._page.frames.get(self._frame_ids.get(ref, ""))
        if known is not None and known.parent is parent:
            return known
        element = await parent.use_handle(_WALKER, "elementOf", ref)
        if element is None:
            return None
        try:
            frame = await frame_of(self._page, element)
        except DocumentGone:
            return None
        if frame is not None:
            self._frame_ids[ref] = frame.id
        return frame


_ELEMENT_WALKER = bundle("refs", "reach", "naming", "snapshot")
# Seconds in which a frame inside has to answer: one that is stuck must not cost the page.


async def digest_of(page: Page, seconds: float) -> str | None:
    """A hash of what a snapshot would say; None of a page that cannot be looked at, or not in time."""
    with anyio.move_on_after(seconds), suppress(CdpError, CdpGone, DocumentGone, JsError, Problem):
        lines = await page.watcher(Snapshots).look(SnapshotOptions())
        return hashlib.sha256("\n".join(lines).encode(errors="replace")).hexdigest()
    return None


async def list_elements(page: Page, most: int) -> list[dict[str, str]]:
    """`ref`, `tag`, `role` and `name` of at most so many, the main frame's first."""
    found = await _of_frame(page, page.main, most)
    for frame in page.frames.all()[1:]:
        if len(found) >= most:
            break
        with anyio.move_on_after(FRAME_PATIENCE):
            try:
                found.extend(await _of_frame(page, frame, most - len(found)))
            except (DocumentGone, TabCrashed):
                continue
    return found


async def _of_frame(page: Page, frame: Frame, most: int) -> list[dict[str, str]]:
    while True:
        context = await frame.context(World.ISOLATED)
        try:
            naming = page.refs.naming(frame, context)
            walked = await frame.use(_ELEMENT_WALKER, "elements", *naming, most, kind=_Elements)
            page.refs.given(frame, context, walked.last)
        except DocumentGone:
            if frame.is_detached:
                raise
            continue
        return walked.elements
