"""The AT-SPI tree: every application on the accessibility bus, with roles, names, states and bounds."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

from belljar.box.desktop.accessibility.bus import Bus, BusError
from belljar.wire.desktop import AccessibleNode, Bounds

_NAMES = (
    "invalid active armed busy checked collapsed defunct editable enabled expandable expanded focusable focused "
    "has-tooltip horizontal iconified modal multi-line multiselectable opaque pressed resizable selectable selected "
    "sensitive showing single-line stale transient vertical visible manages-descendants indeterminate required "
    "truncated animated invalid-entry supports-autocompletion selectable-text is-default visited checkable has-popup "
    "read-only"
).split()


def state_names(words: Sequence[int]) -> list[str]:
    """The names of the bits that are set in two 32-bit words."""
    bits = sum(word << (32 * index) for index, word in enumerate(words))
    return [name for number, name in enumerate(_NAMES) if bits >> number & 1]


MOST_NODES = 3_000
# Objects asked about at the same time.
_AT_ONCE = 32
_LONGEST_TEXT = 1_000
_ROOT = "/org/a11y/atspi/accessible/root"
_REGISTRY = "org.a11y.atspi.Registry"
_ACCESSIBLE = "org.a11y.atspi.Accessible"
_SCREEN = 0
# Roles whose text is content and not their name; passwords are not read.
_WITH_TEXT = frozenset({"text", "entry", "terminal", "paragraph", "document text", "spin button"})


@dataclass
class _Object:
    """A node while it is being read."""

    name: str
    path: str
    fields: dict[str, object] = field(default_factory=dict)
    children: list["_Object"] = field(default_factory=list)

    def node(self) -> AccessibleNode:
        return AccessibleNode(**self.fields, children=[child.node() for child in self.children if child.fields])


class Walk:
    """Reads the tree level by level, each level's objects at the same time, until it is whole or large enough."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._room = MOST_NODES
        self.is_cut = False
        self._slots = anyio.CapacityLimiter(_AT_ONCE)

    async def applications(self) -> list[AccessibleNode]:
        (found,) = await self._bus.call(_REGISTRY, _ROOT, _ACCESSIBLE, "GetChildren")
        top = [_Object(name, path) for name, path in found]
        level: Sequence[_Object] = top
        while level:
            level = level[: self._room]
            self._room -= len(level)
            async with anyio.create_task_group() as tasks:
                for one in level:
                    tasks.start_soon(self._read, one)
            level = [child for one in level for child in one.children]
            if level and self._room <= 0:
                self.is_cut = True
                break
        return [one.node() for one in top if one.fields]

    async def _read(self, one: _Object) -> None:
        """What an object says of itself; one that has gone meanwhile is left out."""
        async with self._slots:
            try:
                (role,) = await self._ask(one, "GetRoleName")
                (properties,) = await self._bus.call(
                    one.name, one.path, "org.freedesktop.DBus.Properties", "GetAll", "s", (_ACCESSIBLE,)
                )
                (states,) = await self._ask(one, "GetState")
                (children,) = await self._ask(one, "GetChildren")
            except (BusError, ValueError):
                return
            one.fields = {
                "role": role,
                "name": _value(properties, "Name"),
                "description": _value(properties, "Description") or None,
                "states": state_names(states),
                "bounds": await self._bounds(one),
                "text": await self._text(one) if role in _WITH_TEXT else None,
            }
            one.children = [_Object(name, path) for name, path in children if path != "/org/a11y/atspi/null"]

    async def _ask(self, one: _Object, method: str) -> tuple[Any, ...]:
        return await self._bus.call(one.name, one.path, _ACCESSIBLE, method)

    async def _bounds(self, one: _Object) -> Bounds | None:
        try:
            ((x, y, width, height),) = await self._bus.call(
                one.name, one.path, "org.a11y.atspi.Component", "GetExtents", "u", (_SCREEN,)
            )
        except (BusError, ValueError):
            return None
        return Bounds(x=x, y=y, width=width, height=height) if width > 0 and height > 0 else None

    async def _text(self, one: _Object) -> str | None:
        try:
            (text,) = await self._bus.call(
                one.name, one.path, "org.a11y.atspi.Text", "GetText", "ii", (0, _LONGEST_TEXT)
            )
        except (BusError, ValueError):
            return None
        return str(text) or None


def _value(properties: dict[str, tuple[str, Any]], name: str) -> str:
    return str(properties[name][1]) if name in properties else ""
