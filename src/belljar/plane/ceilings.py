"""Ceilings of a session: the operator's defaults and limits and a request in, an allowance or a problem out.

Nothing here does anything: a session gets the default where it says nothing, what it asks for up to the ceiling, and a
problem that names the field beyond it.  A user's sessions together have ceilings too.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from belljar.problems.plane import AboveCeiling, NotHonoured, UserCeiling
from belljar.wire.isolation import CdpRelay, Evaluate
from belljar.wire.record import FILM_MODES, LEVELS, RecordLevel
from belljar.wire.sessions import Allowance, CreateSession, SessionMode

# What can be counted, and what a flag of `belljar box` makes of it.
_FLAGS: Mapping[str, tuple[str, str]] = {
    "memory_mb": ("--max-memory", "{:d}M"),
    "cpus": ("--max-cpus", "{:g}"),
    "disk_mb": ("--max-disk", "{:d}M"),
    "processes": ("--max-processes", "{:d}"),
    "viewers": ("--max-viewers", "{:d}"),
    "input_rate": ("--live-input-rate", "{:g}"),
    "command_rate": ("--live-command-rate", "{:g}"),
}
QUANTITIES = tuple(_FLAGS)
# From what allows least to what allows most.
_ORDERS: Mapping[str, tuple[object, ...]] = {
    "evaluate": (Evaluate.OFF, Evaluate.ISOLATED, Evaluate.ON),
    "cdp": (CdpRelay.OFF, CdpRelay.ON),
    "record": LEVELS,
    "film": FILM_MODES,
}
# As a caller knows them.
_WIRE = {
    "memory_mb": "limits.memoryMb",
    "cpus": "limits.cpus",
    "disk_mb": "limits.diskMb",
    "processes": "limits.processes",
    "viewers": "limits.viewers",
    "input_rate": "limits.inputRate",
    "command_rate": "limits.commandRate",
    "evaluate": "policy.evaluate",
    "cdp": "policy.cdp",
    "record": "record",
    "film": "film",
}
# What only some modes have a use for.
_ONLY_IN: Mapping[str, frozenset[SessionMode]] = {
    "url": frozenset({SessionMode.BROWSER}),
    "headless": frozenset({SessionMode.BROWSER}),
    "profile_id": frozenset({SessionMode.BROWSER}),
    "viewport": frozenset({SessionMode.BROWSER, SessionMode.DESKTOP}),
}


@dataclass(frozen=True)
class UserCeilings:
    """What the sessions of one user may have together; None is no limit."""

    memory_mb: int | None = None
    cpus: float | None = None
    disk_mb: int | None = None
    processes: int | None = None
    viewers: int | None = None

    @property
    def has_any(self) -> bool:
        return any(limit is not None for limit in vars(self).values())


@dataclass(frozen=True)
class Ceilings:
    """`default` is what a session gets that does not say, `most` what one may ask for."""

    default: Allowance = Allowance()
    most: Allowance = Allowance()
    per_user: UserCeilings = UserCeilings()


def make_ceilings(default: Allowance, most: Allowance, per_user: UserCeilings) -> Ceilings:
    """A default is never above its ceiling, nor that above what a user's sessions may have together.

    Raises `ValueError`: of what has no bound there is no sum.
    """
    together = {name: limit for name, limit in vars(per_user).items() if limit is not None}
    if unbounded := [name for name in together if getattr(default, name) is None and getattr(most, name) is None]:
        raise ValueError(f"a limit for a user's sessions together needs one for each of them: {', '.join(unbounded)}")
    most = _lowered(most, Allowance(**together, record=most.record, film=most.film))
    return Ceilings(_lowered(default, most), most, per_user)


def allowance_for(wanted: CreateSession, ceilings: Ceilings) -> Allowance:
    """What the session will have.  Raises `AboveCeiling` and `NotHonoured`, which name the fields."""
    _check_honoured(wanted)
    asked = asked_for(wanted)
    allowance = ceilings.default.model_copy(update=asked)
    if allowance.record_kinds is not None and (written := ceilings.default.record_kinds) is not None:
        # Of what is not written here nobody gets more by asking.
        kinds = tuple(kind for kind in allowance.record_kinds if kind in written)
        level = allowance.record if kinds else RecordLevel.NONE
        allowance = allowance.model_copy(update={"record_kinds": kinds, "record": level})
    beyond = {_WIRE[name]: getattr(ceilings.most, name) for name in _beyond(allowance, ceilings.most) if name in asked}
    if beyond:
        sentence = "; ".join(f"{field} may be {ceiling} at most" for field, ceiling in beyond.items())
        raise AboveCeiling(f"The operator set ceilings: {sentence}.", ceilings=beyond, errors=_errors(beyond))
    return allowance


def asked_for(wanted: CreateSession) -> dict[str, object]:
    """The limits and permissions that the request names, by the names of an allowance."""
    limits = {} if wanted.limits is None else {name: getattr(wanted.limits, name) for name in QUANTITIES}
    policy = {} if wanted.policy is None else {"evaluate": wanted.policy.evaluate, "cdp": wanted.policy.cdp}
    asked = limits | policy | {"record": wanted.record, "record_kinds": wanted.record_kinds, "film": wanted.film}
    return {name: value for name, value in asked.items() if value is not None}


def is_within(allowance: Allowance, default: Allowance) -> bool:
    """Whether a box that was started with the default can be tightened to it; filming begins when it is claimed."""
    return not any(name != "film" for name in _beyond(allowance, default))


def check_user_sum(held: Iterable[Allowance], more: Allowance, per_user: UserCeilings) -> None:
    """Raises `UserCeiling` when the sessions of a user, with one more, would have more than they may together."""
    all_held = tuple(held)
    for name, limit in vars(per_user).items():
        if limit is None:
            continue
        used = sum(_size(getattr(one, name)) for one in all_held)
        if used + _size(getattr(more, name)) > limit:
            field = _WIRE[name]
            raise UserCeiling(
                f"Your sessions together may have {field} {limit:g}; they have {used:g}, and this asks for "
                f"{_size(getattr(more, name)):g}. End one first, or ask for less.",
                headers={"Retry-After": "5"},
                retry_after_ms=5000,
                field=field,
                ceiling=limit,
                used=used,
            )


def box_flags(allowance: Allowance) -> list[str]:
    """How a box is started that has this allowance; every value is a number or an enum's, none a caller's text."""
    flags = ["--evaluate", allowance.evaluate.value, "--cdp", allowance.cdp.value]
    flags += ["--record", allowance.record.value, "--film", allowance.film.value]
    for kind in allowance.record_kinds or ():
        flags += ["--record-kind", kind.value]
    for name, (flag, form) in _FLAGS.items():
        value = getattr(allowance, name)
        if value is not None:
            flags += [flag, form.format(value)]
        elif name == "disk_mb":
            # A box that is told nothing has a limit all the same.
            flags += [flag, "0"]
    return flags


def _beyond(allowance: Allowance, ceiling: Allowance) -> Iterator[str]:
    """The names of what the one has more of than the other."""
    for name in QUANTITIES:
        if _size(getattr(allowance, name)) > _size(getattr(ceiling, name)):
            yield name
    for name, order in _ORDERS.items():
        if order.index(getattr(allowance, name)) > order.index(getattr(ceiling, name)):
            yield name


def _lowered(allowance: Allowance, ceiling: Allowance) -> Allowance:
    return allowance.model_copy(update={name: getattr(ceiling, name) for name in _beyond(allowance, ceiling)})


def _size(quantity: float | None) -> float:
    return math.inf if quantity is None else quantity


def _check_honoured(wanted: CreateSession) -> None:
    """Whatever a request says is done, or refused: nothing is taken and forgotten."""
    unset = CreateSession()
    idle = [
        name
        for name, modes in _ONLY_IN.items()
        if wanted.mode not in modes and getattr(wanted, name) != getattr(unset, name)
    ]
    if wanted.read_only and wanted.profile_id is None:
        idle.append("read_only")
    if idle:
        fields = [_camel(name) for name in idle]
        sentence = "; ".join(
            f"{field} needs a profileId" if field == "readOnly" else f"a session of mode {wanted.mode} has no {field}"
            for field in fields
        )
        raise NotHonoured(f"{sentence[:1].upper()}{sentence[1:]}.", errors=_errors(dict.fromkeys(fields)))


def _errors(fields: Mapping[str, object]) -> list[dict[str, str]]:
    """As every refused body lists them."""
    return [
        {
            "in": "body",
            "field": field,
            "message": "not honoured here" if ceiling is None else f"the operator's ceiling is {ceiling}",
            "type": "not_honoured" if ceiling is None else "above_ceiling",
        }
        for field, ceiling in fields.items()
    ]


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)
