"""The providers there are.  Nothing outside this list is ever imported by name."""

import importlib
from collections.abc import Mapping

from belljar.agent.provider.none import NoProvider
from belljar.agent.provider.settings import ProviderSettings
from belljar.agent.provider.types import BadArgument, BrowserProvider

PROVIDERS: Mapping[str, str] = {
    "container": "belljar.agent.provider.container",
    "remote": "belljar.agent.provider.remote",
    "none": "belljar.agent.provider.none",
}


async def create_provider(name: str, settings: ProviderSettings | None = None) -> BrowserProvider:
    """The provider of this name; its parts are imported now, and where one is missing there is none, which says so."""
    module = PROVIDERS.get(name)
    if module is None:
        raise BadArgument(f"There is no provider {name!r}: it is one of {', '.join(PROVIDERS)}.")
    try:
        create = importlib.import_module(module).create
    except ImportError as error:
        return NoProvider(f"{error.name or 'A package'} is missing: install belljar with all it depends on.")
    provider: BrowserProvider = await create(settings or ProviderSettings())
    return provider
