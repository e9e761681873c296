"""`/api/usage`: what sessions used, by user, day and tag, as JSON and as CSV."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from starlette.responses import Response

from belljar.plane.administration.usage import as_csv, report
from belljar.plane.parts import Plane, TheControl, TheKey
from belljar.plane.registry import KeyRow
from belljar.plane.registry.sessions import UsageRow
from belljar.problems import InvalidRequest
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.server.signature import Query
from belljar.wire.administration import UsageGroup, UsageReport

router = Router(prefix="/api", tags=["records"])

_TAG = re.compile(r"[A-Za-z0-9._-]{1,64}(:[^\0\ud800-\udfff]{0,256})?")

Since = Annotated[datetime | None, Query(description="Sessions that were asked for at this time, or later.")]
Until = Annotated[datetime | None, Query(description="Before this time.")]
User = Annotated[str | None, Query(max_length=64, description="An admin's filter; others see their own anyway.")]
Tags = Annotated[list[str], Query(alias="tag", description="`name` or `name:value`; all must match.")]


@router.get("/usage", operation_id="getUsage", responses=problems(InvalidRequest))
async def usage(
    control: TheControl,
    key: TheKey,
    sessions: Annotated[bool, Query(description="Also list every session.")] = False,
    by: Annotated[
        list[UsageGroup] | None, Query(description="What to list beside the total; users unless said.")
    ] = None,
    since: Since = None,
    until: Until = None,
    user: User = None,
    tag: Tags = [],  # noqa: B006  # Pydantic copies it
) -> UsageReport:
    """What sessions used, per user; an admin sees everyone's.  Covers what `--retain` keeps.

    To the millisecond and the byte.  A session counts, with all that it used, for the day on which it was asked for,
    in UTC.
    """
    groups = [UsageGroup.USER] if by is None else by
    rows = await _rows(control, key, since, until, user, tag)
    return report(rows, [*groups, UsageGroup.SESSION] if sessions else groups)


@router.get("/usage.csv", operation_id="getUsageCsv", response_class=Response, responses=problems(InvalidRequest))
async def usage_csv(
    control: TheControl,
    key: TheKey,
    by: Annotated[UsageGroup, Query(description="What a line is for.")] = UsageGroup.USER,
    since: Since = None,
    until: Until = None,
    user: User = None,
    tag: Tags = [],  # noqa: B006  # Pydantic copies it
) -> Response:
    """The same as CSV.  Text that a spreadsheet would take for a formula begins with an apostrophe."""
    text = as_csv(report(await _rows(control, key, since, until, user, tag), [by]), by)
    headers = {"Content-Disposition": f'attachment; filename="usage-by-{by}.csv"', "Cache-Control": "no-store"}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


async def _rows(
    control: Plane, key: KeyRow, since: datetime | None, until: datetime | None, user: str | None, tag: Sequence[str]
) -> Sequence[UsageRow]:
    return await control.registry.sessions.usage(
        user_id=searchable("user", user) if key.is_admin else key.user_id,
        tags=tags_of(tag),
        since=seconds_of(since),
        until=seconds_of(until),
    )


def tags_of(given: Sequence[str]) -> dict[str, str | None]:
    """Names become part of what the database is asked, values are compared: both are what a tag can be."""
    if any(not _TAG.fullmatch(one) for one in given):
        raise InvalidRequest("A tag to look for is `name` or `name:value`, and names have letters, digits, . _ and -.")
    pairs = (one.partition(":") for one in given)
    return {name: value if separator else None for name, separator, value in pairs}


def seconds_of(time: datetime | None) -> float | None:
    """A time without a zone is in UTC."""
    if time is None:
        return None
    return (time if time.tzinfo is not None else time.replace(tzinfo=UTC)).timestamp()


def searchable(name: str, text: str | None) -> str | None:
    """What a database can be asked for."""
    if text is not None and ("\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text)):
        raise InvalidRequest(f"`{name}` may not have NUL or half of a surrogate pair in it.")
    return text
