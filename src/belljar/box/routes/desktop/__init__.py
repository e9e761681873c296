"""`/v1/desktop/*`."""

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

ROUTERS = (
    lifecycle.router,
    screenshots.router,
    mouse.router,
    keyboard.router,
    windows.router,
    clipboard.router,
    applications.router,
    recordings.router,
    accessibility.router,
    stream.router,
)
