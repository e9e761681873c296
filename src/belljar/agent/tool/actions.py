"""What `interact` can do: its sub-actions, as they are asked for."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_CHARS = 65_536
MAX_TIMEOUT_MS = 600_000
WaitUntil = Literal["load", "domcontentloaded", "networkidle"]
Selector = Annotated[str, Field(min_length=1, max_length=10_000)]
Milliseconds = Annotated[int, Field(ge=1, le=MAX_TIMEOUT_MS)]
Chars = Annotated[int, Field(ge=1, le=10_000_000)]
Address = Annotated[str, Field(min_length=1, max_length=2_000_000)]
OutPath = Annotated[str, Field(min_length=1, max_length=4096)]


class _Asked(BaseModel):
    """A field that is misspelt would silently do nothing: it is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Goto(_Asked):
    action: Literal["goto"]
    url: Address
    wait_until: WaitUntil | None = None


class _Guarded(_Asked):
    """Acts on an element, once an overlay is gone where one is named."""

    selector: Selector
    wait_for_hidden: Selector | None = None
    # min(5000, timeout_ms) where absent.
    wait_for_hidden_ms: Milliseconds | None = None


class Click(_Guarded):
    action: Literal["click"]
    force: bool = False


class DblClick(_Guarded):
    action: Literal["dblclick"]
    force: bool = False


class Fill(_Guarded):
    action: Literal["fill"]
    text: str = Field(max_length=1_000_000)


class ExtractText(_Asked):
    action: Literal["extract_text"]
    selector: Selector | None = None
    max_chars: Chars | None = None


class WaitForSelector(_Asked):
    action: Literal["wait_for_selector"]
    selector: Selector
    state: Literal["visible", "hidden", "attached", "detached"] = "visible"
    timeout_ms: Milliseconds | None = None


class Screenshot(_Asked):
    action: Literal["screenshot"]
    out_path: OutPath | None = None


class Sleep(_Asked):
    action: Literal["sleep"]
    ms: int = Field(ge=0, le=MAX_TIMEOUT_MS)


Action = Annotated[
    Goto | Click | DblClick | Fill | ExtractText | WaitForSelector | Screenshot | Sleep,
    Field(discriminator="action"),
]
ACTION_NAMES = ("goto", "click", "dblclick", "fill", "extract_text", "wait_for_selector", "screenshot", "sleep")
