"""A viewer's mouse and keyboard: where on the page or the desktop they are, and what they hold down there.

A viewer shows the frame as large as it fits into its surface, centred, with bars at two sides where the shapes
differ.  Its own device pixel ratio does not matter: point and surface are in the same unit, whichever it is.  Nor
does the page's: a page's viewport, like its mouse events, is in CSS pixels.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from belljar.box.browser.acting.person_input import send_composition, send_key, send_mouse, send_text
from belljar.box.browser.asking.presses import Presses
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

    def moved(self, x: float, y: float) -> "Point":
        return Point(self.x + x, self.y + y, self.is_inside)


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


class PageInput:
    """`active` gives the page that input goes to; None while there is none.  What presses may open is for `presses`."""

    def __init__(self, active: Callable[[], Page | None], presses: Presses) -> None:
        self._active = active
        self._presses = presses
        # Where the buttons that are down went down: they must come up there, whatever tab is active then.
        self._held_buttons: dict[MouseButton, tuple[Page, float, float]] = {}
        self._held_keys: dict[str, tuple[Page, KeyInput]] = {}
        # Where an input method's unfinished text stands.
        self._composing: Page | None = None

    async def mouse(self, event: MouseInput, at: Point, delta: tuple[float, float]) -> None:
        page = self._active()
        if page is None or page.is_closed:
            return
        if event.action is MouseAction.DOWN:
            if not at.is_inside:
                return
            self._held_buttons[event.button] = (page, at.x, at.y)
            if event.button is MouseButton.RIGHT:
                await self._presses.before_menu(page)
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
        if page is None or page.is_closed:
            return
        if event.action is KeyAction.COMPOSE:
            self._compose(page, event.text or "")
            return
        if event.action is KeyAction.CHAR:
            # Takes the place of what was composed.
            self._composing = None
            if event.text:
                send_text(page, event.text)
            return
        name = event.code or event.key
        if event.action is KeyAction.DOWN:
            self._held_keys[name] = (page, event)
        else:
            page = self._held_keys.pop(name, (page, event))[0]
        # A key that was held has done what it does when it comes up.
        is_awaited = event.action is KeyAction.UP and self._presses.matters(page, event.key)
        send_key(page, event, (lambda: self._presses.key(page)) if is_awaited else None)

    async def release_all(self) -> None:
        """Nothing stays pressed when its viewer has gone, or has lost control."""
        for button, (page, x, y) in list(self._held_buttons.items()):
            if not page.is_closed:
                up = MouseInput(type="input", device="mouse", action=MouseAction.UP, x=x, y=y, button=button)
                del self._held_buttons[button]
                self._send(page, up, x, y, (0, 0))
        for page, event in self._held_keys.values():
            if not page.is_closed:
                send_key(page, event.model_copy(update={"action": KeyAction.UP, "modifiers": 0}))
        self._held_buttons.clear()
        self._held_keys.clear()
        if self._composing is not None and not self._composing.is_closed:
            self._compose(self._composing, "")

    def _compose(self, page: Page, text: str) -> None:
        self._composing = page if text else None
        send_composition(page, text)

    def _send(self, page: Page, event: MouseInput, x: float, y: float, delta: tuple[float, float]) -> None:
        is_up = event.action is MouseAction.UP
        opened = {MouseButton.LEFT: self._presses.pointer, MouseButton.RIGHT: self._presses.menu}.get(event.button)
        send_mouse(
            page,
            event.action,
            x,
            y,
            button=event.button,
            held=self._held_buttons,
            clicks=event.click_count,
            modifiers=event.modifiers,
            delta=delta,
            arrived=(lambda: opened(page)) if is_up and opened is not None else None,
        )


_BUTTONS = {
    MouseButton.NONE: DesktopButton.LEFT,
    MouseButton.LEFT: DesktopButton.LEFT,
    MouseButton.MIDDLE: DesktopButton.MIDDLE,
    MouseButton.RIGHT: DesktopButton.RIGHT,
}
# What a browser scrolls by for one notch of a wheel.
_PIXELS_PER_NOTCH = 100


class ScreenInput:
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
