"""The keyboard, by XTEST: keys, combinations, and any text."""

import time
from collections.abc import Iterator, Sequence

import anyio
from anyio.abc import TaskGroup

from belljar.box.desktop.display_access import Reach
from belljar.box.desktop.input.keymap import Keymap, Stroke
from belljar.box.desktop.input.keys import (
    UnknownKey,
    keycode_of_number,
    keysym_of_key,
    keysyms_of_text,
    parse_combination,
)
from belljar.box.display import Connection, DisplayError
from belljar.box.display.x11 import xtest
from belljar.box.display.x11.protocol import X, request
from belljar.problems.box import DesktopInputFailed, DesktopInvalidAction
from belljar.wire.desktop import KeyModifiers

# Keys sent between two looks at whether the server keeps up, when there is no pause between keys.
_BATCH = 50
# Programs fetch the new map when they are told that it changed; a key pressed earlier may come out empty.
_SETTLE = 0.03
# What a program may need for one press or release, a terminal on a busy machine; and for all that waits for it.
_READING = 0.001
_LONGEST_READING = 3.0
# How long bound keycodes stay after the last key: a slow program looks the key up only when it gets to it.
_KEEP_BOUND = 2.0
_CAPS_LOCK = 0xFFE5
_MODIFIERS = (("ctrl", "Control_L"), ("shift", "Shift_L"), ("alt", "Alt_L"), ("cmd", "Super_L"))


class Keyboard:
    """One keyboard; calls take turns, so that one caller's Shift does not fall into another's text."""

    def __init__(self, reach: Reach, tasks: TaskGroup) -> None:
        self._reach = reach
        self._tasks = tasks
        self._turn = anyio.Lock()
        self._hands: _Hands | None = None
        # Grows with every use: who wants to restore the map looks whether anybody came after.
        self._uses = 0

    async def press(self, key: str, modifiers: KeyModifiers | None) -> None:
        keys = _parse(key, modifiers)
        async with self._turn, self._reach.connection(DesktopInputFailed) as server:
            hands = self._of(server)
            strokes = await hands.strokes(keys)
            await hands.play(_chord(strokes))
            self._restore_later(hands)

    async def down(self, key: str | int) -> None:
        """`key` is a name, or an X keysym."""
        keys = _parse(key, None)
        async with self._turn, self._reach.connection(DesktopInputFailed) as server:
            hands = self._of(server)
            strokes = _with_shift(await hands.strokes(keys))
            hands.held.update(stroke.keycode for stroke in strokes)
            await hands.play([(True, stroke.keycode) for stroke in strokes])

    async def up(self, key: str | int) -> None:
        keys = _parse(key, None)
        async with self._turn, self._reach.connection(DesktopInputFailed) as server:
            hands = self._of(server)
            strokes = _with_shift(await hands.strokes(keys))
            await hands.play([(False, stroke.keycode) for stroke in reversed(strokes)])
            hands.held.difference_update(stroke.keycode for stroke in strokes)
            self._restore_later(hands)

    async def type(self, text: str, delay: float) -> None:
        """Type `text`, with `delay` seconds between two keys."""
        if not text:
            raise DesktopInvalidAction("text must not be empty.")
        try:
            keysyms = list(keysyms_of_text(text))
        except UnknownKey as error:
            raise DesktopInvalidAction(f"The text cannot be typed: {error}.") from error
        async with self._turn, self._reach.connection(DesktopInputFailed) as server:
            hands = self._of(server)
            try:
                await hands.type(keysyms, delay)
            finally:
                self._restore_later(hands)

    def _of(self, server: Connection) -> "_Hands":
        if self._hands is None or self._hands.server is not server:
            self._hands = _Hands(server)
        self._uses += 1
        return self._hands

    def _restore_later(self, hands: "_Hands") -> None:
        if hands.keymap.has_bindings and not hands.restores:
            hands.restores = True
            self._tasks.start_soon(self._restore, hands, name="keyboard map")

    async def _restore(self, hands: "_Hands") -> None:
        """Give spare keycodes back once nobody has typed for a while."""
        uses = -1
        while uses != self._uses:
            uses = self._uses
            await anyio.sleep(_KEEP_BOUND)
            await hands.until_read()
        async with self._turn:
            hands.restores = False
            try:
                await hands.keymap.restore(hands.held)
            except DisplayError:
                # The keyboard went with its display.
                return


class _Hands:
    """The keyboard of one connection: its map, and what is held down on it."""

    def __init__(self, server: Connection) -> None:
        self.server = server
        self.keymap = Keymap(server)
        self.held: set[int] = set()
        self.restores = False
        # When programs will have read, by our estimate, all that was typed.
        self._read_by = 0.0

    async def strokes(self, keys: Sequence[int | Stroke]) -> list[Stroke]:
        """How to press `keys`, which are few; what the keyboard lacks is bound first."""
        await self.keymap.refresh()
        _, group = await self._state()
        await self._bind([key for key in keys if isinstance(key, int)], group)
        found = [key if isinstance(key, Stroke) else self.keymap.find(key, group) for key in keys]
        return [stroke for stroke in found if stroke is not None]

    async def type(self, keysyms: Sequence[int], delay: float) -> None:
        await self.keymap.refresh()
        has_caps_lock, group = await self._state()
        lock = _chord([stroke]) if has_caps_lock and (stroke := self.keymap.find(_CAPS_LOCK, group)) else []
        await self.play(lock)
        try:
            await self._type(keysyms, delay, group)
        finally:
            # Sent before anything is awaited, so it is done even when the caller has gone.
            await self.play(lock)

    async def _type(self, keysyms: Sequence[int], delay: float, group: int) -> None:
        batch = _BATCH if delay == 0 else 1
        for stretch in self._stretches(keysyms, group):
            await self._bind(stretch, group)
            for start in range(0, len(stretch), batch):
                strokes = [self.keymap.find(keysym, group) for keysym in stretch[start : start + batch]]
                await self.play([step for stroke in strokes if stroke for step in _chord([stroke])])
                if delay:
                    await anyio.sleep(delay)

    async def play(self, steps: Sequence[tuple[bool, int]]) -> None:
        """Press (True) and release keycodes.  All are sent before anything is awaited: nothing can stay half done."""
        if not steps:
            return
        opcode = (await self.server.extension(xtest.EXTENSION)).opcode
        packed = [
            xtest.fake_input(opcode, xtest.KEY_PRESS if down else xtest.KEY_RELEASE, code) for down, code in steps
        ]
        await self.server.sync([self.server.post_packed(packed)])
        now = time.monotonic()
        self._read_by = min(max(self._read_by, now) + len(steps) * _READING, now + _LONGEST_READING)

    async def _state(self) -> tuple[bool, int]:
        """Whether Caps Lock is on, and which of the keyboard's groups is in force."""
        pointer = await self.server.ask(request.QueryPointer, window=self.server.root)
        return bool(pointer.mask & X.LockMask), min((pointer.mask >> 13) & 3, 1)

    async def until_read(self) -> None:
        """Let programs get to the end of what was typed, as far as can be known."""
        unread = self._read_by - time.monotonic()
        if unread > 0:
            await anyio.sleep(unread)

    async def _bind(self, keysyms: Sequence[int], group: int) -> None:
        """See that the keyboard has `keysyms`.

        A program looks a key up when it gets to it, in the map as it then is.  So the map may only change when what
        was typed before has been read, and the next key only follow when programs had time to fetch the new map.
        """
        missing = [keysym for keysym in dict.fromkeys(keysyms) if self.keymap.find(keysym, group) is None]
        if not missing:
            return
        await self.until_read()
        try:
            await self.keymap.bind(missing, self.held)
        except LookupError as error:
            raise DesktopInputFailed("The keyboard has no spare key left for this character.") from error
        await anyio.sleep(_SETTLE)

    def _stretches(self, keysyms: Sequence[int], group: int) -> Iterator[Sequence[int]]:
        """The text in pieces, each with no more foreign characters than there are places for."""
        room = max(1, self.keymap.room - 2 * len(self.held))
        foreign: set[int] = set()
        start = 0
        for position, keysym in enumerate(keysyms):
            if self.keymap.is_bound(keysym) or self.keymap.find(keysym, group) is None:
                foreign.add(keysym)
            if len(foreign) > room:
                yield keysyms[start:position]
                start, foreign = position, {keysym}
        yield keysyms[start:]


def _parse(key: str | int, modifiers: KeyModifiers | None) -> list[int | Stroke]:
    if isinstance(key, int):
        return [key]
    try:
        parts = parse_combination(key)
        keys: list[int | Stroke] = [
            Stroke(code) if (code := keycode_of_number(part)) else keysym_of_key(part) for part in parts
        ]
    except UnknownKey as error:
        raise DesktopInvalidAction(f"{str(error)[0].upper()}{str(error)[1:]}.") from error
    wanted = [keysym_of_key(name) for field, name in _MODIFIERS if modifiers and getattr(modifiers, field)]
    return [keysym for keysym in wanted if keysym not in keys] + keys


def _with_shift(strokes: Sequence[Stroke]) -> list[Stroke]:
    """`strokes` with the Shift key before the first that needs it, unless it is among them."""
    needs = next((i for i, stroke in enumerate(strokes) if stroke.shift), None)
    if needs is None or any(stroke.keycode == strokes[needs].shift for stroke in strokes[:needs]):
        return list(strokes)
    return [*strokes[:needs], Stroke(strokes[needs].shift), *strokes[needs:]]


def _chord(strokes: Sequence[Stroke]) -> list[tuple[bool, int]]:
    """Down in order, up in reverse."""
    codes = [stroke.keycode for stroke in _with_shift(strokes)]
    return [(True, code) for code in codes] + [(False, code) for code in reversed(codes)]
