"""Sessions on boxes, and refs that go stale: common to the providers with a browser."""

import secrets
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

import anyio

from belljar.agent.provider.settings import ProviderSettings, check_domain
from belljar.agent.provider.types import (
    MAX_REFS,
    MAX_TEXT_CHARS,
    BadArgument,
    BrowserConfig,
    BrowserSession,
    DomainNotAllowed,
    ElementRef,
    PageSnapshot,
    ProviderError,
    StaleRefs,
    UnknownSession,
)
from belljar.logs import log
from belljar.problems import Problem
from belljar.problems.browser import NavigationFailed, StaleRef
from belljar.sdk.aio.page import AsyncPage
from belljar.sdk.errors import CannotStart, NoAnswer, Unreachable

# What Chromium says of a document that a partition's domains keep out.
REFUSED = "ERR_BLOCKED_BY_CLIENT"
MOST_SESSIONS = 50


@dataclass
class Tenancy:
    """A page of someone's, and how to give it back."""

    page: AsyncPage
    give_back: Callable[[], Awaitable[None]]
    # The box's refs of the newest snapshot, by position; None when there is none that still holds.
    refs: tuple[str, ...] | None = None
    # One command after the other, in the order they came.
    turn: anyio.Lock = field(default_factory=anyio.Lock)


class BoxProvider(ABC):
    """Subclasses say where the page of a session comes from."""

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings
        self._sessions: dict[str, Tenancy] = {}

    @abstractmethod
    async def _begin(self, session: str, config: BrowserConfig) -> Tenancy:
        """A fresh page kept to the allowed domains; nothing is left behind when this raises."""

    async def launch(self, config: BrowserConfig) -> BrowserSession:
        if len(self._sessions) >= MOST_SESSIONS:
            raise ProviderError(f"There are {MOST_SESSIONS} sessions already. Close one first.")
        id = secrets.token_hex(16)
        with _in_provider_words():
            self._sessions[id] = await self._begin(id, config)
        return BrowserSession(id)

    async def navigate(self, session: str, url: str) -> None:
        async with self._using(session) as tenancy:
            check_domain(url, self._settings.browser_allowed_domains)
            tenancy.refs = None
            try:
                await tenancy.page.navigate(url)
            except NavigationFailed as error:
                if error.members.get("net_error") == REFUSED:
                    raise DomainNotAllowed("The address led to a domain that is not allowed.") from error
                raise

    async def snapshot(self, session: str) -> PageSnapshot:
        async with self._using(session) as tenancy:
            text = await tenancy.page.text(max_chars=MAX_TEXT_CHARS)
            found = (await tenancy.page.elements(limit=MAX_REFS)).elements
            tenancy.refs = tuple(element.ref for element in found)
            refs = tuple(ElementRef(place, element.tag, element.name) for place, element in enumerate(found))
            return PageSnapshot(text.title, text.url, text.text[:MAX_TEXT_CHARS], refs)

    async def click(self, session: str, ref: int) -> None:
        async with self._using(session) as tenancy:
            await tenancy.page.click(ref=_spent(tenancy, ref), report=True)

    async def type(self, session: str, ref: int, text: str) -> None:
        async with self._using(session) as tenancy:
            await tenancy.page.type(ref=_spent(tenancy, ref), text=text, clear=True)

    async def screenshot(self, session: str) -> bytes:
        async with self._using(session) as tenancy:
            return await tenancy.page.screenshot()

    async def close(self, session: str) -> None:
        tenancy = self._sessions.pop(session, None)
        if tenancy is not None:
            with anyio.CancelScope(shield=True), _in_provider_words():
                await tenancy.give_back()

    async def aclose(self) -> None:
        async with anyio.create_task_group() as closing:
            for session in tuple(self._sessions):
                closing.start_soon(self._close_somehow, session)

    async def _close_somehow(self, session: str) -> None:
        """One that fails must not keep the others."""
        try:
            await self.close(session)
        except ProviderError as error:
            log.warning("provider.not_closed", error=str(error))

    @asynccontextmanager
    async def _using(self, session: str) -> AsyncIterator[Tenancy]:
        tenancy = self._sessions.get(session)
        if tenancy is None:
            raise UnknownSession("There is no such session. Launch one.")
        with _in_provider_words():
            async with tenancy.turn:
                yield tenancy


def _spent(tenancy: Tenancy, ref: int) -> str:
    """The box's name of an element.  Whatever becomes of the action, the page may be another one afterwards."""
    if isinstance(ref, bool) or not isinstance(ref, int):
        raise BadArgument("A ref is a number.")
    refs, tenancy.refs = tenancy.refs, None
    if refs is None:
        raise StaleRefs("The page may have changed since its last snapshot. Take a new one.")
    if not 0 <= ref < len(refs):
        tenancy.refs = refs
        raise BadArgument(f"The snapshot has no ref {ref}: they go from 0 to {len(refs) - 1}.")
    return refs[ref]


@contextmanager
def _in_provider_words() -> Iterator[None]:
    """Raise `ProviderError`s for what the SDK raises."""
    try:
        yield
    except StaleRef as error:
        raise StaleRefs("The page replaced the element since its snapshot. Take a new one.") from error
    except Problem as error:
        raise ProviderError(error.detail) from error
    except (CannotStart, NoAnswer, Unreachable) as error:
        raise ProviderError(str(error)) from error
