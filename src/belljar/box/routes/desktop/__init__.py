"""`/v1/desktop/*`."""

from fastapi import APIRouter

from belljar.box.routes.desktop import applications, keyboard, lifecycle, mouse, screenshots, windows

router = APIRouter(prefix="/v1/desktop", tags=["desktop"])
for subject in (lifecycle, screenshots, mouse, keyboard, windows, applications):
    router.include_router(subject.router)
