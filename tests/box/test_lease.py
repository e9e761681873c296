"""Who may act, who may take control from whom, and when it ends by itself."""

import anyio
import pytest

from belljar.box.access.lease import AGENT, NOBODY, Lease, open_lease, viewer
from belljar.problems.box import ControlHeld, ViewerNotFound
from belljar.wire.control import Control, HolderKind

ANN, BOB = viewer("ann"), viewer("bob")


def lease(ttl: float = 60) -> Lease:
    made = Lease(ttl)
    made.join("ann", "Ann")
    made.join("bob", "Bob")
    return made


def test_nobody_holds_it_at_first_and_all_may_act() -> None:
    held = lease()
    assert held.holder == NOBODY
    for who in (AGENT, ANN, BOB):
        held.check(who)


@pytest.mark.parametrize(
    ("holder", "taker", "succeeds"),
    [
        (NOBODY, AGENT, True),
        (NOBODY, ANN, True),
        (AGENT, AGENT, True),
        (AGENT, ANN, True),
        (ANN, ANN, True),
        (ANN, BOB, True),
        (ANN, AGENT, False),
    ],
)
def test_a_person_comes_before_a_program(holder: object, taker: object, succeeds: bool) -> None:
    held = lease()
    if holder != NOBODY:
        held.take(holder)  # type: ignore[arg-type]
    if succeeds:
        held.take(taker)  # type: ignore[arg-type]
        assert held.holder == taker
    else:
        with pytest.raises(ControlHeld):
            held.take(taker)  # type: ignore[arg-type]
        assert held.holder == holder


def test_only_the_holder_may_act_and_the_others_are_told_who_it_is() -> None:
    held = lease()
    held.take(ANN)
    held.check(ANN)
    for who in (AGENT, BOB):
        with pytest.raises(ControlHeld) as refused:
            held.check(who)
        body = refused.value.body()
        assert body["holder"] == {"kind": "viewer", "viewer": "ann", "name": "Ann"}
        assert 0 < body["retryAfterMs"] <= 60_000


def test_a_request_for_what_is_free_is_granted_and_otherwise_announced() -> None:
    held = lease()
    seen: list[Control] = []
    held.listen(seen.append)
    held.request(ANN)
    held.request(AGENT)
    held.request(AGENT)
    assert [state.holder.viewer for state in seen] == ["ann", "ann"]
    assert [one.kind for one in seen[-1].requests] == [HolderKind.AGENT]
    held.give(ANN, AGENT)
    assert seen[-1].holder.kind is HolderKind.AGENT
    assert seen[-1].requests == []


def test_what_another_holds_is_neither_released_nor_given_away() -> None:
    held = lease()
    held.take(ANN)
    with pytest.raises(ControlHeld):
        held.release(AGENT)
    with pytest.raises(ControlHeld):
        held.release(BOB)
    with pytest.raises(ControlHeld):
        held.give(AGENT, BOB)
    held.release(AGENT, by_force=True)
    assert held.holder == NOBODY


def test_only_a_viewer_that_is_there_can_be_given_control() -> None:
    held = lease()
    held.leave("bob")
    with pytest.raises(ViewerNotFound):
        held.give(AGENT, BOB)
    with pytest.raises(ViewerNotFound):
        held.take(viewer("carl"))


async def test_a_silent_holder_loses_it() -> None:
    async with open_lease(0.05) as held:
        held.join("ann", "Ann")
        held.take(ANN)
        with anyio.fail_after(5):
            await held.admit(AGENT, wait=5)
        assert held.holder == NOBODY


async def test_a_holder_that_acts_keeps_it_beyond_its_time() -> None:
    async with open_lease(0.2) as held:
        held.join("ann", "Ann")
        held.take(ANN)
        for _ in range(6):
            # Each wait is shorter than the lease, all together are longer.
            with pytest.raises(ControlHeld):
                await held.admit(AGENT, wait=0.05)
            held.check(ANN)
        assert held.holder == ANN


async def test_who_waits_gets_in_as_soon_as_it_is_given_back() -> None:
    held = lease()
    held.take(ANN)
    order: list[str] = []

    async def wait() -> None:
        await held.admit(AGENT, wait=10)
        order.append("in")

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            order.append("released")
            held.release(ANN)
    assert order == ["released", "in"]


async def test_an_agent_that_waits_its_turn_asks_and_then_holds_it() -> None:
    held = lease()
    held.take(ANN)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: held.take_in_turn(AGENT, wait=10))
            await anyio.wait_all_tasks_blocked()
            assert [one.kind for one in held.state().requests] == [HolderKind.AGENT]
            held.release(ANN)
    assert held.holder == AGENT


async def test_a_viewer_that_reconnects_keeps_what_it_held() -> None:
    held = lease()
    held.take(ANN)
    held.leave("ann")
    expiry = held.state().expires_at
    held.join("ann", "Ann")
    assert held.holder == ANN
    renewed = held.state().expires_at
    assert expiry is not None and renewed is not None and renewed > expiry
