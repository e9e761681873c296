# Made from aio/hands.py by scripts/make_sync_sdk.py: change it there.
"""`desktop.mouse` and `desktop.keyboard`."""

from belljar.sdk.choices import Button
from belljar.sdk.encoding import body, ms
from belljar.sdk.sync.http import Http
from belljar.wire.base import Ok
from belljar.wire.desktop import KeyModifiers, MousePosition


class Mouse:
    """The pointer on the screen, in pixels from its upper left corner."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def position(self) -> MousePosition:
        """Where it is, and the window under it."""
        return self._http.get("/v1/desktop/mouse/position", MousePosition)

    def move(self, x: int, y: int) -> MousePosition:
        """Move it."""
        return self._http.post("/v1/desktop/mouse/move", MousePosition, body(x=x, y=y))

    def click(self, x: int, y: int, *, button: Button | None = None, click_count: int | None = None) -> MousePosition:
        """Move it there and click; `click_count=2` is a double click."""
        asked = body(x=x, y=y, button=button, click_count=click_count)
        return self._http.post("/v1/desktop/mouse/click", MousePosition, asked)

    def down(self, *, x: int | None = None, y: int | None = None, button: Button | None = None) -> MousePosition:
        """Press a button and hold it, after moving where a point is given."""
        return self._http.post("/v1/desktop/mouse/down", MousePosition, body(x=x, y=y, button=button))

    def up(self, *, x: int | None = None, y: int | None = None, button: Button | None = None) -> MousePosition:
        """Release a button, after moving where a point is given."""
        return self._http.post("/v1/desktop/mouse/up", MousePosition, body(x=x, y=y, button=button))

    def drag(
        self, start_x: int, start_y: int, end_x: int, end_y: int, *, button: Button | None = None
    ) -> MousePosition:
        """Press at one point and release at another."""
        asked = body(start_x=start_x, start_y=start_y, end_x=end_x, end_y=end_y, button=button)
        return self._http.post("/v1/desktop/mouse/drag", MousePosition, asked)

    def scroll(self, x: int, y: int, *, delta_x: float | None = None, delta_y: float | None = None) -> MousePosition:
        """Turn the wheel at a point: notches, down and to the right."""
        asked = body(x=x, y=y, delta_x=delta_x, delta_y=delta_y)
        return self._http.post("/v1/desktop/mouse/scroll", MousePosition, asked)


class Keyboard:
    """The keyboard.  A key is an X keysym name, a web key name or a character; `+` joins a combination."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def type(self, text: str, *, delay: float | None = None) -> Ok:
        """Type any text; `delay` is seconds between keys."""
        return self._http.post("/v1/desktop/keyboard/type", Ok, body(text=text, delay_ms=ms(delay)))

    def press(self, key: str, *, modifiers: KeyModifiers | None = None) -> Ok:
        """Press and release a key or a combination, such as `ctrl+shift+a`."""
        return self._http.post("/v1/desktop/keyboard/press", Ok, body(key=key, modifiers=modifiers))

    def down(self, key: str) -> Ok:
        """Hold a key down."""
        return self._http.post("/v1/desktop/keyboard/down", Ok, body(key=key))

    def up(self, key: str) -> Ok:
        """Let a key go."""
        return self._http.post("/v1/desktop/keyboard/up", Ok, body(key=key))
