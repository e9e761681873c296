"""One call of the tool, read from its parameters and the environment; what is not understood is refused."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from belljar.agent.tool.failure import ToolFailure
from belljar.settings import Settings, Several
from belljar.state import default_state_dir
from belljar.wire.isolation import JailMode


class ToolSettings(Settings):
    """The variables `BELLJAR_<NAME>`."""

    url: str | None = Field(None, description="A running box, or a session; without it each call starts a box.")
    token: str | None = Field(None, repr=False, description="The token of that box.")
    state_dir: Path = Field(default_factory=default_state_dir, description="Where profiles are kept.")
    jail: JailMode = Field(JailMode.AUTO, description="Of a box that a call starts.")
    egress: str = Field("public", description="The network policy of a box that a call starts.")
    allow: Several = Field((), description="What is allowed beside it.")


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


Operation = Literal["navigate", "extract_text", "click", "screenshot", "close", "interact"]
OPERATIONS: tuple[str, ...] = get_args(Operation)
TIMEOUT_MS = 30_000
MOST_ACTIONS = 500
_NEEDS = {"navigate": "url", "click": "selector", "interact": "actions"}


class Request(BaseModel):
    """What the tool was asked; also what the runner is sent."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    operation: Operation
    url: Address | None = None
    selector: Selector | None = None
    actions: tuple[Action, ...] = Field((), max_length=MOST_ACTIONS)
    max_chars: Chars = MAX_CHARS
    out_path: OutPath | None = None
    timeout_ms: Milliseconds = TIMEOUT_MS
    wait_until: WaitUntil = "load"
    stop_on_error: bool = False
    tor_proxy: str | None = Field(None, max_length=2048)
    workspace: str | None = Field(None, max_length=4096)

    @property
    def timeout(self) -> float:
        """Seconds that one step may take."""
        return self.timeout_ms / 1000

    @property
    def begins_elsewhere(self) -> bool:
        """Whether the sequence goes somewhere itself before it does anything else."""
        return bool(self.actions) and isinstance(self.actions[0], Goto)

    @property
    def budget(self) -> float:
        """Seconds the whole call may take: at least `timeout_ms` for each action, and for the way to the page."""
        arrival = 0.0 if self.operation in ("navigate", "close") else self.timeout
        if self.operation != "interact":
            return arrival + 2 * self.timeout
        return arrival + sum(self._seconds(action) for action in self.actions)

    def _seconds(self, action: Action) -> float:
        """What an action may take, as its steps wait one after the other."""
        match action:
            case Sleep():
                return max(self.timeout, action.ms / 1000 + 1)
            case WaitForSelector():
                return max(self.timeout, (action.timeout_ms or 0) / 1000 + 1)
            case Click() | DblClick() | Fill():
                return 2 * self.timeout + (action.wait_for_hidden_ms or 5000) / 1000
            case ExtractText():
                return 2 * self.timeout
        return self.timeout


def read_request(given: Mapping[str, object]) -> Request:
    """Raises `ToolFailure`, with the list of operations for one there is not."""
    operation = given.get("operation")
    if operation not in OPERATIONS:
        raise ToolFailure(
            f"Unknown operation {_short(operation)}. Valid operations: {', '.join(OPERATIONS)}.",
            "Call the tool again with one of these operations.",
        )
    asked = {name: value for name, value in given.items() if value is not None}
    needed = _NEEDS.get(operation)
    if needed is not None and not asked.get(needed):
        raise ToolFailure(f"{operation} needs `{needed}`.", f"Pass `{needed}=...` and call the tool again.")
    _check_actions(asked.get("actions"))
    try:
        return Request.model_validate(asked)
    except ValidationError as error:
        raise ToolFailure(_sentence(error), "Mend the parameters and call the tool again.") from None


def _check_actions(actions: object) -> None:
    """In words a model can act on: a union's own errors name every shape that did not fit."""
    if actions is None:
        return
    if not isinstance(actions, Sequence) or isinstance(actions, str):
        raise ToolFailure("`actions` must be a list.", "Pass a list of objects such as {'action': 'click', …}.")
    for number, action in enumerate(actions, 1):
        kind = action.get("action") if isinstance(action, Mapping) else None
        if kind not in ACTION_NAMES:
            raise ToolFailure(
                f"Action {number} has the unknown kind {_short(kind)}. Valid actions: {', '.join(ACTION_NAMES)}.",
                "Nothing was executed. Mend that action and call the tool again.",
            )


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    place = list(first["loc"])
    name = ".".join(str(part) for part in place)
    if place[:1] == ["actions"] and len(place) > 3:
        name = f"Action {cast(int, place[1]) + 1}: {place[-1]}"
    return f"{name}: {first['msg']}."


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
