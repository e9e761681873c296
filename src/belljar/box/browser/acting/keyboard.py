"""The keyboard: keys struck with all that a page can see of them, and text that no key types."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice

import anyio
import msgspec

from belljar.box.browser.acting.layout import ALT, CONTROL, META, SHIFT, TYPED, Key, find_key, parse_chord, shifted
from belljar.box.browser.cdp import Session
from belljar.box.browser.cdp.session import PendingCommand, all_answered

# Characters sent before their answers are waited for.
AT_ONCE = 64
_SHIFT = find_key("Shift")
Strokes = list[PendingCommand]


def check(chord: str) -> None:
    """Raise `InvalidRequest` for what is no key."""
    parse_chord(chord)


async def press(session: Session, chord: str) -> None:
    """Strike a key, its modifiers held: `Enter`, `Control+a`."""
    held, key = parse_chord(chord)
    modifiers = 0
    posted: Strokes = []
    for modifier in held:
        modifiers |= modifier.modifier
        posted.append(down(session, modifier, modifiers))
    posted += strike(session, shifted(key) if modifiers & SHIFT else key, modifiers)
    for modifier in reversed(held):
        modifiers &= ~modifier.modifier
        posted.append(up(session, modifier, modifiers))
    await all_answered(posted)


async def insert_text(session: Session, text: str) -> None:
    """Put a text where the caret is, in place of what is selected, at once and without keys, as by an input method."""
    await session.send("Input.insertText", text=text)


async def type_text(session: Session, text: str, *, delay: float = 0.0) -> None:
    """Type: keys for what keys can type, the rest inserted as by an input method; newline is Enter, tab is Tab."""
    strokes = iter(_strokes(session, text.replace("\r\n", "\n")))
    if delay > 0:
        for stroke in strokes:
            await all_answered(stroke())
            await anyio.sleep(delay)
        return
    while batch := list(islice(strokes, AT_ONCE)):
        with session.connection.together():
            posted = [one for stroke in batch for one in stroke()]
        await all_answered(posted)


def _strokes(session: Session, text: str) -> Iterator[Callable[[], Strokes]]:
    """One thing to post for each character; neighbours that no key types go together, as composed characters must."""
    pending = ""
    for char in text:
        key = TYPED.get(char)
        if key is None:
            pending += char
            continue
        if pending:
            yield _inserting(session, pending)
            pending = ""
        yield _striking(session, key)
    if pending:
        yield _inserting(session, pending)


def _inserting(session: Session, text: str) -> Callable[[], Strokes]:
    return lambda: [session.post("Input.insertText", text=text)]


def _striking(session: Session, key: Key) -> Callable[[], Strokes]:
    return lambda: _typed(session, key)


def _typed(session: Session, key: Key) -> Strokes:
    if not key.needs_shift:
        return strike(session, key, 0)
    assert _SHIFT is not None
    return [down(session, _SHIFT, SHIFT), *strike(session, key, SHIFT), up(session, _SHIFT, 0)]


def strike(session: Session, key: Key, modifiers: int) -> Strokes:
    return [down(session, key, modifiers | key.modifier), up(session, key, modifiers)]


def down(session: Session, key: Key, modifiers: int) -> PendingCommand:
    return session.post_encoded("Input.dispatchKeyEvent", _down(key, modifiers))


def up(session: Session, key: Key, modifiers: int) -> PendingCommand:
    return session.post_encoded("Input.dispatchKeyEvent", _up(key, modifiers))


# A text strikes few keys often: what is sent for one is made once.
@lru_cache(1024)
def _down(key: Key, modifiers: int) -> msgspec.Raw:
    # A shortcut types nothing.
    text = "" if modifiers & (ALT | CONTROL | META) else key.text
    kind = "keyDown" if text else "rawKeyDown"
    return _encoded({"type": kind, "text": text, "unmodifiedText": text, **_about(key, modifiers)})


@lru_cache(1024)
def _up(key: Key, modifiers: int) -> msgspec.Raw:
    return _encoded({"type": "keyUp", **_about(key, modifiers)})


def _encoded(params: dict[str, object]) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(params))


def _about(key: Key, modifiers: int) -> dict[str, object]:
    return {
        "modifiers": modifiers,
        "code": key.code,
        "key": key.key,
        "windowsVirtualKeyCode": key.key_code,
        "nativeVirtualKeyCode": key.key_code,
        "location": key.location,
        "isKeypad": key.location == 3,
    }
