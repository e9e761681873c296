"""`control`: who may act on the page or the screen, the agent or a person."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from belljar.sdk.aio.http import AsyncHttp
from belljar.sdk.choices import ControlMoment
from belljar.sdk.encoding import body, ms
from belljar.wire.control import Control as ControlState


class AsyncControl:
    """The lease, as an agent has it.  What a person holds it can ask for and wait for, not take."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def show(self) -> ControlState:
        """Who holds it, until when, and who asked for it."""
        return await self._http.get("/v1/control", ControlState)

    async def wait_for(self, until: ControlMoment, *, timeout: float = 60) -> ControlState:
        """Return when a `person` holds it, or it is `free` of people; as it is then, after `timeout` seconds."""
        asked = body(until=until, timeout=ms(timeout))
        return await self._http.get("/v1/control", ControlState, asked, timeout=timeout)

    async def take(self, *, timeout: float = 0) -> ControlState:
        """Have it now, or within `timeout` seconds, once a person is done with it."""
        return await self._move("take", wait=timeout)

    async def request(self) -> ControlState:
        """Have it if it is free; otherwise its holder is asked."""
        return await self._move("request")

    async def renew(self) -> ControlState:
        """Still here: a holder that is silent loses it."""
        return await self._move("renew")

    async def release(self, *, force: bool = False) -> ControlState:
        """Give it back; with `force`, the operator ends anyone's."""
        return await self._move("release", force=force)

    async def give(self, to: str) -> ControlState:
        """Hand it to a viewer, by its id."""
        return await self._move("give", to=to)

    async def ask(self, question: str | None) -> ControlState:
        """Show whoever watches what a person is needed for, until one gave control back; None takes it back."""
        return await self._move("ask", question=question)

    @asynccontextmanager
    async def held(self, *, timeout: float = 0) -> AsyncIterator[ControlState]:
        """Hold it for a block."""
        state = await self.take(timeout=timeout)
        try:
            yield state
        finally:
            await self.release()

    async def _move(self, action: str, *, wait: float = 0, **given: Any) -> ControlState:
        asked = body(action=action, timeout=ms(wait), **given)
        return await self._http.post("/v1/control", ControlState, asked, timeout=wait)
