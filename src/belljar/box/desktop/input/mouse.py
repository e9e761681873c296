"""The mouse, by XTEST: every call returns when the X server has carried it out."""

import math
from collections.abc import Iterator

import anyio

from belljar.box.desktop.display_access import Reach
from belljar.box.display import Connection, XError
from belljar.box.display.x11 import xtest
from belljar.box.display.x11.protocol import request
from belljar.problems.box import DesktopInputFailed, DesktopInvalidAction
from belljar.wire.desktop import MouseButton, MousePosition

NUMBERS = {MouseButton.LEFT: 1, MouseButton.MIDDLE: 2, MouseButton.RIGHT: 3}
UP, DOWN, LEFT, RIGHT = 4, 5, 6, 7

MOST_CLICKS = 1_000
MOST_NOTCHES = 100_000
# Sent between two looks at whether the server keeps up.
_BATCH = 200
# A drag goes in steps: programs tell it from a jump by what lies between.
_DRAG_STEP = 16
# How long a window manager may keep the pointer frozen after a press.
_THAW_SECONDS = 2.0


class Mouse:
    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._turn = anyio.Lock()
        # What was scrolled less than a notch, right and down.
        self._rest_x = 0.0
        self._rest_y = 0.0

    async def position(self) -> MousePosition:
        async with self._reach.connection(DesktopInputFailed) as x:
            return await _position(x)

    async def move(self, x: int, y: int) -> MousePosition:
        x, y = self._pixel(x, y)
        async with self._turn, self._reach.connection(DesktopInputFailed) as server:
            pen = await _Pen.of(server)
            return await pen.draw([pen.move(x, y)])

    async def click(self, x: int, y: int, button: MouseButton, count: int) -> MousePosition:
        if not 1 <= count <= MOST_CLICKS:
            raise DesktopInvalidAction(f"clickCount must be between 1 and {MOST_CLICKS}.")
        x, y = self._pixel(x, y)
        async with self._turn, self._reach.connection(DesktopInputFailed) as server:
            pen = await _Pen.of(server)
            number = NUMBERS[button]
            return await pen.draw([pen.move(x, y), *(pen.press(number), pen.release(number)) * count])

    async def down(self, at: tuple[int, int] | None, button: MouseButton) -> MousePosition:
        return await self._hold(at, button, is_down=True)

    async def up(self, at: tuple[int, int] | None, button: MouseButton) -> MousePosition:
        return await self._hold(at, button, is_down=False)

    async def drag(self, start: tuple[int, int], end: tuple[int, int], button: MouseButton) -> MousePosition:
        _check_sign(*start)
        _check_sign(*end)
        start, end = self._pixel(*start), self._pixel(*end)
        async with self._turn, self._reach.connection(DesktopInputFailed) as server:
            pen = await _Pen.of(server)
            number = NUMBERS[button]
            await pen.draw([pen.move(*start), pen.press(number)])
            try:
                for point in _line(start, end):
                    await pen.draw([pen.move(*point)])
            finally:
                # Sent even when the caller has gone: the button must not stay down.
                server.post_packed([pen.release(number)])
            return await _position_at(server, end)

    async def scroll(self, x: int, y: int, right: float, down: float) -> MousePosition:
        if not right and not down:
            raise DesktopInvalidAction("deltaX or deltaY must be something other than 0.")
        if max(abs(right), abs(down)) > MOST_NOTCHES:
            raise DesktopInvalidAction(f"deltaX and deltaY must be within {MOST_NOTCHES} notches.")
        x, y = self._pixel(x, y)
        async with self._turn, self._reach.connection(DesktopInputFailed) as server:
            notches_y, self._rest_y = _whole(self._rest_y, down)
            notches_x, self._rest_x = _whole(self._rest_x, right)
            pen = await _Pen.of(server)
            await pen.draw([pen.move(x, y)])
            for number, count in (
                (DOWN if notches_y > 0 else UP, notches_y),
                (RIGHT if notches_x > 0 else LEFT, notches_x),
            ):
                for batch in _batches(abs(count)):
                    await pen.draw([pen.press(number), pen.release(number)] * batch)
            return await _position(server)

    async def _hold(self, at: tuple[int, int] | None, button: MouseButton, *, is_down: bool) -> MousePosition:
        if at is not None:
            at = self._pixel(*at)
        self._reach.check_active()
        async with self._turn, self._reach.connection(DesktopInputFailed) as server:
            pen = await _Pen.of(server)
            change = pen.press if is_down else pen.release
            return await pen.draw([*([pen.move(*at)] if at else []), change(NUMBERS[button])])

    def _pixel(self, x: int, y: int) -> tuple[int, int]:
        """The pixel that a caller means.  Raises `DesktopInvalidAction` for one that is not on the screen."""
        _check_sign(x, y)
        return self._reach.on_screen(x, y)


class _Pen:
    """Input events for one connection."""

    def __init__(self, server: Connection, opcode: int) -> None:
        self._server = server
        self._opcode = opcode

    @classmethod
    async def of(cls, server: Connection) -> "_Pen":
        return cls(server, (await server.extension(xtest.EXTENSION)).opcode)

    def move(self, x: int, y: int) -> bytes:
        return xtest.fake_input(self._opcode, xtest.MOTION, 0, x, y)

    def press(self, button: int) -> bytes:
        return xtest.fake_input(self._opcode, xtest.BUTTON_PRESS, button)

    def release(self, button: int) -> bytes:
        return xtest.fake_input(self._opcode, xtest.BUTTON_RELEASE, button)

    async def draw(self, events: list[bytes]) -> MousePosition:
        """Send all at once; the position after them, which is also the proof that the server has done them."""
        posted = self._server.post_packed(events)
        position = await _position(self._server)
        posted.result()
        return position


async def _position(server: Connection) -> MousePosition:
    pointer = await server.ask(request.QueryPointer, window=server.root)
    window = await _client_under(server, pointer.child) if pointer.child else server.root
    return MousePosition(x=pointer.root_x, y=pointer.root_y, screen=0, window=str(window))


async def _position_at(server: Connection, point: tuple[int, int]) -> MousePosition:
    """The position once it is `point`, or whatever it is when that takes too long.

    A window manager that takes clicks first freezes the pointer until it has decided: what was sent meanwhile is done
    when it lets go, and no event tells when that is.
    """
    position = await _position(server)
    with anyio.move_on_after(_THAW_SECONDS):
        while (position.x, position.y) != point:
            await anyio.sleep(0.005)
            position = await _position(server)
    return position


async def _client_under(server: Connection, frame: int) -> int:
    """The application's window inside a window manager's frame: the one that carries WM_STATE."""
    state = await server.atom("WM_STATE")
    window = frame
    for _ in range(4):
        try:
            has_state, below = await server.gather(
                [
                    server.asking(
                        request.GetProperty,
                        delete=0,
                        window=window,
                        property=state,
                        type=0,
                        long_offset=0,
                        long_length=0,
                    ),
                    server.asking(request.QueryPointer, window=window),
                ]
            )
        except XError:
            break
        if isinstance(has_state, XError) or isinstance(below, XError):
            break
        if has_state.property_type:
            return window
        if not below.child:
            break
        window = below.child
    return frame


def _check_sign(x: int, y: int) -> None:
    if x < 0 or y < 0:
        raise DesktopInvalidAction(f"The point {x}, {y} is outside the screen: coordinates start at 0.")


def _whole(rest: float, delta: float) -> tuple[int, float]:
    """The notches to turn now, and what is left for the next time.  A turn the other way forgets the rest."""
    total = delta if rest * delta < 0 else rest + delta
    # Ten times 0.1 is to be a notch.
    notches = math.trunc(total + math.copysign(1e-9, total))
    return notches, total - notches


def _batches(count: int) -> Iterator[int]:
    while count > 0:
        yield min(count, _BATCH)
        count -= _BATCH


def _line(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Points after `start`, up to `end`."""
    steps = max(1, math.ceil(math.dist(start, end) / _DRAG_STEP))
    for step in range(1, steps + 1):
        yield tuple(round(a + (b - a) * step / steps) for a, b in zip(start, end, strict=True))  # type: ignore[misc]
