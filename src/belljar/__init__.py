"""Belljar: a computer of its own for an AI agent, under glass."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from belljar.sdk import AsyncBelljar, AsyncPage, AsyncSession, AsyncViewer, Belljar, Page, Session, Viewer

__all__ = ["AsyncBelljar", "AsyncPage", "AsyncSession", "AsyncViewer", "Belljar", "Page", "Session", "Viewer"]
__version__ = "0.1.0"


# Type checkers would take every name for one of ours.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """The clients are imported when they are asked for: the servers import this package too, and use neither."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module("belljar.sdk"), name)
