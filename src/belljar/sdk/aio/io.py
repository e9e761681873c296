"""What asyncio and threads do differently.  `sync/io.py` is the other half; the rest of `sync/` is made from here."""

from collections.abc import Callable
from typing import TypeVar

import anyio.to_thread
from anyio import Lock, sleep
from httpx2 import AsyncBaseTransport as Transport
from httpx2 import AsyncClient as HttpClient
from httpx2 import AsyncHTTPTransport as HttpTransport
from websockets.asyncio.client import ClientConnection as Socket
from websockets.asyncio.client import connect, unix_connect
from websockets.exceptions import ConnectionClosed

__all__ = [
    "ConnectionClosed",
    "HttpClient",
    "HttpTransport",
    "Lock",
    "Socket",
    "Transport",
    "blocking",
    "connect",
    "sleep",
    "unix_connect",
]

T = TypeVar("T")


async def blocking(work: Callable[[], T]) -> T:
    """Do what blocks where it holds nobody up."""
    return await anyio.to_thread.run_sync(work)
