"""The tree of a page's frames across its processes; and refs, names like `e12` for elements in them.

Elements of the main frame are `e12`, those of the third document that was met in a child frame `f3e12`.  A name is
never given twice in the life of a tab, whatever documents come and go, so an old one can be stale but never wrong.
The tables are in the pages (`js/refs.js`); here is only who may use which names.

A walker of a frame gives names like this:

    context = await frame.context(World.ISOLATED)
    prefix, first = page.refs.naming(frame, context)
    … in the page: belljar.refs.begin(prefix, first), belljar.refs.refOf(element)…, and at the end belljar.refs.last()
    page.refs.given(frame, context, last)
"""

import re
from collections.abc import Callable
from typing import TypeVar
from weakref import WeakKeyDictionary

from belljar.box.browser.cdp import Session
from belljar.box.browser.cdp.events import (
    ContextCreated,
    ContextDestroyed,
    ContextsCleared,
    Event,
    FrameAttached,
    FrameDetached,
    FrameNavigated,
    LifecycleEvent,
    NavigatedWithinDocument,
)
from belljar.box.browser.cdp.replies import FrameInfo, FrameTreeNode
from belljar.box.browser.page.frames import WORLD_NAME, Context, DocumentGone, Frame, World
from belljar.tasks import Signal
from belljar.wire.browser.acting import REF_PATTERN

Happened = TypeVar("Happened", bound=Event)


class FrameTree:
    """`follow` each session of the page as it is attached, then `load` the tree that session knows."""

    def __init__(self, main_id: str, session: Session, check: Callable[[], None]) -> None:
        # Fires whenever a frame comes, goes, navigates, or gets or loses a world.
        self.changed = Signal()
        self._check = check
        self.main = Frame(main_id, None, session, self.changed, check)
        self._frames: dict[str, Frame] = {main_id: self.main}
        # Called with a frame that began a new document, or moved within one (same loader).
        self.on_navigated: list[Callable[[Frame], None]] = []
        # Called with a frame that is not there any more, nor those below it.
        self.on_removed: list[Callable[[Frame], None]] = []

    def get(self, id: str) -> Frame | None:
        return self._frames.get(id)

    def all(self) -> list[Frame]:
        return list(self.main.walk())

    def follow(self, session: Session) -> None:
        def on(kind: type[Happened], handle: Callable[[Session, Happened], None]) -> None:
            def take(event: Happened) -> None:
                handle(session, event)
                self.changed.fire()

            session.on(kind, take)

        on(FrameAttached, self._attached)
        on(FrameDetached, self._detached)
        on(FrameNavigated, self._navigated)
        on(NavigatedWithinDocument, self._moved_within)
        on(LifecycleEvent, self._lifecycle)
        on(ContextCreated, self._context_created)
        on(ContextDestroyed, self._context_destroyed)
        on(ContextsCleared, self._contexts_cleared)

    def load(self, session: Session, tree: FrameTreeNode) -> None:
        """Take in `Page.getFrameTree` of a session, as it was before its further events."""
        self._take(session, tree)
        self.changed.fire()

    def move(self, frame_id: str, parent_id: str | None, session: Session) -> None:
        """The frame now lives in the process of `session`."""
        frame = self._frames.get(frame_id)
        if frame is None:
            parent = self._frames.get(parent_id or "") or self.main
            frame = self._add(frame_id, parent, session)
        self._drop_children(frame)
        frame.session = session
        self.changed.fire()

    def left(self, session: Session) -> None:
        """The session is over; frames that still live in it are back with their parent, or about to go."""
        for frame in self.all():
            frame.contexts_cleared(session)
            if frame.session is session and frame.parent is not None:
                frame.session = frame.parent.session
        self.changed.fire()

    def of_context(self, session: Session, number: int) -> Frame | None:
        """Whose document's own world this is."""
        return next((frame for frame in self.all() if frame.has_context(session, number, World.MAIN)), None)

    def _take(self, session: Session, tree: FrameTreeNode) -> None:
        self._describe(session, tree.frame)
        for child in tree.child_frames:
            self._take(session, child)

    def _describe(self, session: Session, info: FrameInfo) -> Frame:
        frame = self._frames.get(info.id)
        if frame is None:
            parent = self._frames.get(info.parent_id or "") or self.main
            frame = self._add(info.id, parent, session)
        frame.session = session
        frame.url = info.unreachable_url or info.url + info.url_fragment
        frame.name = info.name
        frame.origin = info.security_origin
        frame.loader_id = info.loader_id
        return frame

    def _add(self, id: str, parent: Frame, session: Session) -> Frame:
        frame = Frame(id, parent, session, self.changed, self._check)
        parent.children.append(frame)
        self._frames[id] = frame
        return frame

    def _attached(self, session: Session, event: FrameAttached) -> None:
        if event.frame_id not in self._frames and event.parent_frame_id in self._frames:
            self._add(event.frame_id, self._frames[event.parent_frame_id], session)

    def _detached(self, session: Session, event: FrameDetached) -> None:
        frame = self._frames.get(event.frame_id)
        # A swap is a move to another process, which announces the frame itself.
        if frame is not None and event.reason != "swap" and frame.session is session:
            self._remove(frame)

    def _navigated(self, session: Session, event: FrameNavigated) -> None:
        known = self._frames.get(event.frame.id)
        loader_before = known.loader_id if known is not None else ""
        frame = self._describe(session, event.frame)
        if frame.loader_id != loader_before:
            frame.lifecycle.clear()
        self._drop_children(frame)
        for callback in self.on_navigated:
            callback(frame)

    def _moved_within(self, session: Session, event: NavigatedWithinDocument) -> None:
        frame = self._frames.get(event.frame_id)
        if frame is not None:
            frame.url = event.url
            for callback in self.on_navigated:
                callback(frame)

    def _lifecycle(self, session: Session, event: LifecycleEvent) -> None:
        frame = self._frames.get(event.frame_id)
        if frame is None:
            return
        if event.name == "init":
            frame.lifecycle.clear()
        if event.loader_id == frame.loader_id or event.name == "init":
            frame.lifecycle.add(event.name)

    def _context_created(self, session: Session, event: ContextCreated) -> None:
        context, about = event.context, event.context.aux_data
        frame = self._frames.get(about.frame_id or "")
        if frame is None:
            return
        if about.is_default:
            frame.origin = context.origin
            frame.context_made(World.MAIN, Context(session, context.unique_id, context.id))
        elif context.name == WORLD_NAME:
            frame.context_made(World.ISOLATED, Context(session, context.unique_id, context.id))

    def _context_destroyed(self, session: Session, event: ContextDestroyed) -> None:
        for frame in self.all():
            frame.context_gone(event.execution_context_unique_id)

    def _contexts_cleared(self, session: Session, event: ContextsCleared) -> None:
        for frame in self.all():
            frame.contexts_cleared(session)

    def _drop_children(self, frame: Frame) -> None:
        for child in tuple(frame.children):
            self._remove(child)

    def _remove(self, frame: Frame) -> None:
        for gone in tuple(frame.walk()):
            gone.is_detached = True
            self._frames.pop(gone.id, None)
        if frame.parent is not None and frame in frame.parent.children:
            frame.parent.children.remove(frame)
        for callback in tuple(self.on_removed):
            callback(frame)


_REF = re.compile(REF_PATTERN)


class Refs:
    """The names of one tab."""

    def __init__(self, frames: FrameTree) -> None:
        self._frames = frames
        self._documents = 0
        # The highest number that any document of the main frame has used.
        self._last_in_main = 0
        self._prefixes: WeakKeyDictionary[Context, str] = WeakKeyDictionary()

    def naming(self, frame: Frame, context: Context) -> tuple[str, int]:
        """The prefix of names in this document, and the first number it may use that it has not used before."""
        if frame is self._frames.main:
            return "", self._last_in_main + 1
        if context not in self._prefixes:
            self._documents += 1
            self._prefixes[context] = f"f{self._documents}"
        return self._prefixes[context], 1

    def given(self, frame: Frame, context: Context, last: int) -> None:
        """Names up to number `last` were given.  Raises `DocumentGone` when that document is no longer there.

        Nobody has seen the names of a document that went away meanwhile, and nobody may: the next one uses them.
        """
        if not frame.has(context):
            raise DocumentGone("the document was replaced while it was read")
        if frame is self._frames.main:
            self._last_in_main = max(self._last_in_main, last)

    def frame_of(self, ref: str) -> Frame | None:
        """The frame whose present document may know this name; None when no document there is does."""
        found = _REF.match(ref)
        if found is None:
            return None
        prefix = found.group(1)
        if prefix is None:
            return self._frames.main
        for context, known in self._prefixes.items():
            if known == prefix:
                return next((frame for frame in self._frames.all() if frame.has(context)), None)
        return None
