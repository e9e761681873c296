"""`live`: the WebSocket with what is shown, what is done to it, and what happens."""

import json
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from belljar.sdk.aio.http import AsyncHttp
from belljar.sdk.aio.io import ConnectionClosed, Lock, Socket
from belljar.sdk.encoding import KeyAction, LiveButton, LiveFrame, MouseAction, TokenRole, body, read_frame
from belljar.sdk.errors import Unreachable, rebuilt
from belljar.wire.access import MintedToken, ViewLink
from belljar.wire.control import Control as ControlState
from belljar.wire.live import BINARY_SUBPROTOCOL, Event, EventName, Glance, LiveHealth, Ready, Surface

# Events that nobody looked at; the oldest go first.
_MAX_EVENTS = 1_000
# Seconds without a word from us after which a ping is due.
_SILENCE = 20.0


class AsyncLive:
    """Watching, and letting people watch."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    @asynccontextmanager
    async def connect(self, *, viewer: str | None = None) -> AsyncIterator["AsyncViewer"]:
        """Be a viewer for the length of a block; `viewer` is an earlier one's `ready.key`, to be that one again."""
        asked = body(viewer=viewer)
        async with self._http.websocket("/v1/live", asked, subprotocol=BINARY_SUBPROTOCOL) as socket:
            yield AsyncViewer(socket)

    async def health(self) -> LiveHealth:
        """What is shown, to how many, and how smoothly."""
        return await self._http.get("/health", LiveHealth)

    async def glance(self) -> Glance:
        """What is shown and who drives it, without a picture; asking is no use of the box."""
        return await self._http.get("/v1/live/glance", Glance)

    async def invite(
        self, *, role: TokenRole = "drive", ttl: float = 3600, name: str | None = None, once: bool | None = None
    ) -> MintedToken:
        """A token for a person, and a `link` that opens the viewer page once; needs the operator's token.

        With `once` the token opens one WebSocket, and nothing else.
        """
        minted = await self._http.post("/v1/tokens", MintedToken, body(role=role, ttl=ttl, name=name, once=once))
        return minted.model_copy(update={"link": await self._for_people(minted.link)})

    async def link(self, *, role: TokenRole = "drive") -> str:
        """A link that opens the viewer page for a person, once, with no more rights than the caller's own."""
        made = await self._http.post("/v1/live/links", ViewLink, body(role=role))
        return await self._for_people(made.link)

    async def _for_people(self, link: str) -> str:
        """A person's browser knows nothing of our Unix socket."""
        if (await self._http.address()).socket is None:
            return link
        ports = urlsplit(await self._http.url_for_ports())
        return urlunsplit(urlsplit(link)._replace(scheme=ports.scheme, netloc=ports.netloc))


class AsyncViewer:
    """One viewer.  Iterate over frames and events, run commands, send input; from several tasks too.

    Nothing reads in the background: messages are taken in while somebody iterates or waits for a command.  Of frames
    only the newest is kept, and one is acknowledged when it is handed out, so a slow reader sees fewer, never old ones.
    """

    def __init__(self, socket: Socket) -> None:
        self._socket = socket
        self._reading = Lock()
        self._ids = count(1)
        self._results: dict[int, Any] = {}
        self._events: deque[Event] = deque(maxlen=_MAX_EVENTS)
        self._frame: LiveFrame | None = None
        self._is_over = False
        self._ready: Ready | None = None
        self._spoke_at = time.monotonic()

    async def ready(self) -> Ready:
        """What the server said first: who this viewer is, what is shown, who holds control."""
        while self._ready is None:
            await self._take_in(lambda: self._ready is not None)
        return self._ready

    async def __aiter__(self) -> AsyncIterator[LiveFrame | Event]:
        """Frames and events, until the connection ends."""
        while True:
            if self._events:
                yield self._events.popleft()
            elif self._frame is not None:
                frame, self._frame = self._frame, None
                await self._send({"type": "ack", "timestamp": frame.timestamp})
                yield frame
            elif self._is_over:
                return
            else:
                await self._take_in(lambda: bool(self._events) or self._frame is not None)

    async def frames(self) -> AsyncGenerator[LiveFrame, None]:
        """Frames alone; events are passed over."""
        async for message in self:
            if isinstance(message, LiveFrame):
                yield message

    async def events(self) -> AsyncGenerator[Event, None]:
        """Events alone; frames are passed over."""
        async for message in self:
            if isinstance(message, Event):
                yield message

    async def command(self, method: str, **params: Any) -> Any:
        """Run a command (`navigate`, `click`, `tabs.list`, …) and have its result; problems are raised."""
        id = next(self._ids)
        await self._send({"id": id, "type": "cmd", "method": method, "params": body(**params)})
        while id not in self._results:
            if self._is_over:
                raise Unreachable("The live connection ended before the command was answered.")
            await self._take_in(lambda: id in self._results)
        result = self._results.pop(id)
        if not result["ok"]:
            error = result["error"]
            raise rebuilt(int(error.get("status", 0)), error, {})
        return result.get("result")

    async def take_control(self) -> ControlState:
        """Have control, whoever holds it: a viewer stands for a person."""
        return ControlState.model_validate(await self.command("control.take"))

    async def release_control(self) -> ControlState:
        """Give it back."""
        return ControlState.model_validate(await self.command("control.release"))

    async def mouse(
        self,
        action: MouseAction,
        x: float,
        y: float,
        *,
        button: LiveButton = "none",
        click_count: int = 1,
        delta_x: float = 0,
        delta_y: float = 0,
        modifiers: int = 0,
        surface: Surface | None = None,
    ) -> None:
        """Move, press, release or turn the wheel; in the page's own pixels, or in those of the `surface` it lies on."""
        sent = body(
            type="input",
            device="mouse",
            action=action,
            x=x,
            y=y,
            button=button,
            click_count=click_count,
            delta_x=delta_x,
            delta_y=delta_y,
            modifiers=modifiers,
            surface=surface,
        )
        await self._send(sent)

    async def key(
        self,
        action: KeyAction,
        key: str = "",
        *,
        code: str = "",
        text: str | None = None,
        modifiers: int = 0,
        repeat: bool = False,
    ) -> None:
        """Press or release a key, as DOM names it, or put in `text` whole with `char`."""
        sent = body(
            type="input",
            device="key",
            action=action,
            key=key,
            code=code,
            text=text,
            modifiers=modifiers,
            repeat=repeat,
        )
        await self._send(sent)

    async def _send(self, message: dict[str, Any]) -> None:
        try:
            await self._socket.send(json.dumps(message))
            self._spoke_at = time.monotonic()
        except ConnectionClosed as error:
            self._is_over = True
            raise Unreachable("The live connection has ended.") from error

    async def _take_in(self, is_there: Any) -> None:
        """Read one message, unless what is wanted came while another task was reading."""
        async with self._reading:
            if is_there() or self._is_over:
                return
            try:
                self._sort(await self._socket.recv())
                # The server drops who is silent; it has something to say every few seconds itself.
                if time.monotonic() - self._spoke_at > _SILENCE:
                    await self._socket.send('{"type":"ping"}')
                    self._spoke_at = time.monotonic()
            except ConnectionClosed:
                self._is_over = True

    def _sort(self, message: str | bytes) -> None:
        if isinstance(message, bytes):
            self._frame = read_frame(message)
            return
        told = json.loads(message)
        if told["type"] == "result":
            self._results[told["id"]] = told
        elif told["type"] == "event":
            event = Event.model_validate(told)
            if event.name is EventName.READY:
                self._ready = Ready.model_validate(event.data)
            self._events.append(event)
