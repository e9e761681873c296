"""Browser profiles, which outlive sessions."""

from datetime import datetime

from pydantic import Field

from belljar.wire.base import Model, Request


class CreateProfile(Request):
    name: str = Field("", max_length=128)


class Profile(Model):
    id: str
    user_id: str
    name: str
    created_at: datetime
    session_id: str | None = Field(None, description="The running session that uses it.")


class ProfileList(Model):
    profiles: list[Profile]
