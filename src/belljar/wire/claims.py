"""How a box learns whose it is and how long it may live."""

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.sessions import SessionPolicy, Viewport


class Claim(Model):
    """Sent by the control plane, again whenever something of it changes."""

    session_id: str
    expires_at: float = Field(description="Seconds since 1970; the box ends itself then.")
    idle_timeout: float = Field(0, ge=0, description="Seconds; 0 for never.")
    policy: SessionPolicy | None = None
    viewport: Viewport | None = None
    url: str | None = None


class Claimed(Model):
    box_id: str | None = None
    session_id: str
    expires_at: float
