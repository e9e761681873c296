"""`/v1/desktop/*`."""

from belljar.box.routes.desktop import keyboard, lifecycle, mouse, screen

ROUTERS = (
    lifecycle.router,
    screen.router,
    mouse.router,
    keyboard.router,
)
