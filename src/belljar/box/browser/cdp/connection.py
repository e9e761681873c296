"""The one connection to Chromium: commands numbered, answers and events given to the session they belong to."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from itertools import count
from typing import Protocol

import msgspec

from belljar.box.browser.cdp.events import DetachedFromTarget
from belljar.box.browser.cdp.messages import (
    ABSENT,
    CdpClosed,
    Command,
    Message,
    TargetGone,
    UnexpectedReply,
    answered_id,
    decode_message,
    encode_command,
    refusal,
)
from belljar.box.browser.cdp.pipe import Pipe
from belljar.box.browser.cdp.replies import TargetInfo
from belljar.box.browser.cdp.session import Call, Session
from belljar.logs import log


class Outsider(Protocol):
    """Whoever owns a session that is not ours: a relayed client.  It is given its messages undecoded."""

    def receive(self, message: Message) -> None: ...

    def ended(self) -> None:
        """The connection is over."""


@asynccontextmanager
async def open_connection(read: int, write: int) -> AsyncIterator["Connection"]:
    """Speak CDP over two descriptors, which are closed when the block ends."""
    connection = Connection(read, write)
    try:
        yield connection
    finally:
        connection.close()


class Connection:
    """Reading happens in the loop's own callbacks: no task is scheduled between Chromium and a waiter."""

    def __init__(self, read: int, write: int) -> None:
        self._numbers = count(1)
        self._pipe = Pipe(read, write, self._message, self._ended)
        # Calls sent and not yet answered, by message id; those answered by a callback are in `_outside`.
        self.calls: dict[int, Call] = {}
        self._outside: dict[int, Callable[[Message], None]] = {}
        self._sessions: dict[str, Session | Outsider] = {}
        self.browser = Session(self, None, None, None)
        self.browser.on(DetachedFromTarget, self._detached)
        self.on_closed: list[Callable[[], None]] = []

    @property
    def is_closed(self) -> bool:
        return self._pipe.closed

    @property
    def is_full(self) -> bool:
        return self._pipe.is_full

    def fence(self) -> int:
        """Before a call's first command, for `was_read_since`."""
        return self._pipe.fence()

    def was_read_since(self, fence: int) -> bool:
        """Of a closed connection: whether Chromium may have got any command that was sent behind this fence."""
        return self._pipe.was_read_since(fence)

    async def drained(self) -> None:
        await self._pipe.drained()

    def together(self) -> AbstractContextManager[None]:
        """Commands posted in this block, which must not wait, are written at once."""
        return self._pipe.together()

    def number(self) -> int:
        return next(self._numbers)

    def write(self, id: int, method: str, params: dict[str, object] | msgspec.Raw, session: str | None) -> None:
        self._pipe.send(encode_command(Command(id, method, params, session)))

    def check_open(self, session: Session, method: str) -> None:
        if self._pipe.closed:
            raise CdpClosed(f"{method}: the connection to Chromium is closed")
        if session.is_gone:
            raise TargetGone(f"{method}: the target is gone")

    def adopt(self, id: str, target: TargetInfo, parent: Session) -> Session:
        """The session object for a session Chromium just announced with `Target.attachedToTarget`."""
        session = Session(self, id, target, parent)
        session.on(DetachedFromTarget, self._detached)
        parent.children.add(session)
        self._sessions[id] = session
        return session

    def forget(self, session: Session) -> None:
        if session.id is not None:
            self._sessions.pop(session.id, None)

    def lend(self, id: str, owner: Outsider) -> None:
        """Give a session's messages to a relayed client."""
        self._sessions[id] = owner

    def take_back(self, id: str) -> None:
        self._sessions.pop(id, None)

    def forward(
        self,
        method: str,
        params: dict[str, object] | msgspec.Raw,
        session: str | None,
        answer: Callable[[Message], None],
    ) -> int:
        """Send a command under a number of ours; `answer` gets the reply as it came, or an empty one at the end."""
        id = self.number()
        self._outside[id] = answer
        self.write(id, method, params, session)
        return id

    def drop(self, id: int) -> None:
        """Nobody wants the answer to a forwarded command any more."""
        self._outside.pop(id, None)

    def close(self) -> None:
        self._pipe.close()

    def _message(self, data: bytes) -> None:
        try:
            message = decode_message(data)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            log.warning("cdp.garbled", size=len(data))
            call = self.calls.pop(answered_id(data) or 0, None)
            if call is not None:
                call.refuse(UnexpectedReply(call.method, str(error)))
            return
        if message.id is not None:
            self._answer(message.id, message)
        elif message.method is not None:
            self._event(message, message.method)

    def _answer(self, id: int, message: Message) -> None:
        call = self.calls.pop(id, None)
        if call is None:
            outside = self._outside.pop(id, None)
            if outside is not None:
                outside(message)
        elif message.error is not ABSENT:
            call.refuse(refusal(call.method, message.error))
        else:
            call.answer(message.result)

    def _event(self, message: Message, method: str) -> None:
        session = self.browser if message.session is None else self._sessions.get(message.session)
        if isinstance(session, Session):
            session.dispatch(method, message.params)
        elif session is not None:
            session.receive(message)

    def _detached(self, event: DetachedFromTarget) -> None:
        gone = self._sessions.get(event.session_id)
        if isinstance(gone, Session):
            gone.end(lambda: TargetGone("the target is gone"))

    def _ended(self) -> None:
        self._sessions_end()
        self.calls.clear()
        outside, self._outside = self._outside, {}
        for answer in outside.values():
            answer(Message())
        callbacks, self.on_closed = self.on_closed, []
        for callback in callbacks:
            callback()

    def _sessions_end(self) -> None:
        owners = {id(owner): owner for owner in self._sessions.values()}
        for owner in [self.browser, *owners.values()]:
            if isinstance(owner, Session):
                owner.end(lambda: CdpClosed("Chromium closed the connection"))
            else:
                owner.ended()
