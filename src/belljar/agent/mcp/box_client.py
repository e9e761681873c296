"""What every tool works with: the SDK with the caller's own rights, a browser and desktop that start when needed."""

import hashlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import anyio
from starlette.datastructures import QueryParams
from starlette.types import ASGIApp, Scope

from belljar.logs import log
from belljar.problems import Conflict, Problem
from belljar.problems.box import DesktopInactive
from belljar.problems.browser import BrowserAlreadyActive, BrowserNotActive
from belljar.problems.plane import SessionOver, UnknownSession
from belljar.sdk.aio.box import AsyncBox
from belljar.sdk.aio.browser import AsyncBrowser
from belljar.sdk.aio.client import AsyncRecords
from belljar.sdk.aio.desktop import AsyncDesktop
from belljar.sdk.aio.http import Answer, AsyncHttp
from belljar.sdk.aio.sessions import AsyncSessions
from belljar.sdk.embedded import Address
from belljar.sdk.errors import NoAnswer, Unreachable
from belljar.sdk.inprocess import InProcessHttp
from belljar.server.inprocess import VIA, InProcess
from belljar.server.requests import RequestHeaders
from belljar.wire.record import ActorVia

# What may go wrong with a call: the server refused, or there was no answer.
NO_ANSWER = (Unreachable, NoAnswer)
FAILED = (Problem, *NO_ANSWER)

START_SECONDS = 60.0
SESSION_TAG = "mcp"
DEFAULT_SESSION = "default"
SESSION_IDLE_SECONDS = 900
# Later than any event: asks for none, only for where they are.
_NO_EVENTS = 2**53
_LOOK_AGAIN = 0.1
# Callers of a control plane whose sessions are remembered, and sessions; others are looked up again.
_MOST_SEATS = 10_000
_BY_MCP = {VIA: ActorVia.MCP}


@dataclass
class Shared:
    """Of all who use one box through the same server: only one of them starts its browser."""

    starting: anyio.Lock = field(default_factory=anyio.Lock)
    # Who started a browser that nobody stopped since: it is theirs to stop when it has been idle for long.
    starter: AsyncBox | None = None
    # When a person was last asked for help, and the revision of the page then.
    asked: tuple[float, int | None] | None = None


class BoxClient:
    """`browser` and `desktop` start what is not running; `box` has everything as it is, and starts nothing."""

    def __init__(self, http: AsyncHttp, shared: Shared, *, headless: bool = True) -> None:
        self._http = http
        self.shared = shared
        self._starting = _StartingHttp(http, self, headless=headless)
        self.browser = AsyncBrowser(self._starting, None, None)

    @cached_property
    def box(self) -> AsyncBox:
        return AsyncBox(self._http)

    @cached_property
    def desktop(self) -> AsyncDesktop:
        return AsyncDesktop(self._starting)

    async def fetch(self, path: str) -> tuple[str, bytes]:
        """A file's media type and its content."""
        got = await self._starting.request("GET", path)
        return got.headers.get("content-type", "").partition(";")[0], got.content

    async def url(self) -> str:
        """Where the active tab is; empty where there is none."""
        return (await self.box.browser.status()).url or ""

    async def events(self) -> "Events":
        """The browser's events from now on."""
        return await Events.open(self.box)


class Events:
    """What happens to the browser, one wait after another: nothing between two waits is missed."""

    def __init__(self, box: AsyncBox, cursor: int) -> None:
        self._box = box
        self._cursor = cursor

    @classmethod
    async def open(cls, box: AsyncBox) -> "Events":
        return cls(box, (await box.browser.events(since=_NO_EVENTS)).cursor)

    async def next(self, seconds: float) -> None:
        """Return when something has happened since the last time, after `seconds` at the latest."""
        self._cursor = (await self._box.browser.events(since=self._cursor, timeout=seconds)).cursor


class _StartingHttp(AsyncHttp):
    """Requests of tools: what is refused because browser or desktop do not run is asked again once they do."""

    def __init__(self, http: AsyncHttp, client: BoxClient, *, headless: bool) -> None:
        self._http = http
        self._client = client
        self._headless = headless

    async def request(self, method: str, path: str, **given: Any) -> Answer:
        try:
            return await self._http.request(method, path, **given)
        except BrowserNotActive:
            await self._alone(self._start_browser)
        except DesktopInactive:
            if not path.startswith("/v1/desktop/"):
                raise
            await self._alone(self._start_desktop)
        return await self._http.request(method, path, **given)

    async def _alone(self, start: Callable[[], Awaitable[None]]) -> None:
        with anyio.move_on_after(START_SECONDS):
            async with self._client.shared.starting:
                await start()

    async def _start_browser(self) -> None:
        box = self._client.box
        try:
            await box.browser.start(headless=self._headless)
            self._client.shared.starter = box
        except BrowserAlreadyActive:
            # Somebody else's start; it is waited for.
            events = await Events.open(box)
            while (await box.browser.status()).state == "starting":
                await events.next(START_SECONDS)

    async def _start_desktop(self) -> None:
        box = self._client.box
        try:
            await box.desktop.start(width=1280, height=800)
        except Conflict:
            # A desktop has no events: it is looked at again after a moment, or sooner.
            events = await Events.open(box)
            while (await box.desktop.status()).state == "starting":
                await events.next(_LOOK_AGAIN)


class SessionHttp(AsyncHttp):
    """A control plane as if it were a box: one session, found again by its name, made when it is first needed.

    A session that ended, because it was idle or someone ended it, is replaced by a new one at the next call.
    """

    def __init__(self, plane: AsyncHttp, name: str, known: "KnownSession") -> None:
        self._plane = plane
        self._name = name
        self._known = known

    async def request(self, method: str, path: str, **given: Any) -> Answer:
        try:
            return await self._plane.request(method, f"/s/{await self._session()}{path}", **given)
        except (SessionOver, UnknownSession):
            self._known.id = None
        return await self._plane.request(method, f"/s/{await self._session()}{path}", **given)

    async def address(self) -> Address:
        return await self._plane.address()

    async def _session(self) -> str:
        async with self._known.lock:
            if self._known.id is None:
                self._known.id = await self._find() or await self._create()
            return self._known.id

    async def _find(self) -> str | None:
        me = await AsyncRecords(self._plane).me()
        tag = f"{SESSION_TAG}:{self._name}"
        found = await AsyncSessions(self._plane).list(user=me.user, tag=[tag], state=["running"], limit=1)
        return found.sessions[0].id if found.sessions else None

    async def _create(self) -> str:
        sessions = AsyncSessions(self._plane)
        tags = {SESSION_TAG: self._name}
        return (await sessions.create(headless=True, idle_timeout=SESSION_IDLE_SECONDS, tags=tags)).id


class KnownSession:
    """The session that a caller of ours uses, once it is known; shared by the requests of that caller."""

    def __init__(self) -> None:
        self.id: str | None = None
        self.lock = anyio.Lock()


class BoxClients:
    """Of a box's own `/mcp`: everyone uses its one browser; `/mcp?headed=true` starts it on a display."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.shared = Shared()

    def client(self, scope: Scope) -> BoxClient:
        http = InProcessHttp(InProcess(self._app, scope, _BY_MCP))
        return BoxClient(http, self.shared, headless=_is_headless(scope))


class PlaneClients:
    """Of a control plane's `/mcp`: each caller has a session, or several by name (`/mcp?session=research`).

    A session's own, `/s/{id}/mcp`, is answered here as well and not by its box: what tools ask for goes through the
    gateway, which alone can make a link that it will take from a person.
    """

    def __init__(self, app: ASGIApp, path: str) -> None:
        self._app = app
        self._path = path
        self.shared = Shared()
        self._seats: OrderedDict[bytes, tuple[KnownSession, Shared]] = OrderedDict()

    def client(self, scope: Scope) -> BoxClient:
        application = InProcess(self._app, scope, _BY_MCP)
        if session := scope["path"].removesuffix(self._path):
            _, shared = self._seat(session)
            return BoxClient(InProcessHttp(application, session), shared, headless=_is_headless(scope))
        name = QueryParams(scope["query_string"]).get("session") or DEFAULT_SESSION
        who = RequestHeaders(scope).get("authorization", "") + "\0" + RequestHeaders(scope).get("cookie", "")
        known, shared = self._seat(f"{who}\0{name}")
        return BoxClient(SessionHttp(InProcessHttp(application), name, known), shared)

    def _seat(self, whose: str) -> tuple[KnownSession, Shared]:
        key = hashlib.sha256(whose.encode("utf-8", "surrogateescape")).digest()
        found = self._seats.setdefault(key, (KnownSession(), Shared()))
        self._seats.move_to_end(key)
        if len(self._seats) > _MOST_SEATS:
            self._seats.popitem(last=False)
        return found


def _is_headless(scope: Scope) -> bool:
    return QueryParams(scope["query_string"]).get("headed") != "true"


async def close_when_idle(shared: Shared, seconds: float) -> None:
    """Close a browser that MCP started once the whole box has seen no activity for so long; the next call starts one.

    With the rights of whoever started it.  0 is never.
    """
    if seconds <= 0:
        await anyio.sleep_forever()
    while True:
        await anyio.sleep(max(0.05, min(seconds / 4, 60)))
        if shared.starter is None:
            continue
        try:
            health = await shared.starter.health()
            last = health.last_activity
            if health.open_streams or last is None or time.time() - last.timestamp() < seconds:
                continue
            async with shared.starting:
                await shared.starter.browser.stop()
                log.info("mcp.idle_browser_closed")
        except FAILED:
            # Stopped already, or no longer ours to stop: somebody else's business either way.
            pass
        shared.starter = None
