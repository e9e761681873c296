"""The accessibility tree."""

from belljar.asgi.facts import Kind
from belljar.box.parts import TheBox
from belljar.box.routes.desktop.routing import NEEDS_DISPLAY, new_router
from belljar.wire.desktop import AccessibilityTree

router = new_router()


@router.get("/accessibility", operation_id="getDesktopAccessibility", tells=Kind.PROGRAMS, responses=NEEDS_DISPLAY)
async def accessibility(box: TheBox) -> AccessibilityTree:
    """What the running programs tell a screen reader; `available: false` with a reason where there is no bus for it."""
    return await box.desktop.accessibility()
