"""The boundary between an agent's process and the browser: JSON lines on a Unix socket, and taint on what pages say."""

from belljar.agent.provider.ipc.client import ProviderClient, connect
from belljar.agent.provider.ipc.lines import Tainted
from belljar.agent.provider.ipc.server import serve_provider

__all__ = ["ProviderClient", "Tainted", "connect", "serve_provider"]
