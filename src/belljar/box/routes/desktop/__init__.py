"""`/v1/desktop/*`."""

from fastapi import APIRouter

from belljar.box.routes.desktop import (
    accessibility,
    applications,
    clipboard,
    keyboard,
    lifecycle,
    mouse,
    recordings,
    screenshots,
    stream,
    windows,
)

router = APIRouter(prefix="/v1/desktop", tags=["desktop"])
for subject in (
    lifecycle,
    screenshots,
    mouse,
    keyboard,
    windows,
    clipboard,
    applications,
    recordings,
    accessibility,
    stream,
):
    router.include_router(subject.router)
