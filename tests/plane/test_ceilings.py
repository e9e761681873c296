"""What a session may use and do: defaults, ceilings and a request in, an allowance or a problem out."""

from typing import Any

import pytest
from pydantic import ValidationError

from belljar.box.allowance import Permissions, check_enforced
from belljar.plane.ceilings import (
    Ceilings,
    UserCeilings,
    allowance_for,
    box_flags,
    check_user_sum,
    is_within,
    make_ceilings,
)
from belljar.plane.settings import PlaneSettings
from belljar.problems.browser import CdpDisabled, EvaluateDisabled
from belljar.problems.plane import AboveCeiling, NotHonoured, UserCeiling
from belljar.wire.isolation import CdpRelay, Evaluate, Isolation, LimitHolder
from belljar.wire.record import FilmMode, RecordLevel
from belljar.wire.sessions import Allowance, CreateSession, PatchSession

GIB = 1 << 30
DEFAULT = Allowance(
    memory_mb=2048,
    cpus=1,
    disk_mb=4096,
    processes=1024,
    viewers=8,
    input_rate=300,
    command_rate=30,
    evaluate=Evaluate.ISOLATED,
)
MOST = DEFAULT.model_copy(update={"memory_mb": 4096, "cpus": 2.0, "evaluate": Evaluate.ON, "cdp": CdpRelay.OFF})
CEILINGS = make_ceilings(DEFAULT, MOST, UserCeilings(memory_mb=6000))


def ask(**wanted: Any) -> CreateSession:
    return CreateSession.model_validate(wanted)


def test_one_that_says_nothing_has_the_defaults_and_never_more_than_a_ceiling() -> None:
    allowance = allowance_for(ask(), CEILINGS)
    assert allowance == DEFAULT.model_copy(update={"cdp": CdpRelay.OFF})
    assert is_within(allowance, CEILINGS.default)


@pytest.mark.parametrize(
    ("wanted", "field", "ceiling"),
    [
        ({"limits": {"memoryMb": 4097}}, "limits.memoryMb", 4096),
        ({"limits": {"cpus": 2.5}}, "limits.cpus", 2.0),
        ({"limits": {"diskMb": 5000}}, "limits.diskMb", 4096),
        ({"limits": {"processes": 1025}}, "limits.processes", 1024),
        ({"limits": {"viewers": 9}}, "limits.viewers", 8),
        ({"limits": {"inputRate": 301}}, "limits.inputRate", 300.0),
        ({"limits": {"commandRate": 30.5}}, "limits.commandRate", 30.0),
        ({"policy": {"cdp": "on"}}, "policy.cdp", "off"),
    ],
)
def test_what_is_beyond_a_ceiling_is_refused_and_the_ceiling_named(
    wanted: dict[str, Any], field: str, ceiling: object
) -> None:
    with pytest.raises(AboveCeiling) as refused:
        allowance_for(ask(**wanted), CEILINGS)
    assert refused.value.status == 422
    assert refused.value.members["ceilings"] == {field: ceiling}
    assert f"{field} may be {ceiling} at most" in refused.value.detail


def test_all_that_is_beyond_is_named_at_once() -> None:
    with pytest.raises(AboveCeiling) as refused:
        allowance_for(ask(limits={"memoryMb": 999_999, "viewers": 999}), CEILINGS)
    assert [one["field"] for one in refused.value.members["errors"]] == ["limits.memoryMb", "limits.viewers"]


@pytest.mark.parametrize(
    ("wanted", "is_warm"),
    [
        ({}, True),
        ({"limits": {"memoryMb": 512, "cpus": 0.5, "diskMb": 64, "processes": 64, "viewers": 1}}, True),
        ({"limits": {"memoryMb": 2048}}, True),
        ({"limits": {"memoryMb": 2049}}, False),
        ({"policy": {"evaluate": "off"}}, True),
        ({"policy": {"evaluate": "on"}}, False),
    ],
)
def test_what_only_tightens_the_defaults_can_be_given_a_warm_box(wanted: dict[str, Any], is_warm: bool) -> None:
    assert is_within(allowance_for(ask(**wanted), CEILINGS), CEILINGS.default) is is_warm


@pytest.mark.parametrize(
    "limits",
    [
        {"memoryMb": 255}, {"memoryMb": -1}, {"memoryMb": 0}, {"memoryMb": "512"}, {"memoryMb": True},
        {"memoryMb": 512.5}, {"memoryMb": 10**40}, {"memoryMb": [512]}, {"cpus": float("nan")},
        {"cpus": float("inf")}, {"cpus": -1}, {"cpus": 0}, {"cpus": "1"}, {"cpus": True}, {"diskMb": 1},
        {"processes": 63}, {"processes": {}}, {"viewers": 0}, {"inputRate": 0}, {"commandRate": float("-inf")},
        {"memory_gb": 1}, {"unknown": 1},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_limit_is_no_request(limits: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as refused:
        ask(limits=limits)
    assert refused.value.errors()[0]["loc"][:2] == ("limits", next(iter(limits)))


@pytest.mark.parametrize(
    "wanted",
    [
        {"memoryMb": 512}, {"evaluate": "off"}, {"policy": {"evaluate": "never"}}, {"policy": {"cdpp": "off"}},
        {"viewport": {"width": 800, "height": 600, "depth": 24}}, {"limits": {"limits": {}}},
        {"policy": {"egress": "open"}},
    ],
    ids=str,
)  # fmt: skip
def test_unknown_fields_are_refused_however_deep(wanted: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ask(**wanted)


@pytest.mark.parametrize("wanted", [{"limits": {"memoryMb": 512}}, {"policy": {"evaluate": "on"}}, {"mode": "none"}])
def test_a_patch_changes_no_limits(wanted: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        PatchSession.model_validate(wanted)


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"mode": "none", "url": "https://example.com"}, "url"),
        ({"mode": "desktop", "url": "https://example.com"}, "url"),
        ({"mode": "none", "viewport": {"width": 800, "height": 600}}, "viewport"),
        ({"mode": "desktop", "headless": True}, "headless"),
        ({"mode": "desktop", "profileId": "ctx_1"}, "profileId"),
        ({"readOnly": True}, "readOnly"),
    ],
)
def test_what_would_have_no_effect_is_refused(wanted: dict[str, Any], field: str) -> None:
    with pytest.raises(NotHonoured) as refused:
        allowance_for(ask(**wanted), CEILINGS)
    assert [one["field"] for one in refused.value.members["errors"]] == [field]
    assert refused.value.status == 422


def test_a_users_sessions_are_counted_together() -> None:
    held = [DEFAULT, DEFAULT]
    check_user_sum(held, DEFAULT.model_copy(update={"memory_mb": 6000 - 4096}), CEILINGS.per_user)
    with pytest.raises(UserCeiling) as refused:
        check_user_sum(held, DEFAULT, CEILINGS.per_user)
    assert refused.value.status == 429
    assert refused.value.members["field"] == "limits.memoryMb"
    assert (refused.value.members["ceiling"], refused.value.members["used"]) == (6000, 4096)


def test_ceilings_fit_into_one_another() -> None:
    lowered = make_ceilings(DEFAULT, MOST, UserCeilings(memory_mb=1024))
    assert (lowered.default.memory_mb, lowered.most.memory_mb) == (1024, 1024)
    with pytest.raises(ValueError, match="memory_mb"):
        make_ceilings(Allowance(), Allowance(), UserCeilings(memory_mb=1024))


def test_settings_make_ceilings() -> None:
    usual = PlaneSettings().ceilings
    # What is written of a session is its own user's to ask for; all else only the operator grants.
    assert usual.most == usual.default.model_copy(update={"record": RecordLevel.CONTENT, "film": FilmMode.ON})
    assert PlaneSettings().ceilings.default.disk_mb == 4096
    settings = PlaneSettings(default_memory="1G", max_memory="8G", max_evaluate=Evaluate.OFF, max_viewers=2)
    found = settings.ceilings
    assert (found.default.memory_mb, found.most.memory_mb) == (1024, 8192)
    assert (found.default.evaluate, found.default.viewers) == (Evaluate.OFF, 2)
    assert PlaneSettings(default_memory="0").ceilings == Ceilings(
        usual.default.model_copy(update={"memory_mb": None}),
        usual.most.model_copy(update={"memory_mb": None}),
    )


@pytest.mark.parametrize(
    "wrong",
    [{"max_memory": "1M"}, {"max_memory": "lots"}, {"default_disk": "1M"}, {"max_cpus": "nan"}, {"max_viewers": 0},
     {"default_memory": "0", "max_memory_per_user": "4G"}],
    ids=str,
)  # fmt: skip
def test_settings_that_make_no_sense_are_said_at_the_start(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        PlaneSettings(**wrong)


@pytest.mark.parametrize(
    ("given", "available", "has_browser", "size"),
    [
        (None, 4 * GIB, True, 1),
        (None, 2 * GIB + (300 << 20), True, 1),
        (None, 2 * GIB, True, 0),
        (None, 4 * GIB, False, 0),
        (0, 4 * GIB, True, 0),
        (3, 0, True, 3),
    ],
)
def test_one_box_is_warm_where_there_is_room(given: int | None, available: int, has_browser: bool, size: int) -> None:
    settings = PlaneSettings(pool_size=given).with_pool_size(available, has_browser=has_browser)
    assert settings.pool_size == size


def test_flags_say_all_of_an_allowance() -> None:
    flags = box_flags(DEFAULT)
    assert dict(zip(flags[::2], flags[1::2], strict=True)) == {
        "--evaluate": "isolated",
        "--cdp": "on",
        "--record": "actions",
        "--film": "off",
        "--max-memory": "2048M",
        "--max-cpus": "1",
        "--max-disk": "4096M",
        "--max-processes": "1024",
        "--max-viewers": "8",
        "--live-input-rate": "300",
        "--live-command-rate": "30",
    }
    unlimited = box_flags(DEFAULT.model_copy(update={"disk_mb": None}))
    assert unlimited[unlimited.index("--max-disk") + 1] == "0"


def test_permissions_only_shrink() -> None:
    permissions = Permissions(Evaluate.ISOLATED, CdpRelay.ON)
    permissions.tighten(Evaluate.ON, CdpRelay.ON)
    assert permissions.evaluate is Evaluate.ISOLATED
    permissions.check_cdp()
    permissions.tighten(Evaluate.OFF, CdpRelay.OFF)
    permissions.tighten(Evaluate.ON, CdpRelay.ON)
    with pytest.raises(EvaluateDisabled):
        _ = permissions.world
    with pytest.raises(CdpDisabled):
        permissions.check_cdp()


def test_a_limit_that_was_asked_for_is_enforced_or_refused() -> None:
    report = Isolation(jail=True, memory_limit=LimitHolder.NONE, process_limit=LimitHolder.RLIMIT)
    check_enforced(("processes", "viewers", "evaluate"), report)
    with pytest.raises(NotHonoured) as refused:
        check_enforced(("memory_mb", "processes"), report)
    assert [one["field"] for one in refused.value.members["errors"]] == ["limits.memoryMb"]


def test_a_session_writes_less_than_the_operator_says_and_more_up_to_the_ceiling() -> None:
    usual = PlaneSettings().ceilings
    assert allowance_for(ask(), usual).record is RecordLevel.ACTIONS
    assert allowance_for(ask(record="none"), usual).record is RecordLevel.NONE
    assert allowance_for(ask(record="content"), usual).record is RecordLevel.CONTENT
    assert not is_within(allowance_for(ask(record="content"), usual), usual.default)
    strict = PlaneSettings(max_record=RecordLevel.ACTIONS).ceilings
    with pytest.raises(AboveCeiling) as refused:
        allowance_for(ask(record="content"), strict)
    assert refused.value.members["ceilings"] == {"record": "actions"}


def test_a_session_has_no_kinds_that_are_not_written_here() -> None:
    some = PlaneSettings(record_kinds=("call", "nav")).ceilings
    assert allowance_for(ask(), some).record_kinds == ("call", "nav")
    assert allowance_for(ask(recordKinds=["nav", "console"]), some).record_kinds == ("nav",)
    nothing = allowance_for(ask(recordKinds=["console"]), some)
    assert nothing.record is RecordLevel.NONE
    assert [flag for flag in box_flags(allowance_for(ask(), some)) if flag in ("call", "nav")] == ["call", "nav"]
