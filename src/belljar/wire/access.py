"""Keys, tokens, claims and profiles: who may use what, and what outlives a session."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from belljar.wire.base import Model, Request
from belljar.wire.isolation import SessionIsolation
from belljar.wire.sessions import Allowance, TokenRole

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


class KeyKind(StrEnum):
    KEY = "key"  # made for a program, which holds it
    PERSON = "person"  # somebody whom the provider of OpenID Connect signs in: nobody holds it


class ApiKey(Model):
    id: str
    kind: KeyKind = KeyKind.KEY
    user: str
    role: KeyRole
    name: str
    max_sessions: int | None = None
    max_ttl: int | None = None
    created_at: datetime
    revoked_at: datetime | None = None
    last_used_at: datetime | None = Field(None, description="To within some seconds; none before its first use.")
    key: str | None = Field(None, description="The key itself; only in the answer that makes it.")


class KeyList(Model):
    keys: list[ApiKey]


class AdminEgress(StrEnum):
    """Which hosts a key may allow to sessions that run, beside their policy."""

    OFF = "off"  # none
    PUBLIC = "public"  # those on the public internet
    ANY = "any"  # also private ones, and this host's own


class Me(Model):
    """Whom a key belongs to."""

    user: str
    role: KeyRole
    key_id: str
    egress: AdminEgress = Field(
        AdminEgress.OFF, description="Which hosts this key may allow to sessions that run: what `--admin-egress` says."
    )


class SignInKind(StrEnum):
    BROWSER = "browser"  # in which a person is signed in
    APP = "app"  # acts for a person, over MCP alone


class SignInVia(StrEnum):
    """How somebody came in."""

    LINK = "link"  # the one that `belljar serve` prints
    KEY = "key"  # pasted
    OIDC = "oidc"  # the provider of OpenID Connect
    CONSENT = "consent"  # an app, let in by a person


class PersonSignIn(Model):
    """A browser in which somebody is signed in, or an app that somebody let in."""

    id: str
    kind: SignInKind
    user: str
    via: SignInVia
    name: str = Field(description="What the browser or app calls itself.")
    role: TokenRole | None = Field(None, description="What an app may do.")
    client_id: str | None = Field(None, description="Of an app.")
    redirect_host: str | None = Field(None, description="Where an app was sent back to when it was let in.")
    address: str = Field(description="Where it came from, as far as the server saw.")
    created_at: datetime
    seen_at: datetime = Field(description="When it last asked for something, to a few seconds.")
    expires_at: datetime
    is_current: bool = Field(False, description="Whether this request came by it.")


class SignInList(Model):
    sign_ins: list[PersonSignIn]


MAX_TTL_SECONDS = 30 * 24 * 3600


class MintToken(Model):
    role: TokenRole
    ttl: float = Field(3600, gt=0, le=MAX_TTL_SECONDS, description="Seconds until the token ends.")
    name: str | None = Field(
        None, min_length=1, max_length=64, description="Whom it is for, as others see it; made up when not given."
    )
    once: bool = Field(
        False,
        description="Good for opening one WebSocket, within five minutes at most, and nothing else; it stays open.",
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
