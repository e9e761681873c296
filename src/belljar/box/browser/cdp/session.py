"""One CDP session: a conversation with the browser, a tab, a frame's process or a worker."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from belljar.box.browser.cdp.messages import ABSENT, Message, decode_object

if TYPE_CHECKING:
    from belljar.box.browser.cdp.connection import Connection

Params = dict[str, Any]
Result = TypeVar("Result")
# What runs in the renderer's main thread: a dialog or an endless loop there holds the answer back.
BLOCKABLE = frozenset({"Runtime", "Input", "DOM", "CSS", "Accessibility", "DOMSnapshot", "IndexedDB", "DOMStorage"})


class Call:
    """A command sent and not yet answered."""

    __slots__ = ("future", "method", "session")

    def __init__(self, session: "Session", method: str, future: "asyncio.Future[msgspec.Raw]") -> None:
        self.session = session
        self.method = method
        self.future = future

    def answer(self, result: msgspec.Raw) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def refuse(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)
            # Looked at here, so that a posted command nobody waits for any more is not reported by the loop.
            self.future.exception()


class Session:
    """`id` is None for the connection's own (browser) session.

    Every way of sending raises `CdpError` for a refusal and a `CdpGone` as soon as it is known that no answer
    will come.  Cancelling a wait leaves the command to run in Chromium; its answer is dropped.
    """

    def __init__(
        self, connection: "Connection", id: str | None, target: Params | None, parent: "Session | None"
    ) -> None:
        self.connection = connection
        self.id = id
        # CDP's TargetInfo, as it was when the session began.
        self.target: Params = target or {}
        self.parent = parent
        self.children: set[Session] = set()
        self.is_gone = False
        # How many commands were sent whose answers somebody waits for.
        self.asked = 0
        self._calls: dict[int, Call] = {}
        self._listeners: dict[str, list[Callable[[Params], None]]] = {}
        # Called once when the session ends, after everyone waiting was failed.
        self.on_gone: list[Callable[[], None]] = []

    async def send(self, method: str, /, **params: Any) -> Params:
        """Send a command and wait for its answer."""
        return decode_object(await self._send(method, params))

    async def send_as(self, kind: type[Result], method: str, /, **params: Any) -> Result:
        """As `send`, decoded straight into `kind` (a msgspec Struct; `bytes` fields are base64-decoded)."""
        return msgspec.json.decode(await self._send(method, params), type=kind)

    def post(self, method: str, /, **params: Any) -> "Posted":
        """Send now, wait later: for commands sent one behind another."""
        return Posted(self, *self._begin(method, params))

    def post_encoded(self, method: str, params: msgspec.Raw) -> "Posted":
        """As `post`, for parameters that are JSON already."""
        return Posted(self, *self._begin(method, params))

    def tell(self, method: str, /, **params: Any) -> None:
        """Send a command whose answer nobody wants; a refusal is not noticed."""
        self.connection.write(self.connection.number(), method, params, self.id)

    def ask(self, method: str, on_answer: Callable[[Params], None], /, **params: Any) -> None:
        """Send a command whose answer is given to `on_answer` in its place among the events; never on a refusal."""

        def answered(message: Message) -> None:
            if message.id is not None and message.error is ABSENT and not self.is_gone:
                on_answer(decode_object(message.result))

        if not self.is_gone:
            self.connection.forward(method, params, self.id, answered)

    def on(self, method: str, callback: Callable[[Params], None]) -> Callable[[], None]:
        """Call `callback` with each event's params, at once and in order.  Returns how to stop."""
        listeners = self._listeners.setdefault(method, [])
        listeners.append(callback)
        return lambda: listeners.remove(callback) if callback in listeners else None

    @contextmanager
    def events(self, *methods: str, size: int = 1000) -> Iterator["Events"]:
        """The named events as a stream, for as long as the block; a slow reader loses the oldest, counted."""
        events = Events(size)
        stops = [self.on(method, partial(events.put, method)) for method in methods]
        self.on_gone.append(events.end)
        try:
            yield events
        finally:
            for stop in stops:
                stop()
            if events.end in self.on_gone:
                self.on_gone.remove(events.end)

    def interrupt(self, error: Callable[[], Exception]) -> None:
        """Fail every call that waits for the renderer's main thread, because that thread will not answer now."""
        for call in list(self._calls.values()):
            if call.method.partition(".")[0] in BLOCKABLE:
                call.refuse(error())

    def fail(self, error: Callable[[], Exception]) -> None:
        """Fail every call that waits for an answer."""
        for call in list(self._calls.values()):
            call.refuse(error())

    def dispatch(self, method: str, raw: msgspec.Raw) -> None:
        listeners = self._listeners.get(method)
        if listeners:
            params = decode_object(raw)
            for listener in tuple(listeners):
                listener(params)

    def end(self, error: Callable[[], Exception]) -> None:
        """The session is over: fail its calls and those of its children."""
        if self.is_gone:
            return
        self.is_gone = True
        for child in tuple(self.children):
            child.end(error)
        if self.parent is not None:
            self.parent.children.discard(self)
        self.connection.forget(self)
        self.fail(error)
        self._listeners.clear()
        callbacks, self.on_gone = self.on_gone, []
        for callback in callbacks:
            callback()

    async def _send(self, method: str, params: Params) -> msgspec.Raw:
        id, call = self._begin(method, params)
        try:
            if self.connection.is_full:
                await self.connection.drained()
            return await call.future
        finally:
            self._forget(id)

    def _begin(self, method: str, params: Params | msgspec.Raw) -> tuple[int, Call]:
        self.connection.check_open(self, method)
        self.asked += 1
        id = self.connection.number()
        call = Call(self, method, asyncio.get_running_loop().create_future())
        self._calls[id] = self.connection.calls[id] = call
        self.connection.write(id, method, params, self.id)
        return id, call

    def _forget(self, id: int) -> None:
        self._calls.pop(id, None)
        self.connection.calls.pop(id, None)


class Posted:
    """The answer to come of a command that was posted.  It is to be awaited, or dropped."""

    __slots__ = ("_call", "_id", "_session")

    def __init__(self, session: Session, id: int, call: Call) -> None:
        self._session, self._id, self._call = session, id, call

    def drop(self) -> None:
        """Nobody waits for it any more."""
        self._session._forget(self._id)

    def __await__(self) -> Generator[Any, None, Params]:
        try:
            raw = yield from self._call.future.__await__()
        finally:
            self._session._forget(self._id)
        return decode_object(raw)


class Events:
    """A bounded stream of events; `dropped` counts those a slow reader never saw."""

    def __init__(self, size: int) -> None:
        self._queue: deque[tuple[str, Params]] = deque(maxlen=size)
        self._wake: asyncio.Future[None] | None = None
        self._ended = False
        self.dropped = 0

    def put(self, method: str, params: Params) -> None:
        if len(self._queue) == self._queue.maxlen:
            self.dropped += 1
        self._queue.append((method, params))
        self._notify()

    def end(self) -> None:
        self._ended = True
        self._notify()

    def __aiter__(self) -> AsyncIterator[tuple[str, Params]]:
        return self

    async def __anext__(self) -> tuple[str, Params]:
        while not self._queue:
            if self._ended:
                raise StopAsyncIteration
            self._wake = asyncio.get_running_loop().create_future()
            await self._wake
        return self._queue.popleft()

    def _notify(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)
