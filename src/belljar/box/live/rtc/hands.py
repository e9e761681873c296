"""A Neko viewer's mouse and keyboard on the display: in the order they came, each key and button once."""

from contextlib import suppress

from belljar.box.desktop import Desktop
from belljar.box.live.input import Point
from belljar.box.live.input_events import InputEvents
from belljar.box.live.rtc.channel import Button, Key, Move, Scroll
from belljar.problems import Problem
from belljar.wire.desktop import MouseButton
from belljar.wire.live import KeyAction, KeyInput, MouseAction, MouseInput
from belljar.wire.live import MouseButton as LiveButton

_BUTTONS = {1: MouseButton.LEFT, 2: MouseButton.MIDDLE, 3: MouseButton.RIGHT}
# One turn of a wheel, in the pixels that browsers count it by; and the most that one message may ask for.
_PIXELS_PER_NOTCH = 100
_MOST_NOTCHES = 10
# Up to here a client counts in notches.
_FEW_NOTCHES = 15


# Keys that type no text, as DOM calls them: of all others the record has only that there was one.
_NAMES = {
    **{0xFF08: "Backspace", 0xFF09: "Tab", 0xFF0D: "Enter", 0xFF1B: "Escape", 0xFFFF: "Delete", 0xFF63: "Insert"},
    **{0xFF50: "Home", 0xFF57: "End", 0xFF55: "PageUp", 0xFF56: "PageDown"},
    **{0xFF51: "ArrowLeft", 0xFF52: "ArrowUp", 0xFF53: "ArrowRight", 0xFF54: "ArrowDown"},
    **{0xFFE1: "Shift", 0xFFE2: "Shift", 0xFFE3: "Control", 0xFFE4: "Control", 0xFFE9: "Alt", 0xFFEA: "Alt"},
    **{0xFFEB: "Meta", 0xFFEC: "Meta", 0xFFE5: "CapsLock"},
    **{0xFFBE + number: f"F{number + 1}" for number in range(12)},
}


class DisplayHands:
    """`is_wheel_inverted`: whether up is positive, as in Neko's own clients; in the DOM down is."""

    def __init__(self, desktop: Desktop, events: InputEvents, *, is_wheel_inverted: bool) -> None:
        self._desktop = desktop
        self._events = events
        self._sign = -1 if is_wheel_inverted else 1
        self._at = (0, 0)
        self._held_keys: set[int] = set()
        self._held_buttons: set[MouseButton] = set()

    async def do(self, event: Move | Scroll | Key | Button) -> None:
        self._record(event)
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

    def _record(self, event: Move | Scroll | Key | Button) -> None:
        """As what it would be over the live socket."""
        x, y = (event.x, event.y) if isinstance(event, Move) else self._at
        at, turned = Point(x, y, is_inside=True), (0.0, 0.0)
        match event:
            case Move():
                made = MouseInput(type="input", device="mouse", action=MouseAction.MOVE, x=x, y=y)
            case Scroll():
                made = MouseInput(type="input", device="mouse", action=MouseAction.WHEEL, x=x, y=y)
                pixels = self._sign * _PIXELS_PER_NOTCH
                turned = pixels * _notches(event.x), pixels * _notches(event.y)
            case Button(number, is_down) if number in _BUTTONS:
                action = MouseAction.DOWN if is_down else MouseAction.UP
                button = LiveButton(_BUTTONS[number].value)
                made = MouseInput(type="input", device="mouse", action=action, x=x, y=y, button=button)
            case Key(keysym, is_down):
                act = KeyAction.DOWN if is_down else KeyAction.UP
                self._events.key(KeyInput(type="input", device="key", action=act, key=_NAMES.get(keysym, "")), None)
                return
            case _:
                return
        self._events.mouse(made, at, turned, None)

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
