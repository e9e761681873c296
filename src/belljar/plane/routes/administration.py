"""`/api/users`, `…/limits`, `…/hosts`, `…/settings`, `…/checks`, `…/audit`: what an operator looks at."""

from datetime import datetime
from typing import Annotated

from belljar.plane.administration.people import limits, users
from belljar.plane.administration.settings_in_force import settings_in_force
from belljar.plane.ceilings import box_flags
from belljar.plane.parts import TheAdmin, TheControl
from belljar.plane.registry.events import EventSearch
from belljar.plane.routes.usage import searchable, seconds_of
from belljar.plane.views import event_view
from belljar.problems import Forbidden, InvalidRequest, NotFound
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.server.signature import Query
from belljar.wire.administration import CheckReport, Host, HostList, LimitsReport, SettingsInForce, UserList
from belljar.wire.sessions import EventList

router = Router(prefix="/api", tags=["administration"])


@router.get("/users", operation_id="listUsers", response_model_exclude_none=True, responses=problems(Forbidden))
async def list_users(
    control: TheControl,
    _: TheAdmin,
    q: Annotated[str, Query(max_length=64, description="What names have in them.")] = "",
    after: Annotated[str, Query(max_length=64, description="`next` of the page before.")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> UserList:
    """Everybody who has a key or had sessions that are kept, by name, with what they used."""
    found = users(await control.registry.keys.list(), await control.registry.sessions.usage())
    wanted = [user for user in found if q.lower() in user.user_id.lower() and user.user_id > after]
    return UserList(users=wanted[:limit], next=wanted[limit - 1].user_id if len(wanted) > limit else None)


@router.get("/limits", operation_id="getLimits", response_model_exclude_none=True, responses=problems(Forbidden))
async def get_limits(control: TheControl, _: TheAdmin) -> LimitsReport:
    """What sessions get and may have, alone and together, and who is near that."""
    return limits(control.settings, await control.registry.keys.list(), await control.registry.sessions.live())


@router.get("/hosts", operation_id="listHosts", response_model_exclude_none=True, responses=problems(Forbidden))
async def list_hosts(control: TheControl, _: TheAdmin) -> HostList:
    """Hosts with their control planes, sessions, room and warm boxes."""
    return HostList(hosts=list(await control.hosts.list()))


@router.post(
    "/hosts/{name}/drain",
    operation_id="drainHost",
    response_model_exclude_none=True,
    responses=problems(Forbidden, NotFound),
)
async def drain_host(name: str, control: TheControl, admin: TheAdmin) -> Host:
    """Take no more sessions on this host, until `undrain` and over restarts.  Nothing is ended.  Twice is fine."""
    return await control.hosts.drain(name, actor=admin.user_id)


@router.post(
    "/hosts/{name}/undrain",
    operation_id="undrainHost",
    response_model_exclude_none=True,
    responses=problems(Forbidden, NotFound),
)
async def undrain_host(name: str, control: TheControl, admin: TheAdmin) -> Host:
    """Take sessions again.  Twice is fine."""
    return await control.hosts.undrain(name, actor=admin.user_id)


@router.get("/settings", operation_id="getSettings", response_model_exclude_none=True, responses=problems(Forbidden))
async def get_settings(control: TheControl, _: TheAdmin) -> SettingsInForce:
    """Every setting of this control plane: its value, where that comes from, what it may be; and what boxes get."""
    flags = [*control.box_flags, "--egress", control.settings.egress, *box_flags(control.settings.ceilings.default)]
    return settings_in_force(control.settings, flags)


@router.get("/checks", operation_id="getChecks", response_model_exclude_none=True, responses=problems(Forbidden))
async def get_checks(
    control: TheControl,
    _: TheAdmin,
    fresh: Annotated[bool, Query(description="Try everything now, not some minutes ago.")] = False,
) -> CheckReport:
    """Whether this host can do what sessions need, as `belljar doctor` tries it, and what would mend the rest."""
    return await control.checks.look(fresh=fresh)


@router.get(
    "/audit",
    operation_id="getAudit",
    tags=["records"],
    response_model_exclude_none=True,
    responses=problems(Forbidden, InvalidRequest),
)
async def audit(
    control: TheControl,
    _: TheAdmin,
    after: Annotated[int, Query(ge=0, le=2**63 - 1, description="Oldest first, from after this one.")] = 0,
    session: Annotated[str | None, Query(max_length=48)] = None,
    user: Annotated[str | None, Query(max_length=64, description="Whom it was about.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    before: Annotated[int | None, Query(ge=0, le=2**63 - 1, description="Newest first, from before this one.")] = None,
    newest: Annotated[bool, Query(description="Newest first.")] = False,
    actor: Annotated[str | None, Query(max_length=128, description="Who did it.")] = None,
    action: Annotated[str | None, Query(max_length=64, description="A kind, or `session.` for all of that.")] = None,
    q: Annotated[str | None, Query(max_length=200, description="Text anywhere in it.")] = None,
    since: Annotated[datetime | None, Query()] = None,
    until: Annotated[datetime | None, Query()] = None,
    count: Annotated[bool, Query(description="Also say how many there are in all.")] = False,
) -> EventList:
    """Who did what: keys, tokens, sessions, profiles, hosts, control of boxes.  Oldest first unless told otherwise."""
    wanted = EventSearch(
        actor=searchable("actor", actor),
        kind=searchable("action", action),
        session_id=searchable("session", session),
        user_id=searchable("user", user),
        since=seconds_of(since),
        until=seconds_of(until),
        text=searchable("q", q) or None,
    )
    events = control.registry.events
    found = await events.search(wanted, limit=limit, after=after, before=before, newest=newest or before is not None)
    return EventList(
        events=[event_view(event) for event in found],
        next=found[-1]["id"] if len(found) == limit else None,
        total=await events.count(wanted) if count else None,
    )
