"""From the viewer's surface to the page: pure arithmetic.

A viewer shows the picture as large as it fits into its surface, centred, with bars at two sides where the shapes
differ.  Its own device pixel ratio does not matter: point and surface are in the same unit, whichever it is.  Nor
does the page's: a page's viewport, like CDP's mouse events, is in CSS pixels.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from belljar.box.browser.acting.layout import virtual_key
from belljar.box.browser.page.page import Page
from belljar.box.desktop import Desktop
from belljar.problems import Problem
from belljar.wire.desktop import MouseButton as DesktopButton
from belljar.wire.live import KeyAction, KeyInput, MouseAction, MouseButton, MouseInput

# What Chromium scrolls by for one notch of a wheel that counts in lines.
_PIXELS_PER_LINE = 100 / 3


@dataclass(frozen=True)
class Size:
    w: float
    h: float


@dataclass(frozen=True)
class Point:
    x: float
    y: float
    # False on the bars beside the picture; the point is then the nearest one of the picture.
    is_inside: bool


def to_picture(x: float, y: float, surface: Size, picture: Size) -> Point:
    """Where a point of the surface lies in the picture."""
    scale = min(surface.w / picture.w, surface.h / picture.h)
    left, top = (surface.w - picture.w * scale) / 2, (surface.h - picture.h * scale) / 2
    across, down = (x - left) / scale, (y - top) / scale
    # The far edge belongs to nobody: the last pixel is the one before it.
    held_x, held_y = min(max(across, 0), picture.w - 1), min(max(down, 0), picture.h - 1)
    return Point(held_x, held_y, 0 <= across < picture.w and 0 <= down < picture.h)


def to_pixels(delta: float, mode: int, page: float) -> float:
    """A wheel's delta in pixels: DOM's `deltaMode` 0 counts in pixels, 1 in lines, 2 in pages of `page` pixels."""
    if mode == 1:
        return delta * _PIXELS_PER_LINE
    return delta * page if mode == 2 else delta


_BITS = {
    MouseButton.NONE: 0,
    MouseButton.LEFT: 1,
    MouseButton.RIGHT: 2,
    MouseButton.MIDDLE: 4,
    MouseButton.BACK: 8,
    MouseButton.FORWARD: 16,
}
_TYPES = {
    MouseAction.MOVE: "mouseMoved",
    MouseAction.DOWN: "mousePressed",
    MouseAction.UP: "mouseReleased",
    MouseAction.WHEEL: "mouseWheel",
}
_SHORTCUT = 1 | 2 | 4  # Alt, Control or Meta: the key makes no text
_TEXTS = {"Enter": "\r", "Tab": "\t"}


class PageHands:
    """`active` gives the page that input goes to; None while there is none."""

    def __init__(self, active: Callable[[], Page | None]) -> None:
        self._active = active
        # Where the buttons that are down went down: they must come up there, whatever tab is active then.
        self._held_buttons: dict[MouseButton, tuple[Page, float, float]] = {}
        self._held_keys: dict[str, tuple[Page, KeyInput]] = {}
        # Where an input method's unfinished text stands.
        self._composing: Page | None = None

    async def mouse(self, event: MouseInput, at: Point, delta: tuple[float, float]) -> None:
        page = self._active()
        if page is None or page.session.is_gone:
            return
        if event.action is MouseAction.DOWN:
            if not at.is_inside:
                return
            self._held_buttons[event.button] = (page, at.x, at.y)
        elif event.action is MouseAction.UP:
            held = self._held_buttons.pop(event.button, None)
            if held is None:
                return
            page = held[0]
        elif event.action is MouseAction.WHEEL and not at.is_inside:
            return
        self._send(page, event, at.x, at.y, delta)

    async def key(self, event: KeyInput) -> None:
        page = self._active()
        if page is None or page.session.is_gone:
            return
        if event.action is KeyAction.COMPOSE:
            self._compose(page, event.text or "")
            return
        if event.action is KeyAction.CHAR:
            # Takes the place of what was composed.
            self._composing = None
            if event.text:
                page.session.tell("Input.insertText", text=event.text)
            return
        name = event.code or event.key
        if event.action is KeyAction.DOWN:
            self._held_keys[name] = (page, event)
        else:
            page = self._held_keys.pop(name, (page, event))[0]
        _send_key(page, event)

    async def release_all(self) -> None:
        """Nothing stays pressed when its viewer has gone, or has lost control."""
        for button, (page, x, y) in list(self._held_buttons.items()):
            if not page.session.is_gone:
                up = MouseInput(type="input", device="mouse", action=MouseAction.UP, x=x, y=y, button=button)
                del self._held_buttons[button]
                self._send(page, up, x, y, (0, 0))
        for page, event in self._held_keys.values():
            if not page.session.is_gone:
                _send_key(page, event.model_copy(update={"action": KeyAction.UP, "modifiers": 0}))
        self._held_buttons.clear()
        self._held_keys.clear()
        if self._composing is not None and not self._composing.session.is_gone:
            self._compose(self._composing, "")

    def _compose(self, page: Page, text: str) -> None:
        """Show unfinished text at the caret, underlined as input methods do; the caret stands at its end."""
        self._composing = page if text else None
        end = len(text.encode("utf-16-le", "surrogatepass")) // 2
        page.session.tell("Input.imeSetComposition", text=text, selectionStart=end, selectionEnd=end)

    def _send(self, page: Page, event: MouseInput, x: float, y: float, delta: tuple[float, float]) -> None:
        held = sum(_BITS[button] for button in self._held_buttons)
        button = event.button
        if event.action is MouseAction.MOVE:
            # A drag is a move that names the button; CDP wants it said.
            button = next(iter(self._held_buttons), MouseButton.NONE)
        wheel = {"deltaX": delta[0], "deltaY": delta[1]} if event.action is MouseAction.WHEEL else {}
        page.session.tell(
            "Input.dispatchMouseEvent",
            type=_TYPES[event.action],
            x=x,
            y=y,
            button=button,
            buttons=held,
            clickCount=event.click_count if event.action in (MouseAction.DOWN, MouseAction.UP) else 0,
            modifiers=event.modifiers,
            pointerType="mouse",
            **wheel,
        )


def _send_key(page: Page, event: KeyInput) -> None:
    is_down = event.action is KeyAction.DOWN
    text = _text(event) if is_down else ""
    code = virtual_key(event.key, event.code)
    page.session.tell(
        "Input.dispatchKeyEvent",
        type=("keyDown" if text else "rawKeyDown") if is_down else "keyUp",
        key=event.key,
        code=event.code,
        windowsVirtualKeyCode=code,
        nativeVirtualKeyCode=code,
        modifiers=event.modifiers,
        autoRepeat=event.repeat,
        isKeypad=event.code.startswith("Numpad"),
        location=_location(event.code),
        **({"text": text, "unmodifiedText": text} if text else {}),
    )


def _text(event: KeyInput) -> str:
    """What the key types: what the viewer says, else the key itself unless it is a shortcut."""
    if event.modifiers & _SHORTCUT and event.text is None:
        return ""
    if event.text is not None:
        return event.text
    return _TEXTS.get(event.key, event.key if len(event.key) == 1 else "")


def _location(code: str) -> int:
    """DOM's: 1 and 2 for the left and right one of a pair, 3 for the number pad."""
    if code.startswith("Numpad"):
        return 3
    side = {"Left": 1, "Right": 2}
    is_pair = code.startswith(("Shift", "Control", "Alt", "Meta"))
    return next((place for word, place in side.items() if is_pair and code.endswith(word)), 0)


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
