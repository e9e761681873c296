"""`/api/profiles`: browser profiles, which outlive sessions."""

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.control.parts import TheControl, TheKey
from belljar.control.views import profile_view
from belljar.problems.control import ProfileInUse, UnknownProfile
from belljar.wire.base import Ok
from belljar.wire.profiles import CreateProfile, Profile, ProfileList

router = Router(prefix="/api/profiles", tags=["profiles"])


@router.get("", response_model_exclude_none=True)
async def list_profiles(control: TheControl, key: TheKey) -> ProfileList:
    """Your profiles; an admin sees everyone's."""
    return ProfileList(profiles=[profile_view(row) for row in await control.profiles.list(key)])


@router.post("", status_code=201, response_model_exclude_none=True)
async def create_profile(control: TheControl, key: TheKey, body: CreateProfile | None = None) -> Profile:
    """An empty profile, to be used by sessions one after another."""
    return profile_view(await control.profiles.add(key, (body or CreateProfile()).name))


@router.get("/{id}", response_model_exclude_none=True, responses=problems(UnknownProfile))
async def get_profile(id: str, control: TheControl, key: TheKey) -> Profile:
    """One profile, and the session that runs on it."""
    return profile_view(await control.profiles.get(key, id))


@router.delete("/{id}", responses=problems(UnknownProfile, ProfileInUse))
async def delete_profile(id: str, control: TheControl, key: TheKey) -> Ok:
    """Remove a profile with everything in it.  Not while a session runs on it."""
    await control.profiles.remove(key, id)
    return Ok()
