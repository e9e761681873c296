"""A browser provider: seven methods, what they take and give, and errors that survive the IPC boundary."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol


class ProviderError(Exception):
    """Something went wrong in the browser or its box; the message says what."""

    code: ClassVar[str] = "provider_error"


class ProviderDisabled(ProviderError):
    """There is no browser here; the message says why and what would help."""

    code = "disabled"


class UnknownSession(ProviderError):
    """No such session: never launched, or closed."""

    code = "unknown_session"


class StaleRefs(ProviderError):
    """The ref is from before the page changed.  Take a new snapshot."""

    code = "stale_refs"


class DomainNotAllowed(ProviderError):
    """The domain allowlist does not cover the address, or where it led."""

    code = "domain_not_allowed"


class BadArgument(ProviderError):
    """An argument of the wrong kind, or a path that leads out of its folder."""

    code = "bad_argument"


class Unauthorized(ProviderError):
    """The IPC token is missing or wrong."""

    code = "unauthorized"


ERRORS: dict[str, type[ProviderError]] = {
    kind.code: kind
    for kind in (
        ProviderError,
        ProviderDisabled,
        UnknownSession,
        StaleRefs,
        DomainNotAllowed,
        BadArgument,
        Unauthorized,
    )
}


# So much of a page's text, and so many elements, are in a snapshot.
MAX_TEXT_CHARS = 50_000
MAX_REFS = 200
MAX_PIXELS = 16_384


@dataclass(frozen=True)
class Viewport:
    width: int = 1280
    height: int = 720

    def __post_init__(self) -> None:
        if not all(type(side) is int for side in (self.width, self.height)):
            raise BadArgument("A viewport's width and height are whole numbers.")
        if not (1 <= self.width <= MAX_PIXELS and 1 <= self.height <= MAX_PIXELS):
            raise BadArgument(f"A viewport has 1 to {MAX_PIXELS} pixels each way.")


@dataclass(frozen=True, init=False)
class BrowserConfig:
    """`viewport` may also be given as `{"width": 800, "height": 600}`, either of them left out."""

    headless: bool
    viewport: Viewport

    def __init__(self, headless: bool = True, viewport: Viewport | Mapping[str, int] | None = None) -> None:
        if not isinstance(headless, bool):
            raise BadArgument("headless is True or False.")
        # Frozen from here on.
        object.__setattr__(self, "headless", headless)
        object.__setattr__(self, "viewport", _viewport(viewport))


def _viewport(given: object) -> Viewport:
    if isinstance(given, Viewport):
        return given
    if given is None:
        return Viewport()
    if not isinstance(given, Mapping) or not given.keys() <= {"width", "height"}:
        raise BadArgument('A viewport is {"width": 800, "height": 600}.')
    return Viewport(**given)


@dataclass(frozen=True)
class BrowserSession:
    """`id` is random: knowing one session tells nothing about another."""

    id: str


@dataclass(frozen=True)
class ElementRef:
    """An element that can be acted on; `ref` is its place in the snapshot it came with."""

    ref: int
    tag: str
    text: str


@dataclass(frozen=True)
class PageSnapshot:
    """All of it but the numbers is the page's own words: external, and to be treated as such."""

    title: str
    url: str
    text: str
    refs: tuple[ElementRef, ...]


class BrowserProvider(Protocol):
    """A sandboxed browser behind structured commands; no scripts of callers ever run in a page.

    `launch` comes first and gives a session; every other method takes its id and raises `UnknownSession` for one that
    was never given or is closed.  Refs are positions in the newest snapshot: any `navigate`, `click` or `type`
    invalidates them all, and so does a page that replaced the element; using one then raises `StaleRefs`, and the
    remedy is another `snapshot`.  Where a domain allowlist is set, no frame ever shows a document of another host,
    however it came to ask for it; `navigate` says so with `DomainNotAllowed`.  `close` may be called twice.
    Every error is a `ProviderError`.
    """

    async def launch(self, config: BrowserConfig) -> BrowserSession: ...

    async def navigate(self, session: str, url: str) -> None:
        """Load an address and wait for it.  Only `http` and `https`."""

    async def snapshot(self, session: str) -> PageSnapshot:
        """Title, address, text and interactive elements as they are now, within `MAX_TEXT_CHARS` and `MAX_REFS`."""

    async def click(self, session: str, ref: int) -> None: ...

    async def type(self, session: str, ref: int, text: str) -> None:
        """Replace what a field holds."""

    async def screenshot(self, session: str) -> bytes:
        """PNG of what is in view."""

    async def close(self, session: str) -> None:
        """Everything of the session goes: its page, cookies and storage."""

    async def aclose(self) -> None:
        """Close every session that is left, and the provider."""
