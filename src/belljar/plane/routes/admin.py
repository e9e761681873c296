"""`/api/keys`, `/api/profiles`: who may come, and what outlives sessions."""

from typing import Annotated

from belljar.plane.parts import Plane, TheAdmin, TheControl, TheKey
from belljar.plane.registry import KeyRow
from belljar.plane.routes.sessions import end_many
from belljar.plane.views import key_view, profile_view
from belljar.problems import Forbidden, InvalidRequest
from belljar.problems.plane import ProfileInUse, UnknownKey, UnknownProfile, WrongHost
from belljar.server.openapi import problems
from belljar.server.router import Router
from belljar.server.signature import Query
from belljar.wire.access import AdminEgress, ApiKey, CreateKey, CreateProfile, KeyList, Me, Profile, ProfileList
from belljar.wire.administration import KeyReach, KeyRevoked
from belljar.wire.base import Ok

keys_router = Router(prefix="/api", tags=["keys"])


@keys_router.get("/me", operation_id="getMe")
async def me(key: TheKey, control: TheControl) -> Me:
    """Whose key this is."""
    egress = control.settings.admin_egress if key.is_admin else AdminEgress.OFF
    return Me(user=key.user_id, role=key.role, key_id=key.id, egress=egress)


@keys_router.post("/keys", status_code=201, response_model_exclude_none=True, responses=problems(Forbidden))
async def create_key(body: CreateKey, control: TheControl, admin: TheAdmin) -> ApiKey:
    """Make a key.  It is shown in this answer and never again."""
    key, row = await control.credentials.make_key(body, actor=admin.user_id)
    return key_view(row, key)


@keys_router.get("/keys", response_model_exclude_none=True, responses=problems(Forbidden))
async def list_keys(control: TheControl, _: TheAdmin) -> KeyList:
    """Every key, revoked ones included, without their secrets."""
    return KeyList(keys=[key_view(row) for row in await control.registry.keys.list()])


@keys_router.get(
    "/keys/{id}", operation_id="getKey", response_model_exclude_none=True, responses=problems(Forbidden, UnknownKey)
)
async def get_key(id: str, control: TheControl, _: TheAdmin) -> KeyReach:
    """One key, and what its revocation would end."""
    row = await _known_key(control, id)
    token_ids = await control.registry.tokens.of_key(id)
    return KeyReach(
        **key_view(row).model_dump(),
        tokens=len(token_ids),
        sign_ins=await control.registry.sign_ins.count_of_key(id),
        sockets=control.directory.count_opened_by(id, token_ids),
        sessions=[session.id for session in await control.registry.sessions.live_of_key(id)],
    )


@keys_router.delete("/keys/{id}", responses=problems(Forbidden, UnknownKey, WrongHost))
async def revoke_key(
    id: str,
    control: TheControl,
    admin: TheAdmin,
    end_sessions: Annotated[
        bool, Query(alias="endSessions", description="Also end the sessions that it started.")
    ] = False,
) -> KeyRevoked:
    """Make a key worthless, with all tokens, links and cookies that go back to it, and close what they opened.

    Sessions that it started go on unless told to end.  Twice is fine.
    """
    await _known_key(control, id)
    token_ids = await control.registry.tokens.of_key(id)
    # Read before: afterwards the tokens by which they are known are none of the key's any more.
    started = await control.registry.sessions.live_of_key(id) if end_sessions else ()
    sockets = control.directory.count_opened_by(id, token_ids)
    gone = await control.registry.keys.revoke(id, actor=admin.user_id) or ()
    control.credentials.forget_keys()
    control.directory.keys_revoked({id})
    for session_id, token_id in gone:
        control.directory.tokens_revoked(session_id, {token_id})
    left = await end_many(control, admin, started)
    ended = [row.id for row in started if row.id not in left]
    if left:
        raise WrongHost("Some sessions run on hosts that cannot be reached from here.", removed=ended, left=left)
    return KeyRevoked(tokens=len(gone), sockets=sockets, sessions=ended)


@keys_router.post(
    "/keys/{id}/admit",
    operation_id="admitPerson",
    response_model_exclude_none=True,
    responses=problems(Forbidden, UnknownKey, InvalidRequest),
)
async def admit_person(id: str, control: TheControl, admin: TheAdmin) -> ApiKey:
    """Let a person whom a provider signs in, and who was shut out, sign in again.  What that ended stays so.

    Only a person (`kind: "person"`): a key that was revoked stays so.  Twice is fine.
    """
    if not (await _known_key(control, id)).is_person:
        raise InvalidRequest("A key that was revoked stays so: make another.")
    await control.registry.keys.admit(id, actor=admin.user_id)
    return key_view(await _known_key(control, id))


async def _known_key(control: Plane, id: str) -> KeyRow:
    row = await control.registry.keys.get(id)
    if row is None:
        raise UnknownKey(f"There is no key {id}.")
    return row


profiles_router = Router(prefix="/api/profiles", tags=["profiles"])


@profiles_router.get("", response_model_exclude_none=True)
async def list_profiles(control: TheControl, key: TheKey) -> ProfileList:
    """Your profiles; an admin sees everyone's."""
    return ProfileList(profiles=[profile_view(row) for row in await control.profiles.list(key)])


@profiles_router.post("", status_code=201, response_model_exclude_none=True)
async def create_profile(control: TheControl, key: TheKey, body: CreateProfile | None = None) -> Profile:
    """An empty profile, to be used by sessions one after another."""
    return profile_view(await control.profiles.add(key, (body or CreateProfile()).name))


@profiles_router.get("/{id}", response_model_exclude_none=True, responses=problems(UnknownProfile))
async def get_profile(id: str, control: TheControl, key: TheKey) -> Profile:
    """One profile, and the session that runs on it."""
    return profile_view(await control.profiles.get(key, id))


@profiles_router.delete("/{id}", responses=problems(UnknownProfile, ProfileInUse))
async def delete_profile(id: str, control: TheControl, key: TheKey) -> Ok:
    """Remove a profile with everything in it.  Not while a session runs on it."""
    await control.profiles.remove(key, id)
    return Ok()
