"""The table of moves, as a table."""

import pytest

from belljar.plane.sessions.states import LIVE, MOVES, ForbiddenMove, check_move, final_state
from belljar.wire.sessions import EndReason
from belljar.wire.sessions import SessionState as S


def test_every_state_has_a_line() -> None:
    assert set(MOVES) == set(S)


@pytest.mark.parametrize("state", sorted(set(S) - LIVE))
def test_nothing_moves_on_from_the_end(state: S) -> None:
    assert MOVES[state] == frozenset()


@pytest.mark.parametrize("state", [S.STARTING, S.RUNNING])
def test_what_may_own_a_box_ends_by_way_of_stopping(state: S) -> None:
    assert MOVES[state] & {S.STOPPED, S.FAILED} == set()
    assert S.STOPPING in MOVES[state]


def test_a_move_that_is_not_in_the_table_raises() -> None:
    with pytest.raises(ForbiddenMove):
        check_move(S.STOPPED, S.RUNNING)


@pytest.mark.parametrize(
    ("reason", "state"),
    [
        (EndReason.RELEASED, S.STOPPED),
        (EndReason.EXPIRED, S.STOPPED),
        (EndReason.IDLE, S.STOPPED),
        (EndReason.REVOKED, S.STOPPED),
        (EndReason.EVICTED, S.STOPPED),
        (EndReason.CRASHED, S.FAILED),
        (EndReason.OOM, S.FAILED),
        (EndReason.FAILED, S.FAILED),
    ],
)
def test_where_each_reason_leads(reason: EndReason, state: S) -> None:
    assert final_state(reason) is state
