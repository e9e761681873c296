"""A session's way out, loosened while it runs: by admins, as far as the operator's `--admin-egress` goes."""

import msgspec

from belljar.egress.policy.file import BadPolicy, check_public, loosened
from belljar.plane.boxes.calls import BoxRefused
from belljar.plane.boxes.upstream import UpstreamError
from belljar.plane.parts import TheAdmin, TheControl
from belljar.plane.routes.sessions import own_session
from belljar.plane.sessions.states import LIVE
from belljar.problems import Forbidden, InvalidRequest
from belljar.problems.plane import AboveCeiling, BoxUnreachable, SessionOver, UnknownSession
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.wire.access import AdminEgress
from belljar.wire.isolation import EgressLoosening, EgressPolicy

router = Router(prefix="/api/sessions/{id}/egress", tags=["sessions"], is_on_its_host=True)

_WITHIN_SECONDS = 10


@router.post(
    "",
    operation_id="loosenSessionEgress",
    response_model_exclude_none=True,
    responses=problems(UnknownSession, SessionOver, Forbidden, AboveCeiling, BoxUnreachable),
)
async def loosen(id: str, body: EgressLoosening, control: TheControl, admin: TheAdmin) -> EgressPolicy:
    """Let a session that runs reach further hosts, or have its policy learn; it holds when this answers.

    Only an admin may, and only where the operator started the control plane with `--admin-egress`.
    """
    row = await own_session(control, admin, id)
    _check(body, control.settings.admin_egress)
    entry = await control.directory.get(id)
    if entry is None or entry.address is None or row.box_id is None or row.state not in LIVE or row.revoked:
        raise SessionOver("The session does not run.", state=row.state, reason=row.reason)
    detail = body.model_dump(mode="json", exclude_none=True)
    # Before it is done: what cannot be written down is not done.
    await control.registry.events.add(
        "egress.loosened", actor=admin.user_id, session_id=id, user_id=row.user_id, detail=detail
    )
    await control.launcher.hold_egress(row.box_id, lambda known: loosened(known, (), more=body.allow, learn=body.learn))
    sent = body.model_dump_json(by_alias=True, exclude_none=True).encode()
    try:
        answer = await control.calls.call(
            entry.address, row.box_id, "POST", "/v1/egress/loosen", sent, within=_WITHIN_SECONDS
        )
    except BoxRefused as error:
        raise InvalidRequest(error.detail) from error
    except (UpstreamError, TimeoutError) as error:
        raise BoxUnreachable("The session's box did not answer.") from error
    return EgressPolicy.model_validate(msgspec.json.decode(answer.body))


def _check(wanted: EgressLoosening, ceiling: AdminEgress) -> None:
    if ceiling is AdminEgress.OFF:
        raise Forbidden("Sessions' policies are not loosened here: belljar serve --admin-egress public would allow it.")
    if ceiling is AdminEgress.ANY:
        return
    try:
        check_public(wanted.allow)
    except BadPolicy as error:
        message = f"{error.reason}; --admin-egress is {ceiling.value}"
        errors = [{"in": "body", "field": "allow", "message": message, "type": "above_ceiling"}]
        raise AboveCeiling(f"{message}.", ceilings={"allow": ceiling.value}, errors=errors) from error
