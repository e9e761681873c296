"""Which keycode gives which keysym, and spare keycodes for keysyms that the keyboard lacks."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from belljar.box.display import Connection
from belljar.box.display.x11.keysyms import NO_SYMBOL, SHIFT_L
from belljar.box.display.x11.protocol import X, request

_GROUPS_IN_CORE_MAP = 2
# Media and launcher keys: nobody misses them for a moment, and they are many.
_VENDOR_KEYSYMS = range(0x10080000, 0x10090000)

Row = tuple[int, ...]


@dataclass(frozen=True)
class Stroke:
    """A key to press, and the Shift key to hold meanwhile where one is needed."""

    keycode: int
    shift: int = 0


class Keymap:
    """The keyboard of one connection.  Read when first needed, and again when somebody changed it."""

    def __init__(self, server: Connection) -> None:
        self._server = server
        self._rows: dict[int, Row] = {}
        self._strokes: dict[tuple[int, int], Stroke] = {}
        # Places for keysyms, as keycode and level (1: with Shift), those to be used first at the end.
        self._free: list[tuple[int, int]] = []
        # Keysyms we have bound, the longest unused first.
        self._bound: OrderedDict[int, tuple[int, int]] = OrderedDict()
        # What the keycodes we use had before.
        self._before: dict[int, Row] = {}
        self.shift = 0
        self._is_stale = True
        # Keycodes we have changed: that we are told of their changes means nothing.
        self._ours: set[int] = set()
        server.listen(self._on_event)

    @property
    def has_bindings(self) -> bool:
        return bool(self._bound)

    @property
    def room(self) -> int:
        """How many keysyms can be bound at once."""
        return len(self._free) + len(self._bound)

    async def refresh(self) -> None:
        """Read the map where it may have changed.  Bindings that are not in it any more are forgotten."""
        if not self._is_stale:
            return
        self._is_stale = False
        setup = self._server.setup
        first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
        mapping, modifiers = await self._server.gather(
            [
                self._server.asking(request.GetKeyboardMapping, first_keycode=first, count=count),
                self._server.asking(request.GetModifierMapping),
            ]
        )
        rows = {first + index: tuple(row) for index, row in enumerate(mapping.keysyms)}
        for code in [code for code in self._before if rows[code][:2] != self._row(code)[:2]]:
            del self._before[code]
            self._bound = OrderedDict((k, place) for k, place in self._bound.items() if place[0] != code)
        # Under a binding of ours the keycode is what it was before.
        self._rows = rows | self._before
        taken = {code for codes in modifiers.keycodes for code in codes}
        used = set(self._bound.values())
        places = _places({code: row for code, row in self._rows.items() if code not in taken})
        self._free = [place for place in places if place not in used]
        self.shift = next((code for code, row in self._rows.items() if row[:1] == (SHIFT_L,)), 0)
        self._strokes = {}
        for code, row in reversed(self._rows.items()):
            self._learn(code, row)

    def find(self, keysym: int, group: int) -> Stroke | None:
        """How to get `keysym` while the keyboard is in `group`; None where it has to be bound first."""
        if keysym in self._bound:
            self._bound.move_to_end(keysym)
            code, level = self._bound[keysym]
            return Stroke(code, self.shift if level else 0)
        stroke = self._strokes.get((group, keysym))
        return None if stroke is None or stroke.keycode in self._before else stroke

    def is_bound(self, keysym: int) -> bool:
        return keysym in self._bound

    async def bind(self, keysyms: Sequence[int], held: set[int]) -> None:
        """Give `keysyms` places, the longest unused ones making way, but none on the keycodes in `held`.

        Raises `LookupError` when no place is left.  Programs need a moment to take note.
        """
        for keysym in keysyms:
            self._bound[keysym] = self._take_place(held)
        codes = {self._bound[keysym][0] for keysym in keysyms}
        self._before |= {code: self._rows[code] for code in codes if code not in self._before}
        await self._change({code: self._row(code) for code in codes})

    async def restore(self, held: set[int]) -> None:
        """Give the keycodes back as they were, but for those in `held`."""
        codes = self._before.keys() - held
        for keysym in [keysym for keysym, place in self._bound.items() if place[0] in codes]:
            self._free.append(self._bound.pop(keysym))
        await self._change({code: self._before.pop(code) for code in codes})

    def _take_place(self, held: set[int]) -> tuple[int, int]:
        for index in range(len(self._free) - 1, -1, -1):
            if self._free[index][0] not in held:
                return self._free.pop(index)
        for keysym, place in self._bound.items():
            if place[0] not in held:
                del self._bound[keysym]
                return place
        raise LookupError("no place is left")

    def _row(self, code: int) -> Row:
        """What a keycode of ours gives: the same in both groups, so it comes out whichever is in force."""
        levels = [NO_SYMBOL, NO_SYMBOL]
        for keysym, place in self._bound.items():
            if place[0] == code:
                levels[place[1]] = keysym
        plain, shifted = levels[0] or levels[1], levels[1] or levels[0]
        return (plain, shifted) * _GROUPS_IN_CORE_MAP

    async def _change(self, rows: dict[int, Row]) -> None:
        """Write `rows`, neighbours in one request: every request makes every program read the map again."""
        self._ours |= rows.keys()
        width = max((len(row) for row in rows.values()), default=0)
        runs: list[list[int]] = []
        for code in sorted(rows):
            if runs and runs[-1][-1] == code - 1:
                runs[-1].append(code)
            else:
                runs.append([code])
        for run in runs:
            keysyms = [rows[code] + (NO_SYMBOL,) * (width - len(rows[code])) for code in run]
            self._server.post(request.ChangeKeyboardMapping, first_keycode=run[0], keysyms=keysyms)
        await self._server.sync()

    def _learn(self, code: int, row: Row) -> None:
        for group in range(_GROUPS_IN_CORE_MAP):
            plain, shifted = _levels(row, group)
            if shifted:
                self._strokes[group, shifted] = Stroke(code, self.shift)
            if plain:
                self._strokes[group, plain] = Stroke(code)

    def _on_event(self, happened: Any) -> None:
        if happened.type != X.MappingNotify or happened.request != X.MappingKeyboard:
            return
        if not self._ours.issuperset(range(happened.first_keycode, happened.first_keycode + happened.count)):
            self._is_stale = True


def _places(rows: dict[int, Row]) -> list[tuple[int, int]]:
    """Where keysyms can be put: empty keycodes before vendors' ones, without Shift before with it."""
    empty = [code for code, row in rows.items() if not any(row)]
    vendors = [code for code, row in rows.items() if any(row) and all(k in _VENDOR_KEYSYMS for k in row if k)]
    codes = empty + vendors
    return [(code, level) for level in (1, 0) for code in reversed(codes)]


def _levels(row: Row, group: int) -> tuple[int, int]:
    """What a key gives without and with Shift; one that has a single group gives it in all of them."""
    cells = row + (NO_SYMBOL,) * (2 * _GROUPS_IN_CORE_MAP - len(row))
    plain, shifted = cells[2 * group : 2 * group + 2]
    if not plain and not shifted:
        plain, shifted = cells[:2]
    return plain, shifted or _upper(plain)


def _upper(keysym: int) -> int:
    """A key with a lower-case letter alone gives the capital with Shift."""
    if 0x61 <= keysym <= 0x7A or (0xE0 <= keysym <= 0xFE and keysym != 0xF7):
        return keysym - 0x20
    return NO_SYMBOL
