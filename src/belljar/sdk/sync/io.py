"""What asyncio and threads do differently.  `aio/io.py` is the other half; the rest here is made from that folder."""

from collections.abc import Callable
from threading import Lock
from time import sleep
from typing import TypeVar

from httpx2 import BaseTransport as Transport
from httpx2 import Client as HttpClient
from httpx2 import HTTPTransport as HttpTransport
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection as Socket
from websockets.sync.client import connect, unix_connect

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


def blocking(work: Callable[[], T]) -> T:
    """Do what blocks; here the caller expects that."""
    return work()
