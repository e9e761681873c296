"""One CDP session: a conversation with the browser, a tab, a frame's process or a worker."""

import asyncio
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from belljar.box.browser.cdp.events import Event
from belljar.box.browser.cdp.messages import ABSENT, Message, UnexpectedReply, decode_as
from belljar.box.browser.cdp.replies import TargetInfo
from belljar.logs import log

if TYPE_CHECKING:
    from belljar.box.browser.cdp.connection import Connection

Params = dict[str, object]
Result = TypeVar("Result")
Happened = TypeVar("Happened", bound=Event)
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
        self, connection: "Connection", id: str | None, target: TargetInfo | None, parent: "Session | None"
    ) -> None:
        self.connection = connection
        self.id = id
        # As it was when the session began; None for the browser's own.
        self.target = target
        self.parent = parent
        self.children: set[Session] = set()
        self.is_gone = False
        # How many commands were sent whose answers somebody waits for.
        self.asked = 0
        self._calls: dict[int, Call] = {}
        self._listeners: dict[str, _Listeners] = {}
        # Called once when the session ends, after everyone waiting was failed.
        self.on_gone: list[Callable[[], None]] = []

    async def send(self, method: str, /, **params: object) -> None:
        """Send a command and wait until it is done."""
        await self._send(method, params)

    async def send_as(self, kind: type[Result], method: str, /, **params: object) -> Result:
        """Send a command and wait for its answer.  `UnexpectedReply` is also a `CdpError`."""
        return decode_as(kind, method, await self._send(method, params))

    def post(self, method: str, /, **params: object) -> "PendingCommand":
        """Send now, wait later: for commands sent one behind another."""
        return PendingCommand(self, *self._begin(method, params))

    def post_encoded(self, method: str, params: msgspec.Raw) -> "PendingCommand":
        """As `post`, for parameters that are JSON already."""
        return PendingCommand(self, *self._begin(method, params))

    def tell(self, method: str, /, **params: object) -> None:
        """Send a command whose answer nobody wants; a refusal is not noticed."""
        self.connection.write(self.connection.number(), method, params, self.id)

    def ask(self, kind: type[Result], method: str, on_answer: Callable[[Result], None], /, **params: object) -> None:
        """Send a command whose answer is given to `on_answer` in its place among the events; never on a refusal."""

        def answered(message: Message) -> None:
            if message.id is None or message.error is not ABSENT or self.is_gone:
                return
            try:
                answer = decode_as(kind, method, message.result)
            except UnexpectedReply as error:
                log.warning("cdp.unexpected_answer", method=method, error=error.message)
            else:
                on_answer(answer)

        if not self.is_gone:
            self.connection.forward(method, params, self.id, answered)

    def on(self, kind: type[Happened], callback: Callable[[Happened], None]) -> Callable[[], None]:
        """Call `callback` with each event of the kind, at once and in order.  Returns how to stop."""
        listeners = self._listeners.get(kind.method)
        if listeners is None:
            listeners = self._listeners[kind.method] = _Listeners(kind)
        callbacks = listeners.callbacks
        callbacks.append(callback)
        return lambda: callbacks.remove(callback) if callback in callbacks else None

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
        """An event is decoded once for all who listen, and not at all for nobody."""
        listeners = self._listeners.get(method)
        if listeners is not None and listeners.callbacks:
            try:
                event = decode_as(listeners.kind, method, raw)
            except UnexpectedReply as error:
                if not listeners.is_misunderstood:
                    listeners.is_misunderstood = True
                    log.warning("cdp.unexpected_event", method=method, error=error.message)
                return
            for listener in tuple(listeners.callbacks):
                listener(event)

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


class _Listeners:
    """Of one event in one session."""

    __slots__ = ("callbacks", "is_misunderstood", "kind")

    def __init__(self, kind: type[Event]) -> None:
        self.kind = kind
        # Each takes an event of the kind.
        self.callbacks: list[Callable[[Any], None]] = []
        # One was not of the shape it has in CDP: said once.
        self.is_misunderstood = False


class PendingCommand:
    """The end to come of a command that was posted.  It is to be awaited, or dropped."""

    __slots__ = ("_call", "_id", "_session")

    def __init__(self, session: Session, id: int, call: Call) -> None:
        self._session, self._id, self._call = session, id, call

    def drop(self) -> None:
        """Nobody waits for it any more."""
        self._session._forget(self._id)

    def __await__(self) -> Generator[object, None, None]:
        try:
            yield from self._call.future.__await__()
        finally:
            self._session._forget(self._id)


async def all_answered(posted: Sequence[PendingCommand]) -> None:
    """Wait until every command was answered; raise the first refusal when all are through."""
    refused: Exception | None = None
    try:
        # From the last: answers come in their order, so that this wakes once and not for each of them.
        for one in reversed(posted):
            try:
                await one
            except Exception as error:  # noqa: BLE001  # raised again below, once the others are through
                refused = error
    finally:
        for one in posted:
            one.drop()
    if refused is not None:
        raise refused
