"""A Neko viewer's mouse and keyboard on the display: in the order they came, each key and button once."""

from contextlib import suppress

from belljar.box.desktop import Desktop
from belljar.box.live.rtc.channel import Button, Key, Move, Scroll
from belljar.problems import Problem
from belljar.wire.desktop import MouseButton

_BUTTONS = {1: MouseButton.LEFT, 2: MouseButton.MIDDLE, 3: MouseButton.RIGHT}
# One turn of a wheel, in the pixels that browsers count it by; and the most that one message may ask for.
_PIXELS_PER_NOTCH = 100
_MOST_NOTCHES = 10
# Up to here a client counts in notches.
_FEW_NOTCHES = 15


class DisplayHands:
    """`is_wheel_inverted`: whether up is positive, as in Neko's own clients; in the DOM down is."""

    def __init__(self, desktop: Desktop, *, is_wheel_inverted: bool) -> None:
        self._desktop = desktop
        self._sign = -1 if is_wheel_inverted else 1
        self._at = (0, 0)
        self._held_keys: set[int] = set()
        self._held_buttons: set[MouseButton] = set()

    async def do(self, event: Move | Scroll | Key | Button) -> None:
        mouse, keyboard = self._desktop.mouse, self._desktop.keyboard
        match event:
            case Move(x, y):
                self._at = (x, y)
                await mouse.move(x, y)
            case Scroll(x, y) if x or y:
                await mouse.scroll(*self._at, self._sign * _notches(x), self._sign * _notches(y))
            case Button(number, is_down) if (button := _BUTTONS.get(number)) is not None:
                if is_down and button not in self._held_buttons:
                    self._held_buttons.add(button)
                    await mouse.down(None, button)
                elif not is_down and button in self._held_buttons:
                    self._held_buttons.discard(button)
                    await mouse.up(None, button)
            case Key(keysym, is_down):
                # X repeats keys by itself.
                if is_down and keysym not in self._held_keys:
                    self._held_keys.add(keysym)
                    await keyboard.down(keysym)
                elif not is_down and keysym in self._held_keys:
                    self._held_keys.discard(keysym)
                    await keyboard.up(keysym)

    async def release_all(self) -> None:
        """Nothing stays pressed when its viewer has gone, or has lost control."""
        keys, self._held_keys = self._held_keys, set()
        buttons, self._held_buttons = self._held_buttons, set()
        for button in buttons:
            # A display that is gone holds nothing down.
            with suppress(Problem):
                await self._desktop.mouse.up(None, button)
        for keysym in keys:
            with suppress(Problem):
                await self._desktop.keyboard.up(keysym)


def _notches(delta: int) -> int:
    """Some clients send notches, others a browser's pixels."""
    if abs(delta) > _FEW_NOTCHES:
        delta = round(delta / _PIXELS_PER_NOTCH) or (1 if delta > 0 else -1)
    return max(-_MOST_NOTCHES, min(_MOST_NOTCHES, delta))
