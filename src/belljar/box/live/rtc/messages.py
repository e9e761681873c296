"""What Neko's clients send over the signalling socket, read: any text at all, from anybody with a token."""

from typing import Any

import msgspec

from belljar.box.live.rtc.channel import Button, Key, Move, Scroll
from belljar.limits import TooDeep, check_json_depth

Payload = dict[str, Any]


def read_text(text: str) -> tuple[str, Payload]:
    """The event and its payload; an event of no name for what is no message."""
    try:
        message = msgspec.json.decode(text)
        check_json_depth(message)
    except (msgspec.DecodeError, UnicodeError, TooDeep, RecursionError):
        return "", {}
    event = message.get("event") if isinstance(message, dict) else None
    payload = message.get("payload") if isinstance(message, dict) else None
    return event if isinstance(event, str) else "", payload if isinstance(payload, dict) else {}


def input_in(event: str, payload: Payload) -> list[Move | Scroll | Key | Button]:
    """Input as messages: what clients send that have no control, or no channel."""

    def number(name: str, most: int) -> int | None:
        value = payload.get(name)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= most
        return round(value) if is_number else None  # type: ignore[arg-type]

    x, y = number("x", 65535), number("y", 65535)
    made: list[Move | Scroll | Key | Button] = []
    action = event.removeprefix("control/")
    if action == "scroll":
        across, down = number("delta_x", 10_000), number("delta_y", 10_000)
        return [Scroll(across or 0, down or 0)]
    if x is not None and y is not None and min(x, y) >= 0:
        made.append(Move(x, y))
    key, button = number("keysym", 0x0110FFFF), number("code", 7)
    for kind, value in ((Key, key), (Button, button)):
        prefix = "key" if kind is Key else "button"
        if value is not None and value > 0 and action in (f"{prefix}press", f"{prefix}down", f"{prefix}up"):
            made += [kind(value, True)] if not action.endswith("up") else []
            made += [kind(value, False)] if not action.endswith("down") else []
    return made
