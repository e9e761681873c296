"""The keyboard."""

from belljar.box.parts import TheBox
from belljar.box.routes.desktop.routing import INPUT, new_router
from belljar.wire.base import Ok
from belljar.wire.desktop import HoldKey, PressKey, TypeText

router = new_router()

DEFAULT_DELAY_MS = 10


@router.post("/keyboard/type", operation_id="typeDesktopText", responses=INPUT)
async def type_text(body: TypeText, box: TheBox) -> Ok:
    """Type text, whatever the keyboard's layout; it answers when the last key is up."""
    delay = DEFAULT_DELAY_MS if body.delay_ms is None else body.delay_ms
    await box.desktop.keyboard.type(body.text, delay / 1000)
    return Ok()


@router.post("/keyboard/press", operation_id="pressDesktopKey", responses=INPUT)
async def press(body: PressKey, box: TheBox) -> Ok:
    """Press a key or a combination and let it go."""
    await box.desktop.keyboard.press(body.key, body.modifiers)
    return Ok()


@router.post("/keyboard/down", operation_id="keyDownDesktop", responses=INPUT)
async def down(body: HoldKey, box: TheBox) -> Ok:
    """Press a key and keep it down."""
    await box.desktop.keyboard.down(body.key)
    return Ok()


@router.post("/keyboard/up", operation_id="keyUpDesktop", responses=INPUT)
async def up(body: HoldKey, box: TheBox) -> Ok:
    """Let a key or combination go."""
    await box.desktop.keyboard.up(body.key)
    return Ok()
