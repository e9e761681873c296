"""Usage: rows of sessions in, sums by user, day and tag out, as JSON or CSV.

Each session's time is taken in whole milliseconds and its traffic in bytes before anything is added, so that every way
of grouping adds up to the same.
"""

import csv
import io
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from belljar.plane.registry.sessions import UsageRow
from belljar.wire.administration import (
    DayUsage,
    SessionUsage,
    TagUsage,
    Usage,
    UsageGroup,
    UsageReport,
    UsageSum,
)
from belljar.wire.base import Model
from belljar.wire.sessions import SessionState

K = TypeVar("K", bound=Hashable)

# What a spreadsheet would take for a formula, or for its beginning after what it skips; some take the wide forms, too.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
_SKIPPED = " \v\f\xa0\ufeff"


def report(rows: Sequence[UsageRow], by: Iterable[UsageGroup]) -> UsageReport:
    """What runs still is counted up to one moment, the same for all."""
    wanted, now = frozenset(by), time.time()
    return UsageReport(
        users=_users(rows, now) if UsageGroup.USER in wanted else [],
        days=_days(rows, now) if UsageGroup.DAY in wanted else [],
        tags=_tags(rows, now) if UsageGroup.TAG in wanted else [],
        sessions=[_of_session(row, now) for row in rows] if UsageGroup.SESSION in wanted else [],
        total=UsageSum(**_sum(rows, now)),
    )


def by_user(rows: Iterable[UsageRow]) -> Mapping[str, UsageSum]:
    now = time.time()
    return {user: UsageSum(**_sum(own, now)) for user, own in _grouped(rows, lambda row: row.user_id).items()}


def nothing() -> UsageSum:
    return UsageSum(**_sum((), 0.0))


def as_csv(found: UsageReport, by: UsageGroup) -> str:
    """One line for each of the group, and one of names first."""
    kind: dict[UsageGroup, tuple[type[Model], Sequence[Model]]] = {
        UsageGroup.USER: (Usage, found.users),
        UsageGroup.DAY: (DayUsage, found.days),
        UsageGroup.TAG: (TagUsage, found.tags),
        UsageGroup.SESSION: (SessionUsage, found.sessions),
    }
    model, lines = kind[by]
    # What it is about first, then the figures.
    names = sorted(model.model_fields, key=lambda name: name in UsageSum.model_fields)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([model.model_fields[name].alias or name for name in names])
    for line in lines:
        writer.writerow([_cell(getattr(line, name)) for name in names])
    return text.getvalue()


def _cell(value: object) -> object:
    """What somebody chose is text, whatever a spreadsheet would make of it."""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA) or value.lstrip(_SKIPPED).startswith(_FORMULA) else value
    return value.isoformat() if isinstance(value, (date, datetime)) else value


def milliseconds(row: UsageRow, now: float) -> int:
    """How long the session had a box of its own."""
    return 0 if row.started_at is None else max(round(((row.ended_at or now) - row.started_at) * 1000), 0)


def _users(rows: Sequence[UsageRow], now: float) -> list[Usage]:
    grouped = _grouped(rows, lambda row: row.user_id)
    return [Usage(user_id=user, **_sum(own, now)) for user, own in sorted(grouped.items())]


def _days(rows: Sequence[UsageRow], now: float) -> list[DayUsage]:
    grouped = _grouped(rows, lambda row: datetime.fromtimestamp(row.created_at, UTC).date())
    return [DayUsage(day=day, **_sum(own, now)) for day, own in sorted(grouped.items())]


def _tags(rows: Sequence[UsageRow], now: float) -> list[TagUsage]:
    grouped: dict[tuple[str, str], list[UsageRow]] = defaultdict(list)
    for row in rows:
        for tag in row.tags.items():
            grouped[tag].append(row)
    return [TagUsage(name=name, value=value, **_sum(own, now)) for (name, value), own in sorted(grouped.items())]


def _grouped(rows: Iterable[UsageRow], key: Callable[[UsageRow], K]) -> dict[K, list[UsageRow]]:
    found: dict[K, list[UsageRow]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found


def _sum(rows: Sequence[UsageRow], now: float) -> dict[str, Any]:
    return {
        "sessions": len(rows),
        "running": sum(row.state is SessionState.RUNNING for row in rows),
        "seconds": sum(milliseconds(row, now) for row in rows) / 1000,
        "peak_memory_mb": round(max((row.peak_memory for row in rows), default=0) / 1e6, 1),
        "egress_bytes": sum(row.egress_bytes for row in rows),
        "egress_sent": sum(row.egress_sent for row in rows),
        "egress_received": sum(row.egress_received for row in rows),
    }


def _of_session(row: UsageRow, now: float) -> SessionUsage:
    return SessionUsage(
        session_id=row.id,
        user_id=row.user_id,
        created_at=datetime.fromtimestamp(row.created_at, UTC),
        seconds=milliseconds(row, now) / 1000,
        peak_memory_mb=round(row.peak_memory / 1e6, 1),
        egress_bytes=row.egress_bytes,
        egress_sent=row.egress_sent,
        egress_received=row.egress_received,
    )
