"""Outside CDP clients on our one connection: each a browser session of its own, its numbers rewritten."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Protocol

import msgspec

from belljar.box.browser.cdp import CdpError, Connection
from belljar.box.browser.cdp.messages import ABSENT, Message, decode_as
from belljar.box.browser.cdp.replies import ContextMade, SessionMade
from belljar.box.browser.client_policy import Permit
from belljar.box.browser.page.tabs import Tabs
from belljar.box.browser.reading.downloads import Downloads
from belljar.box.record.bus import Bus, Cause
from belljar.logs import log
from belljar.problems import Problem
from belljar.record.segments import Actor
from belljar.wire.record import ActorKind, ActorVia, EventKind

# What a client may leave unread before it is given up; others must not suffer for it.
MAX_UNREAD_BYTES = 64 << 20
# Seconds after which a picture should have come.
PICTURE_PATIENCE = 0.3
# A client may leave the browser, not end it for everybody.
_SWALLOWED = frozenset({"Browser.close", "Browser.crash", "Browser.crashGpuProcess"})
# What a person who holds control would notice.
_ACTING = frozenset(
    {
        "Page.navigate",
        "Page.reload",
        "Page.navigateToHistoryEntry",
        "Page.bringToFront",
        "Page.close",
        "Page.handleJavaScriptDialog",
        "Target.createTarget",
        "Target.closeTarget",
        "Target.activateTarget",
        "DOM.setFileInputFiles",
    }
)


# Acting commands that may wait for a person to give control back.
_MAX_HELD = 1000


class Control(Protocol):
    """Whether the client may act just now: a person may hold control."""

    def is_free(self) -> bool: ...

    async def admit(self, since: float) -> None:
        """Wait until it may, for a command that came at `since` (monotonic); a `Problem` when that takes too long."""


class ClientMessage(msgspec.Struct, gc=False):
    id: int
    method: str
    params: msgspec.Raw = msgspec.Raw(b"{}")
    session: str | None = msgspec.field(name="sessionId", default=None)


class Answer(msgspec.Struct, gc=False, omit_defaults=True):
    id: int
    result: msgspec.Raw | None = None
    error: msgspec.Raw | dict[str, object] | None = None
    session: str | None = msgspec.field(name="sessionId", default=None)


class Event(msgspec.Struct, gc=False, omit_defaults=True):
    method: str
    params: msgspec.Raw
    session: str | None = msgspec.field(name="sessionId", default=None)


class _Target(msgspec.Struct, gc=False):
    id: str = msgspec.field(name="targetId", default="")


class _Attached(msgspec.Struct, gc=False):
    session: str = msgspec.field(name="sessionId")
    target: _Target = msgspec.field(name="targetInfo", default_factory=_Target)


_decode = msgspec.json.Decoder(ClientMessage).decode
_encode = msgspec.json.Encoder().encode
_attached = msgspec.json.Decoder(_Attached).decode
_target = msgspec.json.Decoder(_Target).decode


# Of longer parameters only the size is told.
_MOST_PARAMS = 16 * 1024
# What is typed is in the record at no level, nor what is handed to a script: who fills in a password does it so.
# Nor what cookies, storage and requests are given.
_TYPED = frozenset(
    """
    text unmodifiedText key code keyIdentifier arguments files promptText
    value postData body headers responseHeaders binaryResponseHeaders authChallengeResponse
    """.split()
)


class ClientSource:
    """What one client asks for, told to the record."""

    def __init__(self, bus: Bus, caller: str) -> None:
        self.bus = bus
        self.actor = Actor(ActorKind.AGENT, ActorVia.CDP, caller[:64])
        self.commands = 0

    def command(self, message: "ClientMessage", tab: str | None) -> None:
        self.commands += 1
        if not self.bus.wants(EventKind.CDP):
            return
        method, id, size = message.method[:100], message.id, len(bytes(message.params))
        params = bytes(message.params) if size <= _MOST_PARAMS else b""

        def data() -> Mapping[str, object]:
            return {"method": method, "id": id, "bytes": size, "params": _told_params(params)}

        self.bus.tell(EventKind.CDP, "command", actor=self.actor, tab=tab, data=data, held_bytes=len(params))

    def tell(self, name: str, data: Mapping[str, object] | None = None) -> None:
        self.bus.tell(EventKind.CDP, name, actor=self.actor, data=data)


def _told_params(params: bytes) -> Mapping[str, object]:
    try:
        given = msgspec.json.decode(params)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return {}
    found = given if isinstance(given, dict) else {}
    return {name: None if name in _TYPED else value for name, value in found.items()}


class TooSlow(Exception):
    """The client does not read what it asked for."""


class Relay:
    """One outside client.  `take` what it sends; `outgoing` is what it is sent."""

    def __init__(
        self,
        connection: Connection,
        root: str,
        tabs: Tabs,
        downloads: Downloads,
        control: Control,
        permit: Permit,
        source: "ClientSource",
    ) -> None:
        self._connection = connection
        self._source = source
        self._tabs = tabs
        self._root = root
        # Whom commands without a session are for: the browser, or the one page that the client came for.
        self._main = root
        self._downloads = downloads
        self._control = control
        self._permit = permit
        # Acting commands that wait for control, in order, and when they came.
        self._held: deque[tuple[ClientMessage, float]] = deque()
        self._holding = asyncio.Event()
        # Sessions that Chromium told this client of, with their targets; it can name no others.
        self._sessions: dict[str, str] = {}
        self._waiting: set[int] = set()
        self._contexts: set[str] = set()
        self._unread: deque[bytes] = deque()
        self._unread_bytes = 0
        self._wake: asyncio.Future[None] | None = None
        self._is_over = False
        self._is_too_slow = False

    async def take(self, text: str | bytes) -> None:
        """A message of the client's.  Waits while Chromium is behind, so that its client waits too."""
        try:
            # Contents are passed on undecoded: bytes that are no text must not be among them.
            message = _decode(text if isinstance(text, str) else text.decode())
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            self._say(Answer(0, error={"code": -32700, "message": "The message is not a CDP command."}))
            return
        # Playwright names the browser's own session by an empty id.
        message.session = message.session or None
        page = self._tabs.pages.get(self._sessions.get(message.session or self._main, ""))
        self._source.command(message, None if page is None else page.id)
        if message.session is not None and message.session not in self._sessions:
            self._refuse(message, -32001, "Session with given id not found.")
        elif message.method in _SWALLOWED:
            self._say(Answer(message.id, msgspec.Raw(b"{}"), session=message.session))
            self._over()
        elif (words := self._permit(message.method, message.params)) is not None:
            self._refuse(message, -32000, words)
        else:
            await self._pass_on(message)

    async def outgoing(self) -> AsyncIterator[list[bytes]]:
        """What to send, until the browser or the client is done.  Raises `TooSlow`."""
        while True:
            if self._is_too_slow:
                raise TooSlow
            if self._unread:
                ready, self._unread = list(self._unread), deque()
                self._unread_bytes = 0
                yield ready
            elif self._is_over:
                return
            else:
                self._wake = asyncio.get_running_loop().create_future()
                await self._wake

    def receive(self, message: Message) -> None:
        """An event from Chromium for one of this client's sessions."""
        assert message.method is not None
        if message.method == "Target.attachedToTarget":
            attached = _attached(message.params)
            self._sessions[attached.session] = attached.target.id
            self._connection.lend(attached.session, self)
        elif message.method == "Target.detachedFromTarget":
            gone = _attached(message.params).session
            self._forget(gone)
            if gone == self._main:
                self._over()
        if message.session == self._root != self._main:
            # Of the browser, for which this client did not come.
            return
        session = None if message.session == self._main else message.session
        self._say(Event(message.method, message.params, session))

    async def keep_to(self, target_id: str) -> None:
        """Be a page's own socket: what names no session is for this page.  Raises `CdpError` when it is gone."""
        # From now on nothing of the browser's own is for this client, the word of its coming neither.
        self._main = ""
        attached: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        params = {"targetId": target_id, "flatten": True}
        number = self._connection.forward("Target.attachToTarget", params, self._root, attached.set_result)
        self._waiting.add(number)
        reply = await attached
        self._waiting.discard(number)
        if reply.id is None or reply.error is not ABSENT:
            raise CdpError("Target.attachToTarget", -32000, "No target with given id found")
        self._main = _attached(reply.result).session

    def ended(self) -> None:
        self._over()

    def leave(self) -> None:
        """The client is gone: its sessions, its contexts and what it waits for go too."""
        browser = self._connection.browser
        self._is_over = True
        for number in self._waiting:
            self._connection.drop(number)
        for session in tuple(self._sessions):
            self._forget(session)
        self._connection.take_back(self._root)
        if self._connection.is_closed:
            return
        for context in self._contexts:
            browser.tell("Target.disposeBrowserContext", browserContextId=context)
        browser.tell("Target.detachFromTarget", sessionId=self._root)
        # Chromium takes back what a client had set for downloads, and with it what we had.
        self._downloads.save_to_our_folder(browser)

    async def _pass_on(self, message: ClientMessage) -> None:
        is_acting = message.method in _ACTING or message.method.startswith("Input.")
        if not is_acting or (not self._held and self._control.is_free()):
            await self._forward(message)
        elif len(self._held) < _MAX_HELD:
            self._held.append((message, time.monotonic()))
            self._holding.set()
        else:
            self._refuse(message, -32000, "control_held: too many commands wait for control.")

    async def pass_held(self) -> None:
        """Passes acting commands on as control allows; all others overtake them.  Runs beside `take`."""
        while True:
            await self._holding.wait()
            while self._held:
                message, since = self._held[0]
                try:
                    await self._control.admit(since)
                except Problem as problem:
                    self._refuse(message, -32000, f"{problem.code}: {problem.detail}")
                else:
                    await self._forward(message)
                # Only now: what comes meanwhile must not overtake it.
                self._held.popleft()
            self._holding.clear()

    async def _forward(self, message: ClientMessage) -> None:
        params = message.params
        if message.method == "Browser.setDownloadBehavior":
            params = self._downloads.redirected(params)
        if self._connection.is_closed:
            self._over()
            return

        target = message.session or self._main
        self._note_cause(message)
        done = self._see_to_picture(params, target) if message.method == "Page.captureScreenshot" else None

        made = self._tabs.asked() if message.method == "Target.createTarget" else None

        def answered(reply: Message) -> None:
            self._waiting.discard(id)
            if made is not None:
                is_made = reply.id is not None and reply.error is ABSENT
                made(_target(reply.result).id if is_made else None, Cause(self._source.actor))
            if done is not None:
                done()
            self._answered(message, reply)

        id = self._connection.forward(message.method, params, target, answered)
        self._waiting.add(id)
        if self._connection.is_full:
            await self._connection.drained()

    def _note_cause(self, message: ClientMessage) -> None:
        """What comes of these is heard of by itself: who wanted it is known here."""
        method, cause = message.method, Cause(self._source.actor)
        page = self._tabs.pages.get(self._sessions.get(message.session or self._main, ""))
        if method == "Target.closeTarget":
            with suppress(msgspec.MsgspecError):
                # Chromium says what is wrong with other parameters.
                page = self._tabs.pages.get(_target(message.params).id)
        if page is not None and method in ("Target.closeTarget", "Page.close"):
            page.closed_by = cause
        elif page is not None and method == "Page.handleJavaScriptDialog":
            page.answered_by = cause
        elif page is not None and method == "DOM.setFileInputFiles":
            self._source.bus.tell(EventKind.UPLOAD, "given", actor=self._source.actor, tab=page.id)

    def _see_to_picture(self, params: msgspec.Raw, session: str) -> Callable[[], None]:
        """Of a page behind another only every second picture comes by itself; returns how to stop seeing to it.

        The next request brings both, if it asks for the same: another size would spoil the first picture.
        """
        loop = asyncio.get_running_loop()
        timers: list[asyncio.TimerHandle] = []

        def nudge() -> None:
            if not self._is_over:
                self._connection.forward("Page.captureScreenshot", params, session, lambda _: None)
                timers[:] = [loop.call_later(PICTURE_PATIENCE, nudge)]

        timers.append(loop.call_later(PICTURE_PATIENCE, nudge))
        return lambda: timers[0].cancel()

    def _answered(self, message: ClientMessage, reply: Message) -> None:
        if reply.id is None:
            return
        if reply.error is not ABSENT:
            self._say(Answer(message.id, error=reply.error, session=message.session))
            return
        if message.method == "Target.createBrowserContext":
            self._contexts.add(decode_as(ContextMade, message.method, reply.result).browser_context_id)
        self._say(Answer(message.id, reply.result, session=message.session))

    def _refuse(self, message: ClientMessage, code: int, words: str) -> None:
        self._say(Answer(message.id, error={"code": code, "message": words}, session=message.session))

    def _say(self, message: Answer | Event) -> None:
        data = _encode(message)
        self._unread.append(data)
        self._unread_bytes += len(data)
        if self._unread_bytes > MAX_UNREAD_BYTES:
            self._is_too_slow = True
            self._unread.clear()
        self._notify()

    def _forget(self, session: str) -> None:
        self._sessions.pop(session, None)
        self._connection.take_back(session)

    def _over(self) -> None:
        self._is_over = True
        self._notify()

    def _notify(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)


@asynccontextmanager
async def open_relay(
    tabs: Tabs, downloads: Downloads, control: Control, permit: Permit, source: "ClientSource"
) -> AsyncIterator[Relay]:
    """A client of its own for as long as the block.  Raises `CdpGone` when the browser is not there."""
    connection = tabs.connection
    root = (await connection.browser.send_as(SessionMade, "Target.attachToBrowserTarget")).session_id
    relay = Relay(connection, root, tabs, downloads, control, permit, source)
    connection.lend(root, relay)
    log.info("cdp.client_came")
    source.tell("came")
    try:
        yield relay
    finally:
        relay.leave()
        source.tell("left", {"count": source.commands})
        log.info("cdp.client_left")
