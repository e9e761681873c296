"""Where an element is: which frame its document is, by selector or ref, through frames of any process."""

from dataclasses import dataclass
from typing import Any

from belljar.box.browser.cdp import CdpError
from belljar.box.browser.frames import Frame, World
from belljar.box.browser.page import Page
from belljar.box.browser.script import DocumentGone, Handle, bundle
from belljar.box.browser.selectors import parse_selector
from belljar.problems.browser import BrowserInvalidSelector, ElementNotFound, FrameNotFound, StaleRef
from belljar.wire.browser.acting import ElementFields

ACTING = bundle("dom", "words", "css", "refs", "naming", "selectors", "ready", "guard", "fields", "scrolling", "acting")
# Milliseconds between looks at a page that does not say when it changes.
POLL = 100

Query = dict[str, Any]


@dataclass(frozen=True)
class Target:
    """An element as a caller names it: by selector or by ref; `frame` is where a selector begins."""

    selector: str | None = None
    ref: str | None = None
    frame: str | None = None

    @classmethod
    def of(cls, body: ElementFields) -> "Target":
        return cls(body.selector, body.ref, body.frame)

    @classmethod
    def if_named(cls, body: ElementFields) -> "Target | None":
        """None where the caller names no element."""
        return cls.of(body) if body.selector is not None or body.ref is not None else None

    @property
    def name(self) -> str:
        return self.ref or self.selector or "the page"

    def query(self) -> Query:
        """What pages are asked.  Raises `BrowserInvalidSelector`."""
        if self.ref is not None:
            return {"ref": self.ref}
        return {"steps": list(parse_selector(self.selector or "").steps)}


async def starting_frame(page: Page, target: Target) -> Frame:
    """The frame in which to begin looking.  Raises `StaleRef` and `FrameNotFound`."""
    if target.ref is not None:
        frame = page.refs.frame_of(target.ref)
        if frame is None:
            raise StaleRef(target.ref)
        return frame
    return page.main if target.frame is None else await find_frame(page, target.frame)


async def find_frame(page: Page, name: str) -> Frame:
    """A frame by its id or name, or by a selector of its element.  Raises `FrameNotFound`."""
    known = page.frames.get(name) or next((frame for frame in page.frames.all()[1:] if frame.name == name), None)
    if known is not None:
        return known
    found = await look(page, Target(selector=name))
    if found is not None:
        frame, handle = found
        child = await frame_of(page, handle)
        if child is not None:
            return child
    raise FrameNotFound(name)


async def look(page: Page, target: Target) -> tuple[Frame, Handle] | None:
    """The element as it is this moment, and the frame it is in; None when there is none.  Waits for nothing."""
    frame, query = await starting_frame(page, target), target.query()
    while True:
        state = await frame.use(ACTING, "state", query)
        if "invalid" in state:
            raise BrowserInvalidSelector(target.name, state["invalid"])
        if "next" not in state and not state["isAttached"]:
            return None
        handle = await frame.use_handle(ACTING, "pick", query)
        if handle is None:
            return None
        if "next" not in state:
            return frame, handle
        child = await frame_of(page, handle)
        if child is None:
            return None
        frame, query = child, {"steps": query["steps"][state["next"] :]}


async def find(page: Page, target: Target) -> tuple[Frame, Handle]:
    """As `look`, but an element that is not there yet is waited for, as long as the caller's deadline lets it.

    For reads: it asks nothing of the element but to be there.  The handle is the caller's to release.
    """
    while True:
        try:
            found = await look(page, target)
            if found is not None:
                return found
            if target.ref is not None:
                raise StaleRef(target.ref)
            await page.main.use(ACTING, "change", POLL)
        except DocumentGone:
            await page.ready()
        except FrameNotFound:
            await page.main.use(ACTING, "change", POLL, retry=True)


async def find_now(page: Page, target: Target) -> tuple[Frame, Handle]:
    """As `look`; raises `ElementNotFound` or `StaleRef` when there is none."""
    found = await look(page, target)
    if found is None:
        raise StaleRef(target.ref) if target.ref is not None else ElementNotFound(target.name)
    return found


async def frame_of(page: Page, handle: Handle) -> Frame | None:
    """The frame that an element shows, and the handle released; None for an element that shows none."""
    try:
        node = await handle.session.send("DOM.describeNode", objectId=handle.object_id)
    except CdpError as error:
        raise DocumentGone(error.message) from error
    finally:
        handle.release()
    return page.frames.get(node["node"].get("frameId", ""))


async def owner_of(frame: Frame) -> Handle:
    """The element that shows `frame`, in its parent's document."""
    parent = frame.parent
    assert parent is not None
    context = await parent.context(World.ISOLATED)
    try:
        owner = await context.session.send("DOM.getFrameOwner", frameId=frame.id)
        node = await context.session.send(
            "DOM.resolveNode", backendNodeId=owner["backendNodeId"], executionContextId=context.number
        )
    except CdpError as error:
        raise DocumentGone(error.message) from error
    return Handle(context.session, node["object"]["objectId"])
