"""Whose box this is and until when: it ends itself at its time, with or without a control plane."""

import os
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import anyio

from belljar.box.activity import Activity
from belljar.box.settings import BoxSettings
from belljar.logs import log
from belljar.problems import Conflict
from belljar.tasks import background

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
