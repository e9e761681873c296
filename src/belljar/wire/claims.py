"""How a box learns whose it is and how long it may live."""

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.isolation import SessionIsolation
from belljar.wire.sessions import Allowance


class Claim(Model):
    """Sent by the control plane, again whenever something of it changes."""

    session_id: str
    expires_at: float = Field(description="Seconds since 1970; the box ends itself then.")
    idle_timeout: float = Field(0, ge=0, description="Seconds; 0 for never.")
    allowance: Allowance | None = Field(None, description="What the session may use and do; the box only tightens.")
    asked: tuple[str, ...] = Field((), description="Limits that the caller named: those must be enforced, or refused.")


class Claimed(Model):
    box_id: str | None = None
    session_id: str
    expires_at: float
    isolation: SessionIsolation
