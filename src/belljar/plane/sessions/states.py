"""Every session state and every allowed move."""

from collections.abc import Mapping

from belljar.wire.sessions import EndReason
from belljar.wire.sessions import SessionState as S

# A session that may own resources only ends by passing through STOPPING.
MOVES: Mapping[S, frozenset[S]] = {
    S.PENDING: frozenset({S.STARTING, S.STOPPED, S.FAILED}),
    S.STARTING: frozenset({S.RUNNING, S.STOPPING}),
    S.RUNNING: frozenset({S.STOPPING}),
    S.STOPPING: frozenset({S.STOPPED, S.FAILED}),
    S.STOPPED: frozenset(),
    S.FAILED: frozenset(),
}

# Those that are not over.
LIVE = frozenset({S.PENDING, S.STARTING, S.RUNNING, S.STOPPING})
# Those that own a box, or may.
OWNING = frozenset({S.STARTING, S.RUNNING, S.STOPPING})

_BROKEN = frozenset({EndReason.CRASHED, EndReason.OOM, EndReason.FAILED})


class ForbiddenMove(Exception):
    """A move that the table does not have: a fault of ours, never of a caller's."""


def check_move(before: S, after: S) -> None:
    if after not in MOVES[before]:
        raise ForbiddenMove(f"{before} -> {after}")


def final_state(reason: EndReason) -> S:
    """Where a session comes to rest that ended for `reason`."""
    return S.FAILED if reason in _BROKEN else S.STOPPED
