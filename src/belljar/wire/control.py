"""Who holds control of the page or the desktop."""

from datetime import datetime
from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model


class HolderKind(StrEnum):
    NONE = "none"  # nobody: all may act
    AGENT = "agent"  # programs, through REST, MCP and CDP
    VIEWER = "viewer"  # one person, through the live view


class Holder(Model):
    """`viewer` is the connection's id, `name` whom its token was made for; both only with kind `viewer`."""

    kind: HolderKind
    viewer: str | None = None
    name: str | None = None


class Control(Model):
    """Who holds control, until when if they stay silent, and who asked for it."""

    holder: Holder
    since: datetime
    expires_at: datetime | None = None
    requests: list[Holder] = []
    question: str | None = Field(None, description="What an agent asks of a person; until one gives control back.")


class ControlMoment(StrEnum):
    PERSON = "person"  # a person holds control
    FREE = "free"  # no person does


class ControlQuery(Model):
    until: ControlMoment | None = Field(None, description="Answer when it is so; at the timeout as it is then.")
    timeout: float = Field(0, ge=0, le=600_000, description="With `until`: milliseconds to wait at most.")


class ControlAction(StrEnum):
    TAKE = "take"  # have it now; an agent cannot take it from a person
    REQUEST = "request"  # have it if it is free, else ask its holder
    RENEW = "renew"  # still there
    RELEASE = "release"  # give it back: nobody holds it
    GIVE = "give"  # to the viewer `to`, or to the agent when `to` is `agent`
    ASK = "ask"  # show `question` to whoever watches


class ControlRequest(Model):
    action: ControlAction
    to: str | None = Field(None, max_length=64, description="With `give`: a viewer's id, or `agent`.")
    question: str | None = Field(
        None, max_length=2000, description="With `ask`: what a person shall do; without it the last one is taken back."
    )
    force: bool = Field(False, description="With `release`, for the operator: end it whoever holds it.")
    timeout: float = Field(0, ge=0, le=600_000, description="With `take`: milliseconds to wait for a person to finish.")
