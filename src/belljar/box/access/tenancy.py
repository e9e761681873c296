"""Whose box this is and until when, and when somebody last used it: asking how it is does not count."""

import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

import anyio
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from belljar.box.settings import BoxSettings
from belljar.logs import log
from belljar.problems import Conflict
from belljar.server.router import facts_of
from belljar.tasks import background
from belljar.tokens import CONTROL_PLANE, Caller


@dataclass
class Activity:
    last: float = field(default_factory=time.time)
    # Requests being answered and WebSockets open now.
    open_streams: int = 0

    def note(self) -> None:
        self.last = time.time()


class TrackActivity:
    """Notes every request at its beginning and end, and every message a WebSocket's client sends."""

    def __init__(self, app: ASGIApp, activity: Activity) -> None:
        self._app = app
        self._activity = activity

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or _is_uncounted(scope):
            await self._app(scope, receive, send)
            return
        activity = self._activity

        async def noted() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and facts_of(scope).counts_messages:
                activity.note()
            return message

        activity.note()
        activity.open_streams += 1
        try:
            await self._app(scope, noted if scope["type"] == "websocket" else receive, send)
        finally:
            activity.open_streams -= 1
            if scope["type"] == "http":
                activity.note()


def _is_uncounted(scope: Scope) -> bool:
    caller: Caller | None = scope["state"].get("caller")
    # Nobody is asked for where it is open to anybody.
    return not facts_of(scope).counts or caller is None or caller.id == CONTROL_PLANE


# The clock may be set while we wait, so no wait is longer.
_LOOK_SECONDS = 5.0


class Tenancy:
    def __init__(self, settings: BoxSettings, activity: Activity) -> None:
        self.activity = activity
        self.session_id: str | None = None
        self.expires_at = None if settings.expires_in is None else time.time() + settings.expires_in
        self.idle_timeout = settings.idle_timeout
        # Why the box is ending, once it is by its own doing: `idle`, `expired` or `owner_ended`.
        self.reason: str | None = None
        self._changed = anyio.Event()

    def claim(self, session_id: str, expires_at: float, idle_timeout: float) -> None:
        """Make the box `session_id`'s, or change that session's times.  Another session's it never becomes."""
        if self.session_id not in (None, session_id):
            raise Conflict("this box belongs to another session")
        if self.session_id is None:
            self.activity.note()
        self.session_id = session_id
        self.expires_at = expires_at
        self.idle_timeout = idle_timeout
        self._changed.set()
        self._changed = anyio.Event()

    async def watch(self) -> None:
        """Ends the server once its time has come."""
        while (left := self.seconds_left(time.time())) > 0:
            with anyio.move_on_after(min(left, _LOOK_SECONDS)):
                await self._changed.wait()
        is_expired = self.expires_at is not None and self.expires_at <= time.time()
        self.reason = "expired" if is_expired else "idle"
        log.info("box.over", session_id=self.session_id, reason=self.reason)
        os.kill(os.getpid(), signal.SIGTERM)
        await anyio.sleep_forever()

    async def watch_owner(self, descriptor: int) -> None:
        """Ends the server once `descriptor` can be read: a process that ended, a pipe that closed."""
        await anyio.wait_readable(descriptor)
        self.reason = "owner_ended"
        log.info("box.over", session_id=self.session_id, reason=self.reason)
        os.kill(os.getpid(), signal.SIGTERM)
        await anyio.sleep_forever()

    def seconds_left(self, now: float) -> float:
        ends = []
        if self.expires_at is not None:
            ends.append(self.expires_at)
        if self.idle_timeout:
            # Grace, so that a control plane that asks in time gets to name the reason.
            ends.append(self.activity.last + self.idle_timeout * 1.1 + 5)
        return min(ends, default=now + _LOOK_SECONDS) - now


@asynccontextmanager
async def open_tenancy(settings: BoxSettings, activity: Activity) -> AsyncIterator[Tenancy]:
    tenancy = Tenancy(settings, activity)
    async with AsyncExitStack() as watches:
        await watches.enter_async_context(background(tenancy.watch, name="tenancy"))
        if settings.lifeline is not None:
            watch_owner = partial(tenancy.watch_owner, int(settings.lifeline.removeprefix("fd:")))
            await watches.enter_async_context(background(watch_owner, name="lifeline"))
        yield tenancy
