"""`/api/keys`: who may use the control plane."""

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.control.parts import TheAdmin, TheControl, TheKey
from belljar.control.views import key_view
from belljar.problems import Forbidden
from belljar.problems.control import UnknownKey
from belljar.wire.base import Ok
from belljar.wire.keys import ApiKey, CreateKey, KeyList, Me

router = Router(prefix="/api", tags=["keys"])


@router.get("/me", operation_id="getMe")
async def me(key: TheKey) -> Me:
    """Whose key this is."""
    return Me(user=key.user_id, role=key.role, key_id=key.id)


@router.post("/keys", status_code=201, response_model_exclude_none=True, responses=problems(Forbidden))
async def create_key(body: CreateKey, control: TheControl, admin: TheAdmin) -> ApiKey:
    """Make a key.  It is shown in this answer and never again."""
    key, row = await control.credentials.make_key(body, actor=admin.user_id)
    return key_view(row, key)


@router.get("/keys", response_model_exclude_none=True, responses=problems(Forbidden))
async def list_keys(control: TheControl, _: TheAdmin) -> KeyList:
    """Every key, revoked ones included, without their secrets."""
    return KeyList(keys=[key_view(row) for row in await control.registry.keys.list()])


@router.delete("/keys/{id}", responses=problems(Forbidden, UnknownKey))
async def revoke_key(id: str, control: TheControl, admin: TheAdmin) -> Ok:
    """Make a key worthless, with all tokens, links and cookies that go back to it, and close what they opened.

    Twice is fine.
    """
    gone = await control.registry.keys.revoke(id, actor=admin.user_id)
    if gone is None:
        raise UnknownKey(f"There is no key {id}.")
    control.credentials.forget_keys()
    control.directory.keys_revoked({id})
    for session_id, token_id in gone:
        control.directory.tokens_revoked(session_id, {token_id})
    return Ok()
