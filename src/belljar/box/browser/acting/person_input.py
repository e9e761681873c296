"""A person's mouse and keyboard: events as a viewer sends them, of buttons and keys that go down and up by themselves.

They are sent without waiting for their answers: the pipe keeps their order, and a page that is busy holds nobody up.
"""

from collections.abc import Callable, Iterable

from belljar.box.browser.acting.layout import virtual_key
from belljar.box.browser.cdp.replies import Part
from belljar.box.browser.page.page import Page
from belljar.wire.live import KeyAction, KeyInput, MouseAction, MouseButton

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


def send_mouse(
    page: Page,
    action: MouseAction,
    x: float,
    y: float,
    *,
    button: MouseButton,
    held: Iterable[MouseButton],
    clicks: int = 0,
    modifiers: int = 0,
    delta: tuple[float, float] = (0, 0),
    arrived: Callable[[], None] | None = None,
) -> None:
    """`held` are the buttons that are down, after a press and before a release; `arrived` is called once the page has
    dealt with it.
    """
    down = tuple(held)
    if action is MouseAction.MOVE:
        # A drag is a move that names the button; CDP wants it said.
        button = next(iter(down), MouseButton.NONE)
    _send(
        page,
        "Input.dispatchMouseEvent",
        arrived,
        type=_TYPES[action],
        x=x,
        y=y,
        button=button,
        buttons=sum(_BITS[one] for one in down),
        clickCount=clicks if action in (MouseAction.DOWN, MouseAction.UP) else 0,
        modifiers=modifiers,
        pointerType="mouse",
        **({"deltaX": delta[0], "deltaY": delta[1]} if action is MouseAction.WHEEL else {}),
    )


def send_key(page: Page, event: KeyInput, arrived: Callable[[], None] | None = None) -> None:
    """A key that goes down or up."""
    is_down = event.action is KeyAction.DOWN
    text = _text(event) if is_down else ""
    code = virtual_key(event.key, event.code)
    _send(
        page,
        "Input.dispatchKeyEvent",
        arrived,
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


def send_text(page: Page, text: str) -> None:
    """Without a key, in place of what was composed."""
    page.session.tell("Input.insertText", text=text)


def send_composition(page: Page, text: str) -> None:
    """Show unfinished text at the caret, underlined as input methods do; the caret stands at its end."""
    end = len(text.encode("utf-16-le", "surrogatepass")) // 2
    page.session.tell("Input.imeSetComposition", text=text, selectionStart=end, selectionEnd=end)


def _send(page: Page, method: str, arrived: Callable[[], None] | None, /, **params: object) -> None:
    if arrived is None:
        page.session.tell(method, **params)
    else:
        page.session.ask(Part, method, lambda _: arrived(), **params)


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
