"""What the desktop's routers share."""

from belljar.asgi.openapi import problems
from belljar.asgi.router import Router
from belljar.problems.desktop import DesktopFailed, DesktopInactive, DesktopInputFailed, DesktopInvalidAction

NEEDS_DISPLAY = problems(DesktopInactive, DesktopFailed)
INPUT = problems(DesktopInvalidAction, DesktopInactive, DesktopInputFailed, DesktopFailed)


def new_router() -> Router:
    """Optional values are left out of answers, as the reference does."""
    return Router("/v1/desktop", tags=["desktop"], response_model_exclude_none=True)
