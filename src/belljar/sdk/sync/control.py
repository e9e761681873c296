# Made from aio/control.py by scripts/make_sync_sdk.py: change it there.
"""`control`: who may act on the page or the screen, the agent or a person."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from belljar.sdk.choices import ControlMoment
from belljar.sdk.encoding import body, ms
from belljar.sdk.sync.http import Http
from belljar.wire.control import Control as ControlState


class Control:
    """The lease, as an agent has it.  What a person holds it can ask for and wait for, not take."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def show(self) -> ControlState:
        """Who holds it, until when, and who asked for it."""
        return self._http.get("/v1/control", ControlState)

    def wait_for(self, until: ControlMoment, *, timeout: float = 60) -> ControlState:
        """Return when a `person` holds it, or it is `free` of people; as it is then, after `timeout` seconds."""
        asked = body(until=until, timeout=ms(timeout))
        return self._http.get("/v1/control", ControlState, asked, timeout=timeout)

    def take(self, *, timeout: float = 0) -> ControlState:
        """Have it now, or within `timeout` seconds, once a person is done with it."""
        return self._move("take", wait=timeout)

    def request(self) -> ControlState:
        """Have it if it is free; otherwise its holder is asked."""
        return self._move("request")

    def renew(self) -> ControlState:
        """Still here: a holder that is silent loses it."""
        return self._move("renew")

    def release(self, *, force: bool = False) -> ControlState:
        """Give it back; with `force`, the operator ends anyone's."""
        return self._move("release", force=force)

    def give(self, to: str) -> ControlState:
        """Hand it to a viewer, by its id."""
        return self._move("give", to=to)

    def ask(self, question: str | None) -> ControlState:
        """Show whoever watches what a person is needed for, until one gave control back; None takes it back."""
        return self._move("ask", question=question)

    @contextmanager
    def held(self, *, timeout: float = 0) -> Iterator[ControlState]:
        """Hold it for a block."""
        state = self.take(timeout=timeout)
        try:
            yield state
        finally:
            self.release()

    def _move(self, action: str, *, wait: float = 0, **given: Any) -> ControlState:
        asked = body(action=action, timeout=ms(wait), **given)
        return self._http.post("/v1/control", ControlState, asked, timeout=wait)
