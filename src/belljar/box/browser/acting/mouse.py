"""The mouse: moved, pressed, released, turned; events go out one behind another without waiting in between."""

from collections.abc import Sequence
from typing import Literal

from belljar.box.browser.cdp import Session
from belljar.box.browser.cdp.session import PendingCommand


async def all_answered(posted: Sequence[PendingCommand]) -> None:
    """Wait until every command was answered; raise the first refusal when all are through."""
    refused: Exception | None = None
    try:
        # From the last: answers come in their order, so that this wakes once and not for each of them.
        for one in reversed(posted):
            try:
                await one
            except Exception as error:  # noqa: BLE001  # raised again below, once the others are through
                refused = error
    finally:
        for one in posted:
            one.drop()
    if refused is not None:
        raise refused


Button = Literal["left", "right", "middle"]
_BUTTONS = {"left": 1, "right": 2, "middle": 4}


def move(session: Session, x: float, y: float, *, modifiers: int = 0, held: Button | None = None) -> PendingCommand:
    """Post a move; with `held`, of a drag."""
    return session.post(
        "Input.dispatchMouseEvent",
        type="mouseMoved",
        x=x,
        y=y,
        modifiers=modifiers,
        button=held or "none",
        buttons=_BUTTONS[held] if held else 0,
    )


def press(
    session: Session, x: float, y: float, *, button: Button, count: int = 1, modifiers: int = 0
) -> PendingCommand:
    return session.post(
        "Input.dispatchMouseEvent",
        type="mousePressed",
        x=x,
        y=y,
        button=button,
        buttons=_BUTTONS[button],
        clickCount=count,
        modifiers=modifiers,
    )


def release(
    session: Session, x: float, y: float, *, button: Button, count: int = 1, modifiers: int = 0
) -> PendingCommand:
    return session.post(
        "Input.dispatchMouseEvent",
        type="mouseReleased",
        x=x,
        y=y,
        button=button,
        buttons=0,
        clickCount=count,
        modifiers=modifiers,
    )


async def click(session: Session, x: float, y: float, *, button: Button, count: int, modifiers: int) -> None:
    """Move there and press `count` times."""
    posted = [move(session, x, y, modifiers=modifiers)]
    for nth in range(1, count + 1):
        posted.append(press(session, x, y, button=button, count=nth, modifiers=modifiers))
        posted.append(release(session, x, y, button=button, count=nth, modifiers=modifiers))
    await all_answered(posted)


async def turn_wheel(session: Session, x: float, y: float, delta_x: float, delta_y: float) -> None:
    await session.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=delta_x, deltaY=delta_y)


def path(start: tuple[float, float], end: tuple[float, float], steps: int) -> Sequence[tuple[float, float]]:
    """Points on the way, the end included."""
    (x, y), (to_x, to_y) = start, end
    return [(x + (to_x - x) * n / steps, y + (to_y - y) * n / steps) for n in range(1, steps + 1)]
