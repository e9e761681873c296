"""What a provider of OpenID Connect says of a person, and what that makes of them here.  Pure: nothing is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from belljar.wire.access import CreateKey, KeyRole

_MOST = 2**31 - 1


class Refused(Exception):
    """Somebody may not come in.  `code` is what the page is told, the message is for the log and the operator."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


@dataclass(frozen=True)
class ClaimRules:
    """Which claim says what; an empty name is for nothing that is asked."""

    user: str = "preferred_username"
    role: str = ""
    admins: frozenset[str] = frozenset()
    users: frozenset[str] = frozenset()
    max_sessions: str = ""
    max_ttl: str = ""

    @property
    def names(self) -> frozenset[str]:
        return frozenset({self.user, self.role, self.max_sessions, self.max_ttl} - {""})


@dataclass(frozen=True)
class OidcSettings:
    """Raises `ValueError` for what cannot be."""

    issuer: str
    client_id: str
    client_secret: str
    scopes: tuple[str, ...]
    claims: ClaimRules
    name: str = ""
    may_share_names: bool = False

    def __post_init__(self) -> None:
        check_address(self.issuer, "--oidc-issuer")
        if not self.client_id:
            raise ValueError("--oidc-issuer needs --oidc-client-id")
        if "openid" not in self.scopes:
            raise ValueError("--oidc-scope must have openid among them")
        if self.claims.admins and not self.claims.role:
            raise ValueError("--oidc-admin needs --oidc-role-claim")

    def __repr__(self) -> str:
        return f"OidcSettings({self.issuer})"

    @property
    def label(self) -> str:
        return self.name or urlsplit(self.issuer).hostname or self.issuer


def check_address(url: str, what: str) -> None:
    """A provider is spoken to by TLS, or on this machine.  Raises `ValueError`."""
    from belljar.server.guard import is_loopback

    parts = urlsplit(url)
    is_ours = parts.scheme == "http" and is_loopback(parts.hostname or "")
    if not parts.hostname or not (parts.scheme == "https" or is_ours):
        raise ValueError(f"{what} must be an https address, or one of this machine")
    if parts.username is not None or parts.fragment or parts.query or not url.isprintable() or " " in url:
        raise ValueError(f"{what} must be a plain address")


def person_of(claims: Mapping[str, object], rules: ClaimRules, issuer: str) -> CreateKey:
    """Who somebody is here.  Raises `Refused`: what is not understood opens nothing."""
    user = find(claims, rules.user)
    if rules.user == "email" and claims.get("email_verified") is not True:
        raise Refused("no_name", "the provider does not vouch for the email address")
    try:
        return CreateKey(
            user=_name(user),
            role=_role(claims, rules),
            name=f"signs in by {urlsplit(issuer).hostname}"[:128],
            max_sessions=_number(claims, rules.max_sessions, 0),
            max_ttl=_number(claims, rules.max_ttl, 1),
        )
    except ValidationError as error:
        raise Refused("no_name", f"the claim {rules.user} is no name that a user can have") from error


def find(claims: Mapping[str, object], path: str) -> object:
    """The claim of this name; else what dots lead to, as in `realm_access.roles`.  None where there is none."""
    if path in claims:
        return claims[path]
    at: object = claims
    for name in path.split("."):
        at = at.get(name) if isinstance(at, Mapping) else None
    return at


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise Refused("no_name", "the claim that names the user is not there, or no text")
    return value


def _role(claims: Mapping[str, object], rules: ClaimRules) -> KeyRole:
    if not rules.role:
        return KeyRole.USER
    said = find(claims, rules.role)
    values = {said} if isinstance(said, str) else set()
    if isinstance(said, list):
        values = {one for one in said if isinstance(one, str)}
    if values & rules.admins:
        return KeyRole.ADMIN
    if values & rules.users or (values and not rules.users):
        return KeyRole.USER
    raise Refused("no_role", f"nothing in the claim {rules.role} lets this person in")


def _number(claims: Mapping[str, object], name: str, least: int) -> int | None:
    said = find(claims, name) if name else None
    if said is None:
        return None
    try:
        number = TypeAdapter(int).validate_python(said, strict=not isinstance(said, str))
    except ValidationError:
        raise Refused("bad_quota", f"the claim {name} is no number") from None
    if not least <= number <= _MOST:
        raise Refused("bad_quota", f"the claim {name} is no number that a quota can be")
    return number
