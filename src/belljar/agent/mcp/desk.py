"""What every tool works with: the API with the caller's rights, a browser that starts when it is first needed."""

import re
from dataclasses import dataclass, field
from typing import Any

import anyio

from belljar.agent.mcp.api import Api, Body, Json, Query, Refused, Reply

REF = re.compile(r"(f\d{1,9})?e\d{1,9}")
# An element that is not there yet is waited for this long; one that is covered or disabled is told at once.
ACTION_MS = 5_000
# Nothing is waited for where the page has changed and planned nothing more.  What comes later than this rest is told
# with the next answer: each tells what changed since the last.
REPORT: Json = {"still": 40, "eager": True, "sinceLast": True}
START_SECONDS = 60.0
# Later than any event: asks for none, only for where they are.
_NO_EVENTS = 2**53
_LOOK_AGAIN = 0.1
# A snapshot that is not shown whole must not count as one that was: another depth makes it one of another kind.
UNTOLD = {"depth": 200}


class BadArgument(Exception):
    """A tool was called in a way it cannot be; the message says how it can."""


@dataclass
class Starts:
    """Shared by all who use one box through the same server: only one of them starts its browser."""

    lock: anyio.Lock = field(default_factory=anyio.Lock)
    # Who started a browser that nobody stopped since: it is theirs to stop when it has been idle for long.
    starter: Api | None = None
    # When a person was last asked for help, and the revision of the page then.
    asked: tuple[float, int | None] | None = None


class Desk:
    def __init__(self, api: Api, starts: Starts, *, headless: bool = True) -> None:
        self._api = api
        self._starts = starts
        self._headless = headless

    @property
    def asked(self) -> tuple[float, int | None] | None:
        return self._starts.asked

    @asked.setter
    def asked(self, value: tuple[float, int | None] | None) -> None:
        self._starts.asked = value

    async def call(self, method: str, path: str, body: Json | Body | None = None, query: Query | None = None) -> Reply:
        return await self._api.call(method, path, body, query)

    async def browser(
        self, method: str, path: str, body: Json | Body | None = None, query: Query | None = None
    ) -> Reply:
        """A call below `/v1/browser`, after starting the browser where it is not running."""
        path = f"/v1/browser/{path}"
        try:
            return await self._api.call(method, path, body, query)
        except Refused as refused:
            if refused.code != "browser_not_active":
                raise
        await self._start("/v1/browser/start", {"headless": self._headless}, "browser_already_active")
        return await self._api.call(method, path, body, query)

    async def get(self, path: str, **query: str | int | bool | None) -> Json:
        return (await self.browser("GET", path, query=query)).json()

    async def post(self, path: str, body: Json) -> Json:
        return (await self.browser("POST", path, body)).json()

    async def act(self, path: str, body: Json) -> Json:
        """An action that answers with what it changed."""
        return await self.post(path, {"report": REPORT, "failFast": True, "timeout": ACTION_MS, **body})

    async def events(self) -> "Events":
        """The browser's events from now on."""
        return Events(self._api, await _cursor(self._api, _NO_EVENTS, 0))

    async def desktop(self, method: str, path: str, body: Json | None = None, query: Query | None = None) -> Reply:
        """A call below `/v1/desktop`, after starting the desktop where it is not running."""
        path = f"/v1/desktop/{path}"
        try:
            return await self._api.call(method, path, body, query)
        except Refused as refused:
            if refused.code != "desktop_runtime_inactive":
                raise
        await self._start("/v1/desktop/start", {"width": 1280, "height": 800}, "conflict")
        return await self._api.call(method, path, body, query)

    async def _start(self, path: str, body: Json, already: str) -> None:
        """Start it, or wait for somebody else's start to be over."""
        with anyio.move_on_after(START_SECONDS):
            async with self._starts.lock:
                try:
                    await self._api.call("POST", path, body)
                    if "browser" in path:
                        self._starts.starter = self._api
                except Refused as refused:
                    if refused.code != already:
                        raise
                    await self._somebody_elses_start(path)

    async def _somebody_elses_start(self, path: str) -> None:
        events = await self.events()
        status = path.replace("/start", "/status")
        while (await self._api.call("GET", status)).json().get("state") == "starting":
            # A desktop has no events: it is looked at again after a moment.
            await events.next(START_SECONDS if "browser" in path else _LOOK_AGAIN)


class Events:
    """What happens to the browser, one wait after another: nothing between two waits is missed."""

    def __init__(self, api: Api, cursor: int) -> None:
        self._api = api
        self._cursor = cursor

    async def next(self, seconds: float) -> None:
        """Return when something has happened since the last time, after `seconds` at the latest."""
        self._cursor = await _cursor(self._api, self._cursor, seconds)


async def _cursor(api: Api, since: int, seconds: float) -> int:
    query = {"since": since, "timeout": round(seconds * 1000)}
    return int((await api.call("GET", "/v1/browser/events", query=query)).json()["cursor"])


def element(target: Any) -> Json:
    """The members that name an element: a ref of a snapshot, or a selector."""
    if not isinstance(target, str) or not target:
        raise BadArgument("target must be a ref such as e12, or a selector.")
    target = target.strip("[] ") if REF.fullmatch(target.strip("[] ")) else target
    return {"ref": target} if REF.fullmatch(target) else {"selector": target}


def selector(target: Any) -> str | None:
    """An element for what takes selectors alone."""
    if target is None or target == "":
        return None
    named = element(target)
    return f"ref={named['ref']}" if "ref" in named else str(named["selector"])
