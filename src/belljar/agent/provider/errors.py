"""What can go wrong with a provider, each with a code that survives the IPC boundary."""

from typing import ClassVar


class ProviderError(Exception):
    """Something went wrong in the browser or its box; the message says what."""

    code: ClassVar[str] = "provider_error"


class ProviderDisabled(ProviderError):
    """There is no browser here; the message says why and what would help."""

    code = "disabled"


class UnknownSession(ProviderError):
    """No such session: never launched, or closed."""

    code = "unknown_session"


class StaleRefs(ProviderError):
    """The ref is from before the page changed.  Take a new snapshot."""

    code = "stale_refs"


class DomainNotAllowed(ProviderError):
    """The domain allowlist does not cover the address, or where it led."""

    code = "domain_not_allowed"


class BadArgument(ProviderError):
    """An argument of the wrong kind, or a path that leads out of its folder."""

    code = "bad_argument"


class Unauthorized(ProviderError):
    """The IPC token is missing or wrong."""

    code = "unauthorized"


ERRORS: dict[str, type[ProviderError]] = {
    kind.code: kind
    for kind in (
        ProviderError,
        ProviderDisabled,
        UnknownSession,
        StaleRefs,
        DomainNotAllowed,
        BadArgument,
        Unauthorized,
    )
}
