"""The Python client: `Belljar` for threads, `AsyncBelljar` for asyncio, the same shape."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from belljar.sdk.aio.client import AsyncBelljar
    from belljar.sdk.aio.live import AsyncViewer
    from belljar.sdk.aio.page import AsyncPage
    from belljar.sdk.aio.sessions import AsyncSession
    from belljar.sdk.sync.client import Belljar
    from belljar.sdk.sync.live import Viewer
    from belljar.sdk.sync.page import Page
    from belljar.sdk.sync.sessions import Session

__all__ = ["AsyncBelljar", "AsyncPage", "AsyncSession", "AsyncViewer", "Belljar", "Page", "Session", "Viewer"]

_MODULES = {"Belljar": "client", "Page": "page", "Session": "sessions", "Viewer": "live"}


# Type checkers would take every name for one of ours.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """What annotations name, imported when asked for: hardly anyone uses both halves."""
        module = _MODULES.get(name.removeprefix("Async"))
        if module is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        half = "aio" if name.startswith("Async") else "sync"
        return getattr(import_module(f"belljar.sdk.{half}.{module}"), name)
