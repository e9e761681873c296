"""A viewer's mouse and keyboard on the page, as CDP input events.

Events are sent without waiting for their answers: the pipe keeps their order, and a page that is busy holds nobody up.
"""

from collections.abc import Callable

from belljar.box.browser.input.layout import virtual_key
from belljar.box.browser.page import Page
from belljar.box.live.mapping import Point
from belljar.wire.live import KeyAction, KeyInput, MouseAction, MouseButton, MouseInput

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
