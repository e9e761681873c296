"""A viewer's mouse and keyboard on the desktop, by XTEST."""

from contextlib import suppress

from belljar.box.desktop import Desktop
from belljar.box.live.mapping import Point
from belljar.problems import Problem
from belljar.wire.desktop import MouseButton as DesktopButton
from belljar.wire.live import KeyAction, KeyInput, MouseAction, MouseButton, MouseInput

_BUTTONS = {
    MouseButton.NONE: DesktopButton.LEFT,
    MouseButton.LEFT: DesktopButton.LEFT,
    MouseButton.MIDDLE: DesktopButton.MIDDLE,
    MouseButton.RIGHT: DesktopButton.RIGHT,
}
# What a browser scrolls by for one notch of a wheel.
_PIXELS_PER_NOTCH = 100


class ScreenHands:
    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop
        self._held_buttons: set[DesktopButton] = set()
        # What was pressed, by its place: letting go must name the same key, whatever Shift has become meanwhile.
        self._held_keys: dict[str, str] = {}

    async def mouse(self, event: MouseInput, at: Point, delta: tuple[float, float]) -> None:
        mouse = self._desktop.mouse
        x, y = int(at.x), int(at.y)
        button = _BUTTONS.get(event.button)
        match event.action:
            case MouseAction.MOVE:
                await mouse.move(x, y)
            case MouseAction.WHEEL if at.is_inside:
                await mouse.scroll(x, y, delta[0] / _PIXELS_PER_NOTCH, delta[1] / _PIXELS_PER_NOTCH)
            case MouseAction.DOWN if at.is_inside and button is not None:
                self._held_buttons.add(button)
                await mouse.down((x, y), button)
            case MouseAction.UP if button in self._held_buttons:
                self._held_buttons.discard(button)
                await mouse.up((x, y), button)

    async def key(self, event: KeyInput) -> None:
        keyboard = self._desktop.keyboard
        place = event.code or event.key
        match event.action:
            case KeyAction.CHAR:
                if event.text:
                    await keyboard.type(event.text, 0)
            case KeyAction.DOWN:
                # X repeats keys by itself.
                if place not in self._held_keys:
                    self._held_keys[place] = key = "space" if event.key == " " else event.key
                    await keyboard.down(key)
            case KeyAction.UP:
                if (held := self._held_keys.pop(place, None)) is not None:
                    await keyboard.up(held)

    async def release_all(self) -> None:
        """Nothing stays pressed when its viewer has gone, or has lost control."""
        buttons, self._held_buttons = self._held_buttons, set()
        keys, self._held_keys = self._held_keys, {}
        for button in buttons:
            # A display that is gone holds nothing down.
            with suppress(Problem):
                await self._desktop.mouse.up(None, button)
        for key in keys.values():
            with suppress(Problem):
                await self._desktop.keyboard.up(key)
