"""Frames of a page, in whatever process they live, and our JavaScript in their documents."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TypeVar, overload

from belljar.box.browser.cdp import CdpError, Session
from belljar.box.browser.cdp.messages import decode_value
from belljar.box.browser.cdp.replies import Evaluation, ExceptionDetails
from belljar.tasks import Signal

Result = TypeVar("Result")


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

    def __init__(self, details: ExceptionDetails) -> None:
        self.description = describe_thrown(details)
        super().__init__(self.description)
        thrown = details.exception
        self.name = (thrown.class_name or thrown.type if thrown is not None else "") or "Error"
        first_line = self.description.partition("\n")[0]
        self.message = first_line.removeprefix(f"{self.name}: ")
        # The top of the stack where there is one: for a rejected promise the details' own numbers are off by one.
        stack = details.stack_trace.call_frames if details.stack_trace is not None else []
        place = stack[0] if stack else details
        # 1-based, as editors count.
        self.line = place.line_number + 1 if place.line_number is not None else None
        self.column = place.column_number + 1 if place.column_number is not None else None


def describe_thrown(details: ExceptionDetails) -> str:
    """An error by its message and stack, any other value as text."""
    thrown = details.exception
    if thrown is None:
        return details.text
    return str(thrown.description or decode_value(object, thrown.value) or details.text)


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


def argument(value: object) -> dict[str, object]:
    """A Python value as CDP's CallArgument."""
    return {"objectId": value.object_id} if isinstance(value, Handle) else {"value": value}


def value_of(reply: Evaluation, kind: type[Result]) -> Result:
    """What a script returned, by value.  Raises `JsError` for what it threw, `UnexpectedReply` for another kind."""
    if reply.exception_details is not None:
        raise JsError(reply.exception_details)
    return decode_value(kind, reply.result.value)


def handle_of(reply: Evaluation, session: Session) -> Handle | None:
    """The object a script returned; None where it returned none."""
    if reply.exception_details is not None:
        raise JsError(reply.exception_details)
    result = reply.result
    if result.object_id is None:
        return None
    return Handle(session, result.object_id, result.description or "")


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
        # Whose document it is, in Chromium's words: `https://shop.example`; `null` for one that is nobody's.
        self.origin = ""
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

    @overload
    async def evaluate(self, expression: str, *, world: World = ..., retry: bool = ...) -> object: ...
    @overload
    async def evaluate(
        self, expression: str, kind: type[Result], *, world: World = ..., retry: bool = ...
    ) -> Result: ...
    async def evaluate(
        self,
        expression: str,
        kind: type[Result] | type[object] = object,
        *,
        world: World = World.ISOLATED,
        retry: bool = False,
    ) -> Result | object:
        """The value of `expression`, awaited if it is a promise.  One of another kind is an `UnexpectedReply`."""

        async def run(context: Context) -> Result | object:
            reply = await context.session.send_as(
                Evaluation,
                "Runtime.evaluate",
                expression=expression,
                uniqueContextId=context.id,
                returnByValue=True,
                awaitPromise=True,
            )
            return value_of(reply, kind)

        return await self._in(world, run, retry=retry)

    @overload
    async def call(self, function: str, *args: object, world: World = ..., retry: bool = ...) -> object: ...
    @overload
    async def call(
        self, function: str, *args: object, kind: type[Result], world: World = ..., retry: bool = ...
    ) -> Result: ...
    async def call(
        self,
        function: str,
        *args: object,
        kind: type[Result] | type[object] = object,
        world: World = World.ISOLATED,
        retry: bool = False,
    ) -> Result | object:
        """Call `function` (its source) with `args` (JSON values and handles); its value, awaited if a promise.

        When the document is replaced meanwhile: `DocumentGone`, or with `retry` once more in the new one.
        """

        async def run(context: Context) -> Result | object:
            return value_of(await _call_function(context, function, args, by_value=True), kind)

        return await self._in(world, run, retry=retry)

    async def call_handle(
        self, function: str, *args: object, world: World = World.ISOLATED, retry: bool = False
    ) -> Handle | None:
        """As `call`, but the result stays in the page and a handle to it is returned (None for a non-object)."""

        async def run(context: Context) -> Handle | None:
            return handle_of(await _call_function(context, function, args, by_value=False), context.session)

        return await self._in(world, run, retry=retry)

    @overload
    async def use(self, library: Library, function: str, *args: object, retry: bool = ...) -> object: ...
    @overload
    async def use(
        self, library: Library, function: str, *args: object, kind: type[Result], retry: bool = ...
    ) -> Result: ...
    async def use(
        self,
        library: Library,
        function: str,
        *args: object,
        kind: type[Result] | type[object] = object,
        retry: bool = False,
    ) -> Result | object:
        """Call a function of one of our libraries in the isolated world; its value."""

        async def run(context: Context) -> Result | object:
            return value_of(await _use(context, library, function, args, by_value=True), kind)

        return await self._in(World.ISOLATED, run, retry=retry)

    async def use_handle(self, library: Library, function: str, *args: object, retry: bool = False) -> Handle | None:
        """As `use`, for a handle to what the function returns."""

        async def run(context: Context) -> Handle | None:
            return handle_of(await _use(context, library, function, args, by_value=False), context.session)

        return await self._in(World.ISOLATED, run, retry=retry)

    def tell(self, library: Library, function: str, *args: object) -> None:
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

    async def _in(self, world: World, run: Callable[[Context], Awaitable[Result]], *, retry: bool) -> Result:
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

    def has_context(self, session: Session, number: int, world: World) -> bool:
        """Whether the present document's world is this one, in CDP's plain words."""
        context = self._contexts.get(world)
        return context is not None and context.session is session and context.number == number

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


async def _call_function(context: Context, function: str, args: tuple[object, ...], *, by_value: bool) -> Evaluation:
    return await context.session.send_as(
        Evaluation,
        _CALL,
        functionDeclaration=function,
        arguments=[argument(value) for value in args],
        uniqueContextId=context.id,
        returnByValue=by_value,
        awaitPromise=True,
    )


async def _use(
    context: Context, library: Library, function: str, args: tuple[object, ...], *, by_value: bool
) -> Evaluation:
    object_id = context.libraries.get(library.name)
    if object_id is None:
        reply = await context.session.send_as(
            Evaluation, "Runtime.evaluate", expression=library.source, uniqueContextId=context.id, returnByValue=False
        )
        made = handle_of(reply, context.session)
        assert made is not None, f"library {library.name} is not an object"
        object_id = context.libraries[library.name] = made.object_id
    return await context.session.send_as(
        Evaluation, _CALL, **_call(object_id, function, args), returnByValue=by_value, awaitPromise=True
    )


def _call(object_id: str, function: str, args: tuple[object, ...]) -> dict[str, object]:
    return {
        "functionDeclaration": "function(name, ...args) { return this[name](...args) }",
        "objectId": object_id,
        "arguments": [{"value": function}, *(argument(value) for value in args)],
    }
