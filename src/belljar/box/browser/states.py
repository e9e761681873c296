"""The browser's states, every allowed move between them, and what callers are told of each."""

from collections.abc import Mapping
from enum import StrEnum

from belljar.wire.browser.lifecycle import BrowserState


class State(StrEnum):
    INACTIVE = "inactive"
    STARTING = "starting"
    ACTIVE = "active"
    # Chromium's pipe has closed though nobody stopped it: calls wait until another one is there with the same tabs.
    RESTARTING = "restarting"
    STOPPING = "stopping"
    FAILED = "failed"


S = State
MOVES: Mapping[State, frozenset[State]] = {
    S.INACTIVE: frozenset({S.STARTING}),
    S.STARTING: frozenset({S.ACTIVE, S.FAILED}),
    S.ACTIVE: frozenset({S.RESTARTING, S.STOPPING}),
    S.RESTARTING: frozenset({S.ACTIVE, S.STOPPING, S.FAILED}),
    S.STOPPING: frozenset({S.INACTIVE}),
    S.FAILED: frozenset({S.STARTING, S.INACTIVE}),
}


def on_the_wire(state: State) -> BrowserState:
    """Callers know two kinds of coming up by one word."""
    return BrowserState.STARTING if state is State.RESTARTING else BrowserState(state)
