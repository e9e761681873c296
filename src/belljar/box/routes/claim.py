"""How a control plane makes a box a session's."""

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.box.allowance import tighten
from belljar.box.parts import TheBox, TheOperator
from belljar.problems import Conflict, Forbidden
from belljar.problems.control import BoxNotTightened, NotHonoured
from belljar.wire.claims import Claim, Claimed
from belljar.wire.isolation import SessionIsolation

router = Router(tags=["control"], acts=False)


@router.post(
    "/v1/claim",
    operation_id="claimBox",
    counts=False,
    responses=problems(BoxNotTightened, Conflict, Forbidden, NotHonoured),
)
async def claim(body: Claim, box: TheBox, _: TheOperator) -> Claimed:
    """Give the box to a session, with what it may use and do, or move its times; one session only, ever.

    Only the operator's token may.
    """
    box.tenancy.claim(body.session_id, body.expires_at, body.idle_timeout)
    if body.allowance is not None:
        await tighten(body.allowance, body.asked, box.permissions, box.isolation, box.live)
    report = box.isolation.report
    return Claimed(
        box_id=box.settings.box_id,
        session_id=body.session_id,
        expires_at=body.expires_at,
        isolation=SessionIsolation(jail=report.jail, reason=report.reason, disk=report.disk),
    )
