"""Browser providers: a sandboxed browser behind seven structured commands, for hosts of agents."""

from belljar.agent.provider.providers import PROVIDERS, create_provider
from belljar.agent.provider.types import (
    MAX_REFS,
    MAX_TEXT_CHARS,
    BadArgument,
    BrowserConfig,
    BrowserProvider,
    BrowserSession,
    DomainNotAllowed,
    ElementRef,
    PageSnapshot,
    ProviderDisabled,
    ProviderError,
    StaleRefs,
    UnknownSession,
    Viewport,
)

__all__ = [
    "MAX_REFS",
    "MAX_TEXT_CHARS",
    "PROVIDERS",
    "BadArgument",
    "BrowserConfig",
    "BrowserProvider",
    "BrowserSession",
    "DomainNotAllowed",
    "ElementRef",
    "PageSnapshot",
    "ProviderDisabled",
    "ProviderError",
    "StaleRefs",
    "UnknownSession",
    "Viewport",
    "create_provider",
]
