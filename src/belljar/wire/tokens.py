"""Tokens a box mints, and how a person's browser signs in."""

from datetime import datetime

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.sessions import TokenRole

MAX_TTL_SECONDS = 30 * 24 * 3600


class MintToken(Model):
    role: TokenRole
    ttl: float = Field(3600, gt=0, le=MAX_TTL_SECONDS, description="Seconds until the token ends.")
    name: str | None = Field(
        None, min_length=1, max_length=64, description="Whom it is for, as others see it; made up when not given."
    )


class MintedToken(Model):
    """`token` is shown once.  `link` opens the viewer page for a person, once, within five minutes."""

    id: str
    token: str
    role: TokenRole
    name: str
    expires_at: datetime
    link: str


class MakeLink(Model):
    role: TokenRole = Field(TokenRole.DRIVE, description="What the person may do; no more than the caller may.")


class ViewLink(Model):
    """`link` opens the viewer page for a person, once, until `expiresAt`."""

    link: str
    role: TokenRole
    expires_at: datetime


# Of a cookie: nothing that would end it or begin another attribute.
COOKIE_PATH = r"/(?:[A-Za-z0-9._~-]+/)*"


class SignIn(Model):
    """Either a one-time link's `ticket` or a `token`."""

    ticket: str | None = Field(None, max_length=256)
    token: str | None = Field(None, max_length=8192)
    path: str | None = Field(
        None,
        pattern=f"^{COOKIE_PATH}$",
        max_length=512,
        description="Where the box is, as the browser sees it: the cookie's Path behind a proxy that does not say.",
    )


class SignedIn(Model):
    role: TokenRole
    name: str
    expires_at: datetime
