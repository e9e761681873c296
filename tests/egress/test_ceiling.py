"""An egress process that is held to a policy by somebody else than its box lets out no more, whatever the box says."""

import os
from ipaddress import ip_address
from pathlib import Path

import pytest

from belljar.egress.policy.ceiling import MAX_BYTES, Ceiling
from belljar.egress.policy.file import parse_policy
from belljar.egress.policy.policy import Limits, Request, Scheme, Verdict

PUBLIC = (ip_address("93.184.216.34"),)
PRIVATE = (ip_address("10.1.2.3"),)
PROXY = "upstream session http://10.0.0.9:3128\nallow * via session"


def held(folder: Path, ceiling: str, box: str, host: str = "site.example", addresses: tuple = PUBLIC) -> bool:  # type: ignore[type-arg]
    """Whether it gets out, asked as the gate asks."""
    file = folder / "policy"
    file.write_text(ceiling)
    policy, request = parse_policy(box, ()), Request(Scheme.TUNNEL, host, 443)
    decision, known = policy.decide(request), ()
    if decision.verdict is Verdict.RESOLVE:
        decision, known = policy.decide(request, addresses), addresses
    return Ceiling(file).hold(decision, policy, request, known).is_allowed


@pytest.mark.parametrize(
    ("ceiling", "box", "is_allowed"),
    [
        ("public", "public", True),
        ("public", "allow site.example", True),
        ("public", "none", False),
        ("none", "open", False),
        ("allow other.example", "open", False),
        ("allow site.example\ndeny *", "open", True),
        ("deny site.example\nuse public", "public", False),
        # By a proxy that nobody else has heard of, around one, and by the one that was said.
        ("public", PROXY, False),
        (PROXY, "public", False),
        (PROXY, PROXY, True),
        (PROXY, PROXY.replace("10.0.0.9", "10.0.0.8"), False),
        # A name for another proxy is no other proxy.
        (PROXY, PROXY.replace("session", "another"), True),
        ("learn", "open", True),
    ],
)
def test_what_both_allow_by_the_same_way_goes_out(tmp_path: Path, ceiling: str, box: str, is_allowed: bool) -> None:
    assert held(tmp_path, ceiling, box) is is_allowed


def test_private_addresses_stay_closed_to_a_box_that_opens_everything(tmp_path: Path) -> None:
    assert not held(tmp_path, "public", "open", "inside.example", PRIVATE)
    assert held(tmp_path, "open", "open", "inside.example", PRIVATE)


def test_without_a_file_that_can_be_read_nothing_goes_out(tmp_path: Path) -> None:
    file, policy = tmp_path / "policy", parse_policy("open", ())
    ceiling, request = Ceiling(file), Request(Scheme.TUNNEL, "site.example", 443)
    decision = policy.decide(request, PUBLIC)
    assert not ceiling.hold(decision, policy, request, PUBLIC).is_allowed, "there is none yet"
    file.write_text("public")
    assert ceiling.hold(decision, policy, request, PUBLIC).is_allowed
    for odd in (b"allow allow allow", b"\xff", b"#" * (MAX_BYTES + 1)):
        (tmp_path / "next").write_bytes(odd)
        os.replace(tmp_path / "next", file)
        assert not ceiling.hold(decision, policy, request, PUBLIC).is_allowed
    (tmp_path / "next").write_text("allow site.example")
    os.replace(tmp_path / "next", file)
    assert ceiling.hold(decision, policy, request, PUBLIC).is_allowed, "it is read anew"


def test_the_lower_limits_hold(tmp_path: Path) -> None:
    file = tmp_path / "policy"
    file.write_text("limit connections 10\nuse public")
    assert Ceiling(file).limits(Limits(connections=500, bytes_per_second=7)) == Limits(10, None, 7)
