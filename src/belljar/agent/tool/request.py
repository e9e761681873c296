"""One call of the tool, read from its parameters; what cannot be understood is refused before anything starts."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from belljar.agent.tool.actions import (
    ACTION_NAMES,
    MAX_CHARS,
    Action,
    Address,
    Chars,
    Click,
    DblClick,
    ExtractText,
    Fill,
    Goto,
    Milliseconds,
    OutPath,
    Selector,
    Sleep,
    WaitForSelector,
    WaitUntil,
)
from belljar.agent.tool.failure import ToolFailure

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


def read_request(given: Mapping[str, Any]) -> Request:
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
