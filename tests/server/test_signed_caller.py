"""Who a control plane says a request is for: what is believed, and what is not."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from belljar.problems import TokenInvalid
from belljar.server.signed_caller import WINDOW_SECONDS, CallerSigner, CallerVerifier, SeenIds
from belljar.tokens import Role

KEY = b"k" * 32
TARGET = b"/v1/processes?limit=3"


@contextmanager
def refused(said: str) -> Iterator[None]:
    with pytest.raises(TokenInvalid) as raised:
        yield
    assert said in raised.value.members["details"]["message"]


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def sign(clock: Clock, role: Role = Role.DRIVE, caller: str = "ann", key: bytes = KEY) -> str:
    return CallerSigner(key, clock).sign("POST", TARGET, role, caller, prefix="/s/1", scheme="https").decode()


def test_it_says_who_calls_and_under_which_address(clock: Clock) -> None:
    said = CallerVerifier(KEY, clock).verify(sign(clock, caller="añn; röot\n"), "POST", TARGET)
    assert (said.caller.role, said.caller.id) == (Role.DRIVE, "añn; röot\n")
    assert (said.prefix, said.scheme) == ("/s/1", "https")


@pytest.mark.parametrize(
    ("method", "target"),
    [
        ("GET", TARGET),
        ("post", TARGET),
        ("WEBSOCKET", TARGET),
        ("POST", b"/v1/processes"),
        ("POST", TARGET + b"&x"),
        ("POST", b"/v1/processes?limit=3\n"),
        ("POST /v1/processes?limit=3\n", b""),
    ],
)
def test_it_is_good_for_its_own_request_alone(clock: Clock, method: str, target: bytes) -> None:
    with refused("not signed for this request"):
        CallerVerifier(KEY, clock).verify(sign(clock), method, target)


def test_it_is_good_once(clock: Clock) -> None:
    verifier, given = CallerVerifier(KEY, clock), sign(clock)
    verifier.verify(given, "POST", TARGET)
    with refused("for one request"):
        verifier.verify(given, "POST", TARGET)
    # Written another way it is the same still.
    with refused("for one request"):
        verifier.verify(given.replace(".", "\n."), "POST", TARGET)


@pytest.mark.parametrize("apart", [WINDOW_SECONDS + 1, -WINDOW_SECONDS - 1])
def test_it_is_good_for_half_a_minute(clock: Clock, apart: float) -> None:
    given, verifier = sign(clock), CallerVerifier(KEY, clock)
    clock.now += apart
    with refused("too long ago"):
        verifier.verify(given, "POST", TARGET)
    clock.now -= apart / abs(apart) * 2
    assert verifier.verify(given, "POST", TARGET).caller.id == "ann"


def test_nothing_but_the_boxs_own_key_signs(clock: Clock) -> None:
    claims, _, signature = sign(clock).partition(".")
    plain = base64.b64decode(claims)
    raised = base64.b64encode(plain.replace(b'"drive"', b'"operator"')).decode()
    given = [
        sign(clock, key=b"x" * 32),
        f"{raised}.{signature}",
        f"{claims}.",
        claims,
        "",
        ".",
        f"{claims}.{signature[:-8]}",
        "operator; root",
        "é.ü",
    ]
    for one in given:
        with refused("not signed for this request"):
            CallerVerifier(KEY, clock).verify(one, "POST", TARGET)


def test_what_is_too_old_to_be_believed_is_forgotten() -> None:
    seen = SeenIds()
    for second in range(1_000):
        assert seen.add(b"%d" % second, float(second), float(second))
    assert len(seen) <= WINDOW_SECONDS + 1


def test_a_flood_neither_lets_anything_pass_twice_nor_keeps_others_out() -> None:
    """With more requests than are remembered the window gets narrow, and who comes straight here does not notice."""
    seen, now = SeenIds(most=100), 1_000.0
    early = [(b"early %d" % number, now + number / 1_000) for number in range(10)]
    assert all(seen.add(id, at, now) for id, at in early)
    for number in range(10_000):
        at = now + 1 + number / 1_000
        assert seen.add(b"flood %d" % number, at, at)
        assert len(seen) <= 100
        # Signed ten requests ago, and on its way since.
        assert seen.add(b"honest %d" % number, at - 0.01, at)
        assert not seen.add(b"flood %d" % number, at, at)
    late = now + 12
    assert not any(seen.add(id, at, late) for id, at in early)
    assert not seen.add(b"flood 0", now + 1, late)
    assert seen.add(b"and now", late, late)


def test_a_clock_that_is_set_back_keeps_nobody_out_for_long() -> None:
    seen = SeenIds(most=10)
    assert all(seen.add(b"%d" % number, 5_000.0 + number, 5_000.0 + number) for number in range(20))
    assert not seen.add(b"straggler", 5_000.0, 5_019.0)
    assert seen.add(b"an hour before", 1_400.0, 1_400.0)
    assert not seen.add(b"an hour before", 1_400.0, 1_400.0)
