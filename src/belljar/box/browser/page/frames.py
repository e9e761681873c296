"""Frames of a page, in whatever process they live, and our JavaScript in their documents."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from belljar.box.browser.cdp import CdpError, Session
from belljar.tasks import Signal


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


# The name Chromium knows our isolated world by.
WORLD_NAME = "belljar"
# A function of that world alone: what is said with it comes as an event, without being asked for.
SIGNAL = "belljarSignal"
_CALL = "Runtime.callFunctionOn"


class World(StrEnum):
    MAIN = "main"  # where the page's own scripts run
    ISOLATED = "isolated"  # the same DOM, but globals that the page cannot touch


class Context:
    """One world of one document: what script runs in."""

    __slots__ = ("__weakref__", "id", "libraries", "number", "session")

    def __init__(self, session: Session, id: str, number: int) -> None:
        self.session = session
        # CDP's uniqueContextId: unlike the plain id it is never used again after a change of process.
        self.id = id
        # CDP's plain ExecutionContextId, for the commands that take no other.
        self.number = number
        self.libraries: dict[str, str] = {}


class Frame:
    """`session` is that of the process the frame lives in, and changes when a navigation moves the frame.

    `check` is asked before each script: it raises when the page cannot run any (an open dialog).
    """

    def __init__(
        self, id: str, parent: "Frame | None", session: Session, changed: Signal, check: Callable[[], None]
    ) -> None:
        self.id = id
        self.parent = parent
        self.session = session
        self.changed = changed
        self.children: list[Frame] = []
        self.url = ""
        self.name = ""
        self.loader_id = ""
        # Lifecycle events of the present document: `DOMContentLoaded`, `load`, `networkIdle`, …
        self.lifecycle: set[str] = set()
        self.is_detached = False
        self._check = check
        self._contexts: dict[World, Context] = {}

    def walk(self) -> "Iterator[Frame]":
        """This frame and all below it, in document order."""
        yield self
        for child in tuple(self.children):
            yield from child.walk()

    async def evaluate(self, expression: str, *, world: World = World.ISOLATED, retry: bool = False) -> Any:
        """The value of `expression`, awaited if it is a promise."""

        async def run(context: Context) -> Any:
            reply = await context.session.send(
                "Runtime.evaluate",
                expression=expression,
                uniqueContextId=context.id,
                returnByValue=True,
                awaitPromise=True,
            )
            return value_of(reply)

        return await self._in(world, run, retry=retry)

    async def call(self, function: str, *args: Any, world: World = World.ISOLATED, retry: bool = False) -> Any:
        """Call `function` (its source) with `args` (JSON values and handles); its value, awaited if a promise.

        When the document is replaced meanwhile: `DocumentGone`, or with `retry` once more in the new one.
        """

        async def run(context: Context) -> Any:
            return value_of(await _call_function(context, function, args, by_value=True))

        return await self._in(world, run, retry=retry)

    async def call_handle(
        self, function: str, *args: Any, world: World = World.ISOLATED, retry: bool = False
    ) -> Handle | None:
        """As `call`, but the result stays in the page and a handle to it is returned (None for a non-object)."""

        async def run(context: Context) -> Handle | None:
            return handle_of(await _call_function(context, function, args, by_value=False), context.session)

        found: Handle | None = await self._in(world, run, retry=retry)
        return found

    async def use(self, library: Library, function: str, *args: Any, retry: bool = False) -> Any:
        """Call a function of one of our libraries in the isolated world; its value."""

        async def run(context: Context) -> Any:
            return value_of(await _use(context, library, function, args, by_value=True))

        return await self._in(World.ISOLATED, run, retry=retry)

    async def use_handle(self, library: Library, function: str, *args: Any, retry: bool = False) -> Handle | None:
        """As `use`, for a handle to what the function returns."""

        async def run(context: Context) -> Handle | None:
            return handle_of(await _use(context, library, function, args, by_value=False), context.session)

        found: Handle | None = await self._in(World.ISOLATED, run, retry=retry)
        return found

    def tell(self, library: Library, function: str, *args: Any) -> None:
        """Call a function of a library that the present document has, without waiting; where it has not, nothing."""
        context = self._contexts.get(World.ISOLATED)
        object_id = context.libraries.get(library.name) if context is not None else None
        if context is not None and object_id is not None and not context.session.is_gone:
            context.session.tell(_CALL, **_call(object_id, function, args))

    async def context(self, world: World) -> Context:
        """The world of the present document, waiting for it where the document is just being made."""
        self._check()
        context = self._contexts.get(world)
        if context is not None:
            return context
        await self.changed.until(lambda: self._has_context(world))
        return self._contexts[world]

    async def _in(self, world: World, run: Callable[[Context], Any], *, retry: bool) -> Any:
        while True:
            context = await self.context(world)
            try:
                return await run(context)
            except CdpError as error:
                if not means_document_gone(error):
                    raise
                # A context of a document that is gone is told of before or after; do not meet it again.
                if self._contexts.get(world) is context:
                    del self._contexts[world]
                if not retry:
                    raise DocumentGone(error.message) from error

    def _has_context(self, world: World) -> bool:
        self._check()
        if self.is_detached:
            raise DocumentGone("the frame was removed")
        return world in self._contexts

    def has(self, context: Context) -> bool:
        """Whether this is a world of the present document."""
        return context in self._contexts.values()

    def context_made(self, world: World, context: Context) -> None:
        self._contexts[world] = context

    def context_gone(self, id: str) -> None:
        for world, context in tuple(self._contexts.items()):
            if context.id == id:
                del self._contexts[world]

    def contexts_cleared(self, session: Session) -> None:
        for world, context in tuple(self._contexts.items()):
            if context.session is session:
                del self._contexts[world]


async def _call_function(context: Context, function: str, args: tuple[Any, ...], *, by_value: bool) -> dict[str, Any]:
    return await context.session.send(
        _CALL,
        functionDeclaration=function,
        arguments=[argument(value) for value in args],
        uniqueContextId=context.id,
        returnByValue=by_value,
        awaitPromise=True,
    )


async def _use(
    context: Context, library: Library, function: str, args: tuple[Any, ...], *, by_value: bool
) -> dict[str, Any]:
    object_id = context.libraries.get(library.name)
    if object_id is None:
        reply = await context.session.send(
            "Runtime.evaluate", expression=library.source, uniqueContextId=context.id, returnByValue=False
        )
        made = handle_of(reply, context.session)
        assert made is not None, f"library {library.name} is not an object"
        object_id = context.libraries[library.name] = made.object_id
    return await context.session.send(
        _CALL, **_call(object_id, function, args), returnByValue=by_value, awaitPromise=True
    )


def _call(object_id: str, function: str, args: tuple[Any, ...]) -> dict[str, Any]:
    return {
        "functionDeclaration": "function(name, ...args) { return this[name](...args) }",
        "objectId": object_id,
        "arguments": [{"value": function}, *(argument(value) for value in args)],
    }
