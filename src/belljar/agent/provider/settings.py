"""Settings of providers from the environment, the allowlist above all; paths kept inside their folder."""

from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from belljar.agent.provider.types import BadArgument, DomainNotAllowed
from belljar.settings import Settings, Several
from belljar.wire.isolation import JailMode


class ProviderSettings(Settings):
    """The variables `BELLJAR_<NAME>`; the allowlist also under the name that the document gives it."""

    other_variables = {"browser_allowed_domains": "AX_BROWSER_ALLOWED_DOMAINS"}

    browser_allowed_domains: Several = Field(
        (),
        description="Domains, each with those below it, whose pages may be opened; all where absent.",
    )
    browser_allowed_domains_strict: bool = Field(
        False, description="Whether nothing else at all is fetched from other domains: the egress policy's doing."
    )
    browser_own_box: bool = Field(
        False, description="Whether the box at `url` is this provider's alone, so that a strict list may narrow it."
    )
    url: str | None = Field(None, description="The box or control plane of the remote provider.")
    token: str | None = Field(None, repr=False, description="Its token or key.")
    jail: JailMode = Field(JailMode.AUTO, description="Of boxes that the container provider starts.")
    egress: str = Field("public", description="Their network policy.")
    allow: Several = Field((), description="What is allowed beside it.")

    @property
    def is_strict(self) -> bool:
        """Without a list there is nothing to be strict about."""
        return self.browser_allowed_domains_strict and bool(self.browser_allowed_domains)

    @field_validator("browser_allowed_domains")
    @classmethod
    def _plain(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_domain(text) for text in value)


def check_domain(url: str, domains: Sequence[str]) -> None:
    """Raises `DomainNotAllowed` for an address that is not of the web, or of no allowed domain; none given: all are."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".").lower()
    except ValueError:
        parts, host = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not host:
        raise DomainNotAllowed("Only http and https addresses can be opened.")
    if domains and not any(host == domain or host.endswith(f".{domain}") for domain in domains):
        raise DomainNotAllowed(f"{host} is not among the allowed domains.")


def strict_hosts(domains: Sequence[str]) -> list[str]:
    """The domains and those below them, as egress policies name hosts."""
    below = [f"*.{domain}" for domain in domains if not _is_address(domain) and domain != "localhost"]
    return [*domains, *below]


def strict_policy(domains: Sequence[str]) -> str:
    """An egress policy that lets nothing but these domains and those below them be reached."""
    return "".join(f"allow {host}\n" for host in strict_hosts(domains))


def _domain(text: str) -> str:
    host = text.lower().removeprefix("*.").strip(".")
    if not host.isascii():
        host = host.encode("idna").decode("ascii")
    if not host or any(character in host for character in "/:@ *?#\\"):
        raise ValueError(f"{text!r} is not a domain: give names such as example.com")
    return host


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def safe_path(base: Path, *parts: str) -> Path:
    """`base` with the parts below it.  Raises `BadArgument` for what leads out, links included."""
    top = base.resolve()
    if any("\0" in part for part in parts):
        raise BadArgument("A path must not contain NUL.")
    path = top.joinpath(*parts).resolve()
    if path != top and not path.is_relative_to(top):
        raise BadArgument("The path leads out of its folder.")
    return path
