"""What the desktop's routers share."""

from typing import Any

from fastapi import APIRouter

from belljar.asgi.openapi import problems
from belljar.asgi.routing import JsonRoute
from belljar.problems.desktop import DesktopFailed, DesktopInactive, DesktopInputFailed, DesktopInvalidAction

NEEDS_DISPLAY = problems(DesktopInactive, DesktopFailed)
INPUT = problems(DesktopInvalidAction, DesktopInactive, DesktopInputFailed, DesktopFailed)


class DesktopRoute(JsonRoute):
    """Optional values are left out of answers, as the reference does."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"response_model_exclude_none": True})


def new_router() -> APIRouter:
    return APIRouter(prefix="/v1/desktop", tags=["desktop"], route_class=DesktopRoute)
