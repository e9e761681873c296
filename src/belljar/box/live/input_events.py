"""What a viewer does with mouse and keyboard, as the record has it: every press, and what moves put together.

What somebody types is in the record at no level, only how much: nobody can tell a password from a word here.
"""

import asyncio

from belljar.box.browser.acting.layout import is_named
from belljar.box.live.input import Point
from belljar.box.record import Bus
from belljar.record.segments import Actor
from belljar.wire.live import KeyAction, KeyInput, MouseAction, MouseInput
from belljar.wire.record import EventKind

# Moves, and turns of the wheel, that come in so many seconds are one event.
TOGETHER_SECONDS = 0.25


class InputEvents:
    """Of one viewer."""

    def __init__(self, bus: Bus, actor: Actor) -> None:
        self._bus = bus
        self._actor = actor
        # What goes on: moves or turns of the wheel on one tab, how many, where they came to, how far, and when.
        self._action: MouseAction | None = None
        self._tab: str | None = None
        self._count = 0
        self._at = (0.0, 0.0)
        self._turned = (0.0, 0.0)
        self._mono = 0
        self._timer: asyncio.TimerHandle | None = None

    def mouse(self, event: MouseInput, at: Point, delta: tuple[float, float], tab: str | None) -> None:
        if not self._bus.wants(EventKind.INPUT) or not (at.is_inside or event.action is MouseAction.UP):
            return
        if event.action in (MouseAction.MOVE, MouseAction.WHEEL):
            self._goes_on(event.action, at, delta, tab)
            return
        self.flush()
        data = {
            "x": round(at.x, 1),
            "y": round(at.y, 1),
            "button": event.button.value,
            "clicks": event.click_count,
            "modifiers": event.modifiers,
        }
        self._bus.tell(EventKind.INPUT, f"mouse.{event.action}", actor=self._actor, tab=tab, data=data)

    def key(self, event: KeyInput, tab: str | None) -> None:
        if event.action is KeyAction.COMPOSE or not self._bus.wants(EventKind.INPUT):
            # What is composed is told when it is typed.
            return
        self.flush()
        if event.action is KeyAction.CHAR:
            data = {"length": len(event.text or "")}
            self._bus.tell(EventKind.INPUT, "text", actor=self._actor, tab=tab, data=data)
            return
        key = event.key if is_named(event.key) else {"length": 1}
        name = "key.down" if event.action is KeyAction.DOWN else "key.up"
        told = {"key": key, "modifiers": event.modifiers, **({"repeat": True} if event.repeat else {})}
        self._bus.tell(EventKind.INPUT, name, actor=self._actor, tab=tab, data=told)

    def pasted(self, text: str) -> None:
        """The viewer has put its own clipboard there."""
        self.flush()
        self._bus.tell(EventKind.INPUT, "clipboard", actor=self._actor, data={"length": len(text)})

    def _goes_on(self, action: MouseAction, at: Point, delta: tuple[float, float], tab: str | None) -> None:
        if self._action is not action or self._tab != tab:
            self.flush()
            self._action, self._tab = action, tab
            self._timer = asyncio.get_running_loop().call_later(TOGETHER_SECONDS, self.flush)
        self._count += 1
        self._at = at.x, at.y
        self._turned = self._turned[0] + delta[0], self._turned[1] + delta[1]
        self._mono = self._bus.clock.now()

    def flush(self) -> None:
        """Tell of what went on until now, as of its last moment."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        action, self._action = self._action, None
        if action is None:
            return
        data = {"x": round(self._at[0], 1), "y": round(self._at[1], 1), "count": self._count}
        if action is MouseAction.WHEEL:
            data |= {"deltaX": round(self._turned[0], 1), "deltaY": round(self._turned[1], 1)}
        name = f"mouse.{action}"
        self._bus.tell(EventKind.INPUT, name, actor=self._actor, tab=self._tab, data=data, mono=self._mono)
        self._count, self._turned = 0, (0.0, 0.0)
