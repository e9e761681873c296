"""What an app and a person's browser say and hear when the app is let in: OAuth 2.1, in its own words."""

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.sessions import TokenRole

_LONG = 2048


class AppRequest(Model):
    """What an app asks for, as it stands in the address of the page that asks the person."""

    client_id: str = Field(max_length=64)
    redirect_uri: str = Field(max_length=_LONG)
    response_type: str = Field("", max_length=32)
    code_challenge: str = Field("", max_length=128)
    code_challenge_method: str = Field("", max_length=16)
    state: str = Field("", max_length=_LONG)
    scope: str | None = Field(None, max_length=256)
    resource: str | None = Field(None, max_length=_LONG)


class AppConsent(AppRequest):
    """The same, with what the person says to it."""

    allow: bool
    role: TokenRole = Field(TokenRole.VIEW, description="What the app may do; no more than it asked for.")


class AppQuestion(Model):
    """What a person is told before they let an app in."""

    name: str = Field(description="What the app calls itself, which nobody has checked.")
    redirect_host: str = Field(description="Where the browser goes afterwards.")
    roles: list[TokenRole] = Field(description="What it may be given, the least first.")
    asked: TokenRole = Field(description="What it asked for.")
    resource: str
    user: str


class AppAnswer(Model):
    redirect_to: str = Field(description="Where the browser goes now.")


class RegisteredApp(Model):
    """In RFC 7591's own words."""

    model_config = {"alias_generator": None}

    client_id: str
    client_id_issued_at: int
    client_name: str
    redirect_uris: list[str]
    token_endpoint_auth_method: str
    grant_types: list[str]
    response_types: list[str]
    scope: str
    client_secret: str | None = None
    client_secret_expires_at: int | None = None
