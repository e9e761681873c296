"""A provider of this process, served to agents until somebody ends it."""

import signal
from collections.abc import Callable
from pathlib import Path

import anyio

from belljar.agent.provider.ipc import serve_provider
from belljar.agent.provider.providers import create_provider
from belljar.agent.provider.settings import ProviderSettings


async def host_provider(name: str, settings: ProviderSettings, folder: Path, on_listening: Callable[[], None]) -> None:
    """Serve in `folder` until SIGINT or SIGTERM.  Raises `ProviderError`, and OSError for a folder that cannot be."""
    provider = await create_provider(name, settings)
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async with serve_provider(provider, folder):
            on_listening()
            async for _ in signals:
                return
