"""Finding an element: selectors as callers write them, refs, and the frame its document is in.

`css`, `text=…`, `role=…[name=…]`, `xpath=…`, `ref=e12`, `nth=…`, `visible=…`, chained with `>>`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from belljar.box.browser.cdp import CdpError
from belljar.box.browser.cdp.replies import FrameOwner, NodeDescription, Part, ResolvedNode
from belljar.box.browser.page.frames import DocumentGone, Frame, Handle, World, bundle
from belljar.box.browser.page.page import Page
from belljar.problems.browser import BrowserInvalidSelector, ElementNotFound, FrameNotFound, StaleRef
from belljar.wire.browser.acting import ElementFields

Step = dict[str, object]
MAX_SELECTOR_CHARS = 10_000

_ENGINE = re.compile(r"^\s*(css|text|role|xpath|ref|nth|visible|id|data-testid)\s*=(.*)$", re.DOTALL)
_REGEX = re.compile(r"^/(.*)/([a-z]*)$", re.DOTALL)
_ROLE = re.compile(r"^\s*([a-zA-Z]+)\s*(.*)$", re.DOTALL)
_ATTRIBUTE = re.compile(
    r"""\[\s*(?P<name>[a-z-]+)\s*
        (?:(?P<operator>[*^$]?=)\s*
           (?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^'\\]|\\.)*)'|/(?P<pattern>(?:[^/\\]|\\.)+)/(?P<regex_flags>[a-z]*)
              |(?P<bare>[^\]\s"'/]+))
           \s*(?P<flags>[is])?)?\s*\]\s*""",
    re.VERBOSE | re.DOTALL,
)
_ROLE_STATES = frozenset(
    {"checked", "disabled", "expanded", "level", "pressed", "selected", "required", "readonly", "invalid", "focused"}
)


@dataclass(frozen=True)
class Selector:
    """`text` is what the caller wrote; the steps run one inside the other."""

    text: str
    steps: tuple[Step, ...]


@lru_cache(maxsize=500)
def parse_selector(text: str) -> Selector:
    """Raises `BrowserInvalidSelector`.  Whether CSS, XPath and patterns are valid only a page can tell."""
    if not text.strip():
        raise BrowserInvalidSelector(text, "it is empty.")
    if len(text) > MAX_SELECTOR_CHARS:
        raise BrowserInvalidSelector(text[:100], f"it is longer than {MAX_SELECTOR_CHARS} characters.")
    parts = _split_chain(text)
    if any(not part.strip() for part in parts):
        raise BrowserInvalidSelector(text, "a part beside >> is empty.")
    return Selector(text, tuple(_step(text, part) for part in parts))


def _split_chain(text: str) -> list[str]:
    """Cut at `>>` where it stands outside of quotes and brackets."""
    parts, start, at, quote, depth = [], 0, 0, "", 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and _opens_string(text, at):
            quote = char
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth = max(0, depth - 1)
        elif text.startswith(">>", at) and depth == 0:
            parts.append(text[start:at])
            at += 2
            start = at
            continue
        at += 1
    return [*parts, text[start:]]


def _opens_string(text: str, at: int) -> bool:
    """An apostrophe within a word, as in `text=Don't`, opens nothing."""
    return at == 0 or not text[at - 1].isalnum()


def _step(whole: str, part: str) -> Step:
    found = _ENGINE.match(part)
    body = part.strip()
    if found is None:
        if body.startswith(("//", "(//", "..")):
            return {"engine": "xpath", "path": body}
        if body[0] in "\"'" and body[-1] == body[0] and len(body) > 1:
            return _text_step(body)
        return {"engine": "css", "css": body}
    engine, body = found.group(1), found.group(2).strip()
    if not body:
        raise BrowserInvalidSelector(whole, f"nothing follows {engine}=")
    match engine:
        case "css":
            return {"engine": "css", "css": body}
        case "id" | "data-testid":
            quoted = body.replace("\\", "\\\\").replace('"', '\\"')
            return {"engine": "css", "css": f'[{engine}="{quoted}"]'}
        case "text":
            return _text_step(body)
        case "xpath":
            return {"engine": "xpath", "path": body}
        case "ref":
            return {"engine": "ref", "ref": body}
        case "role":
            return _role_step(whole, body)
        case "visible":
            return {"engine": "visible", "visible": body.lower() != "false"}
        case _:
            return _nth_step(whole, body)


def _text_step(body: str) -> Step:
    """`text=Save` contains it in any case, `text="Save"` is it exactly, `text=/Sav(e|ed)/i` is a pattern."""
    regex = _REGEX.match(body)
    if regex is not None:
        return {"engine": "text", "pattern": regex.group(1), "flags": regex.group(2)}
    if len(body) > 1 and body[0] in "\"'" and body[-1] == body[0]:
        return {"engine": "text", "text": _unescaped(body[1:-1]), "exact": True}
    return {"engine": "text", "text": body, "exact": False}


def _role_step(whole: str, body: str) -> Step:
    found = _ROLE.match(body)
    if found is None:
        raise BrowserInvalidSelector(whole, "role= is followed by a role, as in role=button.")
    attributes, hidden, rest = [], False, found.group(2)
    while rest:
        attribute = _ATTRIBUTE.match(rest)
        if attribute is None:
            raise BrowserInvalidSelector(whole, f'cannot read {rest[:50]!r}; write it like [name="Save"].')
        rest = rest[attribute.end() :]
        if attribute["name"] == "include-hidden":
            hidden = True
        else:
            attributes.append(_role_attribute(whole, attribute))
    return {"engine": "role", "role": found.group(1).lower(), "attributes": attributes, "hidden": hidden}


def _role_attribute(whole: str, found: re.Match[str]) -> Step:
    name = found["name"]
    if name != "name" and name not in _ROLE_STATES:
        known = ", ".join(sorted({"name", "include-hidden", *_ROLE_STATES}))
        raise BrowserInvalidSelector(whole, f"role= has no attribute {name}; it has {known}.")
    if name == "name" and found["operator"] is None:
        raise BrowserInvalidSelector(whole, "[name] needs a value.")
    attribute: Step = {"name": name}
    if found["operator"] is not None:
        attribute["operator"] = found["operator"]
    if found["pattern"] is not None:
        return attribute | {"pattern": found["pattern"], "flags": found["regex_flags"]}
    quoted = found["double"] if found["double"] is not None else found["single"]
    value = _unescaped(quoted) if quoted is not None else found["bare"]
    if value is not None:
        attribute["value"] = value
    return attribute | {"flags": found["flags"] or ""}


def _nth_step(whole: str, body: str) -> Step:
    try:
        return {"engine": "nth", "index": int(body)}
    except ValueError:
        raise BrowserInvalidSelector(whole, "nth= is followed by a number, 0 for the first, -1 for the last.") from None


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


ACTING = bundle("dom", "words", "css", "refs", "naming", "selectors", "ready", "guard", "fields", "scrolling", "acting")
# Milliseconds between looks at a page that does not say when it changes.
POLL = 100


@dataclass(frozen=True)
class Query:
    """What pages are asked for: an element's ref, or steps that lead to it."""

    ref: str | None = None
    steps: tuple[Step, ...] = ()

    def body(self) -> Step:
        return {"ref": self.ref} if self.ref is not None else {"steps": self.steps}

    def rest(self, start: int) -> "Query":
        """What is left to do in the frame where the steps before led."""
        return Query(steps=self.steps[start:])


class ElementState(Part):
    """Of an element as it is this moment, or which step is for the frame it is in."""

    is_attached: bool = False
    is_visible: bool = False
    next: int | None = None
    invalid: str | None = None


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
            return Query(self.ref)
        return Query(steps=parse_selector(self.selector or "").steps)


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
        state = await frame.use(ACTING, "state", query.body(), kind=ElementState)
        if state.invalid is not None:
            raise BrowserInvalidSelector(target.name, state.invalid)
        if state.next is None and not state.is_attached:
            return None
        handle = await frame.use_handle(ACTING, "pick", query.body())
        if handle is None:
            return None
        if state.next is None:
            return frame, handle
        child = await frame_of(page, handle)
        if child is None:
            return None
        frame, query = child, query.rest(state.next)


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
        found = await handle.session.send_as(NodeDescription, "DOM.describeNode", objectId=handle.object_id)
    except CdpError as error:
        raise DocumentGone(error.message) from error
    finally:
        handle.release()
    return page.frames.get(found.node.frame_id or "")


async def owner_of(frame: Frame) -> Handle:
    """The element that shows `frame`, in its parent's document."""
    parent = frame.parent
    assert parent is not None
    context = await parent.context(World.ISOLATED)
    try:
        owner = await context.session.send_as(FrameOwner, "DOM.getFrameOwner", frameId=frame.id)
        where = {"backendNodeId": owner.backend_node_id, "executionContextId": context.number}
        resolved = await context.session.send_as(ResolvedNode, "DOM.resolveNode", **where)
    except CdpError as error:
        raise DocumentGone(error.message) from error
    return Handle(context.session, resolved.object.object_id)
