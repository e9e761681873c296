"""Events in words that people read: one line each, whatever a page has put into them."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from belljar.record.segments import Event
from belljar.wire.record import EventKind

MAX_WORDS = 200
_LAST = 253_402_300_000_000_000
# What would begin another line, or hide what a line says: control characters, marks that turn a text's direction.
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def moment(t: int) -> datetime:
    """Microseconds since 1970; what lies beyond all calendars is at their end."""
    return datetime.fromtimestamp(min(max(t, 0), _LAST) / 1e6, UTC)


def plain(text: str, most: int = MAX_WORDS) -> str:
    """On one line, and no longer than that."""
    text = _UNSEEN.sub(" ", text)
    return text if len(text) <= most else text[: most - 1] + "…"


def shown(value: object) -> str:
    """A value of an event's data; of what was not recorded, how much it was."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        if set(value) <= {"length", "extension", "type"} and "length" in value:
            extension = value.get("extension")
            unit = {"array": "items", "object": "fields"}.get(str(value.get("type")), "characters")
            return f"‹{value['length']} {unit}{f', .{extension}' if extension else ''}, not recorded›"
        return plain("{" + ", ".join(f"{name}: {shown(one)}" for name, one in value.items()) + "}")
    if isinstance(value, (list, tuple)):
        return plain("[" + ", ".join(shown(one) for one in value) + "]")
    if isinstance(value, bool):
        return "true" if value else "false"
    return plain(str(value))


def arguments(data: Mapping[str, object]) -> str:
    return ", ".join(f"{plain(str(name), 64)}={shown(value)}" for name, value in data.items() if value is not None)


def who(event: Event) -> str:
    actor = event.actor
    by = actor.kind if actor.via in ("none", "") else f"{actor.kind} by {actor.via}"
    return plain(f"{by} ({actor.id})" if actor.id else by, 80)


def title_of(event: Event) -> str:
    """What somebody did, on one line."""
    name = event.name.rpartition(".")[0] if event.kind == EventKind.CALL else f"{event.kind} {event.name}"
    target = next((event.data[one] for one in ("selector", "url", "mark", "key", "text") if one in event.data), None)
    words = plain(name, 80) if target is None else f"{plain(name, 80)} {shown(target)}"
    return words if event.actor.kind == "agent" else f"{who(event)}: {words}"
