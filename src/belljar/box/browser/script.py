"""JavaScript of ours and what comes back of it: arguments, handles, libraries, errors."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from belljar.box.browser.cdp import CdpError, Session


@dataclass(frozen=True)
class Library:
    """An expression that gives an object of functions; it is evaluated once in each document that needs it."""

    name: str
    source: str


@cache
def library(name: str) -> Library:
    """The library in `js/<name>.js` beside this module."""
    return Library(name, files("belljar.box.browser").joinpath("js", f"{name}.js").read_text(encoding="utf-8"))


@cache
def bundle(*names: str) -> Library:
    """Several libraries as one: the functions of the last, which sees the others by their names."""
    *parts, last = names
    constants = "".join(f"const {name} = {library(name).source};\n" for name in parts)
    return Library("+".join(names), f"(() => {{\n{constants}return (\n{library(last).source})\n}})()")


@dataclass(frozen=True)
class Handle:
    """An object in a page.  It lives until it is released or its document goes."""

    session: Session
    object_id: str
    description: str = ""

    def release(self) -> None:
        if not self.session.is_gone:
            self.session.tell("Runtime.releaseObject", objectId=self.object_id)


class JsError(Exception):
    """A script threw, or the promise it returned was rejected."""

    def __init__(self, details: dict[str, Any]) -> None:
        thrown = details.get("exception", {})
        self.description = str(thrown.get("description") or thrown.get("value") or details.get("text", ""))
        super().__init__(self.description)
        self.name = str(thrown.get("className") or thrown.get("type") or "Error")
        first_line = self.description.partition("\n")[0]
        self.message = first_line.removeprefix(f"{self.name}: ")
        # The top of the stack where there is one: for a rejected promise the details' own numbers are off by one.
        place = next(iter(details.get("stackTrace", {}).get("callFrames", ())), details)
        # 1-based, as editors count.
        self.line: int | None = place["lineNumber"] + 1 if "lineNumber" in place else None
        self.column: int | None = place["columnNumber"] + 1 if "columnNumber" in place else None


class DocumentGone(Exception):
    """The document a script was to run in was replaced before it answered."""


_GONE = (
    "Cannot find context with specified id",
    "uniqueContextId not found",
    "Execution context was destroyed",
    "Inspected target navigated or closed",
    "Cannot find default execution context",
    "Could not find object with given id",
    "Promise was collected",
    "Argument should belong to the same JavaScript world as target object",
)


def means_document_gone(error: CdpError) -> bool:
    return any(words in error.message for words in _GONE)


def argument(value: Any) -> dict[str, Any]:
    """A Python value as CDP's CallArgument."""
    return {"objectId": value.object_id} if isinstance(value, Handle) else {"value": value}


def value_of(reply: dict[str, Any]) -> Any:
    """What a script returned, by value; `undefined` is None.  Raises `JsError` for what it threw."""
    if "exceptionDetails" in reply:
        raise JsError(reply["exceptionDetails"])
    return reply["result"].get("value")


def handle_of(reply: dict[str, Any], session: Session) -> Handle | None:
    """The object a script returned; None where it returned none."""
    if "exceptionDetails" in reply:
        raise JsError(reply["exceptionDetails"])
    result = reply["result"]
    if "objectId" not in result:
        return None
    return Handle(session, result["objectId"], result.get("description", ""))
