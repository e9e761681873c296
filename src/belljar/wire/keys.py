"""API keys of the control plane."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from belljar.wire.base import Model, Request

UserName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$")]


class KeyRole(StrEnum):
    USER = "user"  # sees and uses what belongs to its user
    ADMIN = "admin"  # sees and uses everything, and makes keys


class CreateKey(Request):
    user: UserName
    role: KeyRole = KeyRole.USER
    name: str = Field("", max_length=128)
    max_sessions: int | None = Field(
        None, ge=0, le=2**31 - 1, description="Instead of the setting, for this key's user."
    )
    max_ttl: int | None = Field(
        None, ge=1, le=2**31 - 1, description="Largest ttl in seconds that this key may ask for."
    )


class ApiKey(Model):
    id: str
    user: str
    role: KeyRole
    name: str
    max_sessions: int | None = None
    max_ttl: int | None = None
    created_at: datetime
    revoked_at: datetime | None = None
    key: str | None = Field(None, description="The key itself; only in the answer that makes it.")


class KeyList(Model):
    keys: list[ApiKey]


class Me(Model):
    """Whom a key belongs to."""

    user: str
    role: KeyRole
    key_id: str
