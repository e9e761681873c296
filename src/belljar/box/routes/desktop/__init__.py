"""`/v1/desktop/*`, and what clients of Neko's ask for beside it."""

from belljar.box.routes.desktop import keyboard, lifecycle, mouse, screen, stream

ROUTERS = (
    lifecycle.router,
    screen.router,
    mouse.router,
    keyboard.router,
    stream.router,
    stream.neko_router,
)
