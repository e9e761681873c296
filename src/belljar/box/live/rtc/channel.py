"""What goes over a viewer's data channel: input as Neko's clients send it, and what they are told of the pointer.

A message is an opcode, the length of what follows, and that.  Clients of Neko's third version count in big-endian and
have keys of four bytes, those of its second in little-endian with keys of eight, in which numbers below eight are
buttons.  The length says which it is.
"""

import struct
from dataclasses import dataclass

_MOVE, _SCROLL, _KEY_DOWN, _KEY_UP, _BUTTON_DOWN, _BUTTON_UP, _PING = range(1, 8)
_PONG = 3
_UNICODE = 0x01000000
_LATIN = range(0xA0, 0x100)
_MOST_KEYSYM = 0x0110FFFF
_CONTROL = 0xFFE3
# Neko splits times of 64 bits by this.
_SPLIT = 0xFFFFFFFF


@dataclass(frozen=True)
class Move:
    x: int
    y: int


@dataclass(frozen=True)
class Scroll:
    """As sent: which direction is which differs among clients."""

    x: int
    y: int


@dataclass(frozen=True)
class Key:
    keysym: int
    is_down: bool


@dataclass(frozen=True)
class Button:
    """1 left, 2 middle, 3 right."""

    number: int
    is_down: bool


@dataclass(frozen=True)
class Ping:
    """`sent` is the client's clock, to be sent back as it came."""

    sent: bytes


ChannelInput = Move | Scroll | Key | Button | Ping


def read_message(data: bytes) -> ChannelInput | None:
    """What a message means; None for one that means nothing."""
    order = _order_of(data)
    if order is None:
        return None
    match data[0], data[3:]:
        case (1, body) if len(body) == 4:
            return Move(*struct.unpack(f"{order}HH", body))
        case (2, body) if len(body) in (4, 5):
            return Scroll(*struct.unpack(f"{order}hh", body[:4]))
        case (3 | 4 as code, body) if len(body) in (4, 8):
            number = struct.unpack(f"{order}{'I' if len(body) == 4 else 'Q'}", body)[0]
            return _key_or_button(number, is_down=code == _KEY_DOWN, is_old=order == "<")
        case (5 | 6 as code, body) if len(body) == 4:
            return Button(struct.unpack(f"{order}I", body)[0], code == _BUTTON_DOWN)
        case (7, body) if len(body) == 8:
            return Ping(body)
    return None


def _order_of(data: bytes) -> str | None:
    if len(data) < 3:
        return None
    for order in (">", "<"):
        if struct.unpack(f"{order}H", data[1:3])[0] == len(data) - 3:
            return order
    return None


def _key_or_button(number: int, *, is_down: bool, is_old: bool) -> Key | Button | None:
    if is_old and 0 < number < 8:
        return Button(number, is_down)
    if not 0 < number <= _MOST_KEYSYM:
        return None
    # A Latin letter has a keysym of its own; clients may name it by its code point.
    is_latin = number - _UNICODE in _LATIN
    return Key(number - _UNICODE if is_latin else number, is_down)


def shortcut(event: str) -> list[Key]:
    """The keys of one of Neko's messages for what people do with Control."""
    letter = ord({"control/cut": "x", "control/copy": "c", "control/paste": "v", "control/select_all": "a"}[event])
    pressed = [Key(_CONTROL, True), Key(letter, True)]
    return [*pressed, Key(letter, False), Key(_CONTROL, False)]


def pong(ping: Ping, milliseconds: int) -> bytes:
    """The answer: the client's clock, and ours."""
    high, low = divmod(milliseconds, _SPLIT)
    return struct.pack(">BH", _PONG, 19) + ping.sent + struct.pack(">II", high, low)
