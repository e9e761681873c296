"""Python's values as the wire has them, and back: choices, encodings, frames of the live view."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel

from belljar.wire.base import camel
from belljar.wire.live import FRAME_HEADER, FrameViewport

Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "Meta", "Shift"]
WaitUntil = Literal["load", "domcontentloaded", "networkidle"]
WaitState = Literal["visible", "hidden", "attached", "detached", "domcontentloaded", "load", "networkidle"]
ImageFormat = Literal["png", "jpeg", "webp"]
PaperFormat = Literal["a4", "letter", "legal"]
MarkdownMode = Literal["auto", "article", "page"]
ConsoleLevel = Literal["log", "warn", "error", "info", "debug"]
Extract = Literal["markdown", "html", "text", "links"]
RecordingSource = Literal["display", "tab"]
ColorScheme = Literal["light", "dark", "no-preference"]
VideoCodec = Literal["vp8", "vp9", "h264"]
AudioCodec = Literal["none", "opus", "g722"]
Owner = Literal["user", "desktop", "system"]
RestartPolicy = Literal["never", "always", "on-failure"]
LogStream = Literal["stdout", "stderr", "combined", "pty"]
Selection = Literal["clipboard", "primary"]
ClipboardFormat = Literal["text", "png"]
Decision = Literal["allow", "deny"]
PermissionDecision = Literal["once", "site", "deny"]
TokenRole = Literal["drive", "view"]
KeyRole = Literal["user", "admin"]
UsageGroup = Literal["user", "day", "tag", "session"]
SignInKind = Literal["browser", "app"]
ExportFormat = Literal["jsonl", "har", "playwright", "markdown", "zip"]
DeliveryState = Literal["pending", "delivered", "dead"]
SessionMode = Literal["browser", "desktop", "none"]
SessionState = Literal["pending", "starting", "running", "stopping", "stopped", "failed"]
MouseAction = Literal["move", "down", "up", "wheel"]
LiveButton = Literal["none", "left", "middle", "right", "back", "forward"]
ControlMoment = Literal["person", "free"]
RecordLevel = Literal["none", "actions", "content"]
FilmMode = Literal["off", "on_failure", "on"]
EventKind = Literal[
    "call", "cdp", "input", "control", "nav", "tab", "dialog", "download", "upload", "console", "network", "egress",
    "process", "viewer", "film", "screen", "mark", "ask", "system",
]  # fmt: skip
ActorKind = Literal["agent", "viewer", "operator", "page", "system"]
KeyAction = Literal["keydown", "keyup", "char", "compose"]


# No call of the browser may take longer than this.
LONGEST_SECONDS = 600


def body(**given: object) -> dict[str, object]:
    """Names in camelCase; None is left out."""
    return {camel(name.rstrip("_")): plain(value) for name, value in given.items() if value is not None}


def as_body(given: BaseModel | Mapping[str, object]) -> dict[str, object]:
    """What is sent as it is, whole."""
    if isinstance(given, BaseModel):
        return given.model_dump(mode="json", by_alias=True, exclude_none=True)
    return {name: plain(value) for name, value in given.items()}


def joined(words: Sequence[str] | None) -> str | None:
    """As a query has several words."""
    return None if words is None else ",".join(words)


def asked_of(tab_id: str | None, timeout: float | None, **given: object) -> dict[str, object]:
    """As `body`, for a call that is about a tab and has a deadline."""
    return body(tab_id=tab_id, timeout=deadline_ms(timeout), **given)


def spelled(query: Mapping[str, object] | None) -> dict[str, str | list[str]] | None:
    """As an address has it: booleans in small letters, nothing for None."""
    if query is None:
        return None
    return {
        name: [_word(one) for one in value] if isinstance(value, (list, tuple)) else _word(value)
        for name, value in query.items()
    }


def _word(value: object) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def ms(seconds: float | None) -> int | None:
    """Timeouts are seconds in Python and milliseconds on the wire."""
    return None if seconds is None else max(0, round(seconds * 1000))


def deadline_ms(seconds: float | None) -> int | None:
    """As `ms`, for what a call may take.  Raises `ValueError` for what can only be meant as milliseconds."""
    if seconds is not None and seconds > LONGEST_SECONDS:
        raise ValueError(
            f"timeout={seconds:g} is more than the {LONGEST_SECONDS} seconds there can be. It is in seconds: "
            f"did you mean timeout={seconds / 1000:g}?"
        )
    return ms(seconds)


def plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, Mapping):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return value


@dataclass(frozen=True)
class LiveFrame:
    """A picture of what is shown: a JPEG, and what of the page it shows."""

    jpeg: bytes = field(repr=False)
    viewport: FrameViewport
    # Milliseconds since 1970.
    timestamp: float
    is_small: bool


def read_frame(message: bytes) -> LiveFrame:
    _, flags, width, height, ratio, timestamp = FRAME_HEADER.unpack_from(message)
    viewport = FrameViewport(w=width, h=height, dpr=ratio / 100)
    return LiveFrame(message[FRAME_HEADER.size :], viewport, timestamp, bool(flags & 1))
