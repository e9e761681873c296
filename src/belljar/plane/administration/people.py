"""Users, as their keys and sessions have them; and how near each is to what they may have."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from belljar.plane.administration.usage import by_user, nothing
from belljar.plane.registry import KeyRow, SessionRow
from belljar.plane.registry.sessions import UsageRow, allowance_of
from belljar.plane.sessions.states import LIVE, OWNING
from belljar.plane.settings import PlaneSettings
from belljar.plane.views import maybe_time
from belljar.wire.access import KeyRole
from belljar.wire.administration import LimitsReport, LimitUse, TogetherLimits, User, UserLimits
from belljar.wire.sessions import SessionState


def users(keys: Sequence[KeyRow], rows: Sequence[UsageRow]) -> list[User]:
    """By name."""
    keys_of = _by_user(keys)
    used = by_user(rows)
    live: dict[str, int] = defaultdict(int)
    for row in rows:
        live[row.user_id] += row.state in LIVE
    return [
        User(
            user_id=name,
            role=_role(keys_of.get(name, ())),
            keys=len(_good(keys_of.get(name, ()))),
            live=live.get(name, 0),
            last_used_at=maybe_time(
                max((key.last_used_at or 0.0 for key in keys_of.get(name, ())), default=0.0) or None
            ),
            used=used.get(name) or nothing(),
        )
        for name in sorted(keys_of.keys() | used.keys())
    ]


def limits(settings: PlaneSettings, keys: Sequence[KeyRow], live: Sequence[SessionRow]) -> LimitsReport:
    """Of sessions that are not over, as admission counts them."""
    ceilings = settings.ceilings
    keys_of = _by_user(keys)
    by_name: dict[str, list[SessionRow]] = defaultdict(list)
    for row in live:
        by_name[row.user_id].append(row)
    each = [_limits_of(settings, name, _good(keys_of.get(name, ())), own) for name, own in by_name.items()]
    owning = sum(row.state in OWNING for row in live)
    waiting = sum(row.state is SessionState.PENDING for row in live)
    return LimitsReport(
        sessions=LimitUse(name="sessions", used=owning, limit=settings.max_sessions),
        waiting=LimitUse(name="waiting", used=waiting, limit=settings.queue_length),
        ttl=settings.ttl,
        max_ttl=settings.max_ttl,
        idle_timeout=settings.idle_timeout,
        default=ceilings.default,
        most=ceilings.most,
        per_user=TogetherLimits(sessions=settings.max_sessions_per_user, **vars(ceilings.per_user)),
        users=sorted(each, key=lambda one: (-one.share, one.user_id)),
    )


def _limits_of(settings: PlaneSettings, name: str, keys: Sequence[KeyRow], own: Sequence[SessionRow]) -> UserLimits:
    usual = settings.max_sessions_per_user
    # A limit of its own stands in a key: the user has what the most generous of them allows.
    most = max((usual if key.max_sessions is None else key.max_sessions for key in keys), default=usual)
    found = [LimitUse(name="sessions", used=len(own), limit=most)]
    for field, limit in vars(settings.ceilings.per_user).items():
        if limit is not None:
            held = sum(getattr(allowance_of(row.spec), field) or 0 for row in own)
            found.append(LimitUse(name=field, used=held, limit=limit))
    return UserLimits(user_id=name, share=max(_share(one) for one in found), limits=found)


def _share(use: LimitUse) -> float:
    if use.limit is None:
        return 0.0
    return round(use.used / use.limit, 4) if use.limit else float(use.used > 0)


def _by_user(keys: Iterable[KeyRow]) -> Mapping[str, list[KeyRow]]:
    found: dict[str, list[KeyRow]] = defaultdict(list)
    for key in keys:
        found[key.user_id].append(key)
    return found


def _good(keys: Iterable[KeyRow]) -> list[KeyRow]:
    return [key for key in keys if key.revoked_at is None]


def _role(keys: Iterable[KeyRow]) -> KeyRole | None:
    roles = {key.role for key in _good(keys)}
    return KeyRole.ADMIN if KeyRole.ADMIN in roles else KeyRole.USER if roles else None
