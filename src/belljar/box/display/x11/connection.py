"""One connection to an X server on the event loop: requests out, replies and events in, nothing that blocks."""

import asyncio
import socket
import struct
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import anyio

from belljar.box.display.x11.protocol import XClosed, XError, XTimeout, event, pack, parse_event, parse_reply, request

# How long an X server may take to answer one request; a healthy one takes a tenth of a millisecond.
ANSWER_TIMEOUT = 5.0
# What may wait to be sent to a server that does not read; a healthy one leaves nothing behind.
UNSENT_BYTES = 32 * 1024 * 1024

# Read at once: a program that floods us with events must leave the loop time for others.
_SIP = 32 * 1024
_GENERIC_EVENT = 35

Listener = Callable[[object], None]


class Connection:
    """An open, authenticated connection.

    `ask` sends a request and gives its reply; `post` sends one that has none; `sync` returns once the server has
    carried out all that was sent before, and raises the first error any of the given posts met.  Requests leave in
    the order they were made, whoever made them.  When the server goes away everything that waits raises `XClosed`,
    and `closed` is set.
    """

    def __init__(self, sock: socket.socket, setup: Any) -> None:
        self._socket = sock
        self._loop = asyncio.get_running_loop()
        self.setup = setup
        self.root: int = setup.roots[0]["root"]
        self.closed = anyio.Event()
        self._why_closed = "the connection is closed"
        self._serial = 0
        # Requests whose outcome somebody awaits, oldest first.
        self._waiting: deque[_Waiting] = deque()
        self._unsent = bytearray()
        self._received = bytearray()
        # What is still to come of a packet that has begun.
        self._missing = 0
        self._next_resource = 0
        self._extensions: dict[str, Extension] = {}
        # Those whose version was asked for and whose events are named, one at a time.
        self._prepared: set[str] = set()
        self._preparing = anyio.Lock()
        self._atoms: dict[str, int] = {}
        self._atom_names: dict[int, str] = {}
        self._event_kinds: dict[int, object] = dict(event.event_class)
        self._listeners: list[Listener] = []
        self._at_end: list[Callable[[], None]] = []
        self._loop.add_reader(sock, self._read)

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        self._end("the connection was closed by us")

    def new_id(self) -> int:
        """A fresh resource id.  They are never reused: the mask leaves room for two million."""
        self._next_resource += 1
        base: int = self.setup.resource_id_base
        return base | self._next_resource

    # Requests

    async def ask(self, kind: Any, **fields: Any) -> Any:
        return await self._answer(self.asking(kind, **fields))

    def asking(self, kind: object, **fields: object) -> "asyncio.Future[object]":
        """Send now, await later: several of these in a row cost one round trip."""
        return self._send(kind, fields, wants_reply=True)

    def post(self, kind: object, *, descriptors: Sequence[int] = (), **fields: object) -> "asyncio.Future[object]":
        """Send a request that has no reply; pass what it returns to `sync` to learn of its error."""
        return self._send(kind, fields, wants_reply=False, descriptors=descriptors)

    def post_packed(self, packed: Sequence[bytes]) -> "asyncio.Future[object]":
        """Send requests without replies that are packed already, all in one go."""
        self._check_open()
        self._serial += len(packed)
        future: asyncio.Future[object] = self._loop.create_future()
        self._waiting.append(_Waiting(self._serial, None, future, span=len(packed)))
        self._write(b"".join(packed), ())
        return future

    async def sync(self, posts: "Sequence[asyncio.Future[object]]" = ()) -> None:
        await self.ask(request.GetInputFocus)
        for posted in posts:
            posted.result()

    async def do(self, kind: Any, **fields: Any) -> None:
        """`post` and `sync` in one: the server has done it when this returns."""
        await self.sync([self.post(kind, **fields)])

    async def gather(self, asked: "Sequence[asyncio.Future[Any]]") -> list[Any]:
        """The outcomes of `asked`, an `XError` in the place of a reply that was refused."""
        for future in asked:
            try:
                await self._answer(future)
            except XError:
                continue
        return [future.exception() or future.result() for future in asked]

    # Events and extensions

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every event, on the loop; returns what takes it off again."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def listen_for_change(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` on every event, and when the server goes away: there is then nothing more to wait for."""
        off = self.listen(lambda _: wake())
        self._at_end.append(wake)

        def take_off() -> None:
            off()
            self._at_end.remove(wake)

        return take_off

    async def extension(self, name: str) -> "Extension":
        """The extension's numbers on this server; raises `XClosed` where the server lacks it."""
        if name not in self._extensions:
            found = await self.ask(request.QueryExtension, name=name)
            if not found.present:
                raise XClosed(f"the X server has no {name} extension")
            self._extensions[name] = Extension(found.major_opcode, found.first_event, found.first_error)
        return self._extensions[name]

    async def prepared(self, name: str, prepare: "Callable[[Extension], Awaitable[None]]") -> "Extension":
        """The extension once `prepare` is through with it, which happens once for each connection.

        Who comes meanwhile waits: without its events named, one would listen for them in vain.
        """
        extension = await self.extension(name)
        async with self._preparing:
            if name not in self._prepared:
                await prepare(extension)
                self._prepared.add(name)
        return extension

    def name_event(self, code: int, kind: object) -> None:
        """Tell how to read an extension's event."""
        self._event_kinds[code] = kind

    def event_code(self, kind: object) -> int:
        """The number of an extension's event on this server, -1 where it was not named."""
        return next((code for code, known in self._event_kinds.items() if known is kind), -1)

    async def atom(self, name: str) -> int:
        if name not in self._atoms:
            self._remember(name, (await self.ask(request.InternAtom, name=name, only_if_exists=0)).atom)
        return self._atoms[name]

    async def atoms(self, *names: str) -> list[int]:
        asked = {n: self.asking(request.InternAtom, name=n, only_if_exists=0) for n in names if n not in self._atoms}
        for name, future in asked.items():
            self._remember(name, (await self._answer(future)).atom)
        return [self._atoms[name] for name in names]

    async def atom_name(self, atom: int) -> str:
        if atom not in self._atom_names:
            name = (await self.ask(request.GetAtomName, atom=atom)).name
            self._remember(name.decode("latin-1") if isinstance(name, bytes) else name, atom)
        return self._atom_names[atom]

    def _remember(self, name: str, atom: int) -> None:
        self._atoms[name] = atom
        self._atom_names[atom] = name

    # The wire

    async def _answer(self, future: "asyncio.Future[Any]") -> Any:
        try:
            with anyio.fail_after(ANSWER_TIMEOUT):
                return await future
        except TimeoutError:
            raise XTimeout(f"the X server did not answer within {ANSWER_TIMEOUT:g} s") from None

    def _send(
        self, kind: object, fields: dict[str, object], *, wants_reply: bool, descriptors: Sequence[int] = ()
    ) -> "asyncio.Future[object]":
        self._check_open()
        data = pack(kind, fields)
        self._serial += 1
        future: asyncio.Future[object] = self._loop.create_future()
        self._waiting.append(_Waiting(self._serial, kind if wants_reply else None, future))
        self._write(data, descriptors)
        return future

    def _check_open(self) -> None:
        if self.closed.is_set():
            raise XClosed(self._why_closed)

    def _write(self, data: bytes, descriptors: Sequence[int]) -> None:
        if len(self._unsent) > UNSENT_BYTES or (self._unsent and descriptors):
            self._end("the X server does not take requests any more")
            raise XClosed(self._why_closed)
        sent = 0
        if not self._unsent:
            try:
                if descriptors:
                    sent = socket.send_fds(self._socket, [data], list(descriptors))
                else:
                    sent = self._socket.send(data)
            except BlockingIOError:
                sent = 0
            except OSError as error:
                self._end(f"the X server is gone ({error.strerror})")
                raise XClosed(self._why_closed) from error
        if sent < len(data):
            if not self._unsent:
                self._loop.add_writer(self._socket, self._flush)
            self._unsent += data[sent:]

    def _flush(self) -> None:
        try:
            sent = self._socket.send(self._unsent)
        except BlockingIOError:
            return
        except OSError as error:
            self._end(f"the X server is gone ({error.strerror})")
            return
        del self._unsent[:sent]
        if not self._unsent:
            self._loop.remove_writer(self._socket)

    def _read(self) -> None:
        try:
            data = self._socket.recv(max(_SIP, self._missing))
        except BlockingIOError:
            return
        except OSError as error:
            self._end(f"the X server is gone ({error.strerror})")
            return
        if not data:
            self._end("the X server is gone")
            return
        self._received += data
        self._take_packets()

    def _take_packets(self) -> None:
        start, received = 0, self._received
        self._missing = 0
        while len(received) - start >= 32:
            code = received[start]
            size = 32
            if code == 1 or code & 0x7F == _GENERIC_EVENT:
                size += 4 * struct.unpack_from("<I", received, start + 4)[0]
            if len(received) - start < size:
                self._missing = size - (len(received) - start)
                break
            packet = bytes(received[start : start + size])
            start += size
            self._take(packet)
        del received[:start]

    def _take(self, packet: bytes) -> None:
        code = packet[0]
        if code & 0x7F != 11:  # KeymapNotify is the one packet without a serial.
            self._settle_before(struct.unpack_from("<H", packet, 2)[0], including=code > 1)
        if code == 0:
            self._fail_first(packet)
        elif code == 1:
            self._reply_first(packet)
        else:
            self._announce(packet)

    def _settle_before(self, serial: int, *, including: bool) -> None:
        """Everything older than `serial` has been carried out: an error would have come before this packet.

        An event carries the serial of the last request that was carried out, so a post of that serial is done too.
        """
        while self._waiting:
            first = self._waiting[0]
            behind = (serial - first.serial) & 0xFFFF
            if behind >= 0x8000 or (behind == 0 and not (including and first.kind is None)):
                return
            self._waiting.popleft()
            if not first.future.done():
                first.future.set_result(None)

    def _fail_first(self, packet: bytes) -> None:
        if not self._waiting:
            return
        first = self._waiting[0]
        ahead = (first.serial - struct.unpack_from("<H", packet, 2)[0]) & 0xFFFF
        if ahead >= first.span:
            return
        if ahead == 0:
            self._waiting.popleft()
        if not first.future.done():
            first.future.set_exception(XError(packet))
            # Not everyone asks how a post went; asyncio would complain about the unread error.
            first.future.exception()

    def _reply_first(self, packet: bytes) -> None:
        if not self._waiting:
            return
        first = self._waiting.popleft()
        if not first.future.done():
            first.future.set_result(parse_reply(first.kind, packet))

    def _announce(self, packet: bytes) -> None:
        kind = self._event_kinds.get(packet[0] & 0x7F)
        if kind is None or not self._listeners:
            return
        happened = parse_event(kind, packet)
        for listener in tuple(self._listeners):
            listener(happened)

    def _end(self, why: str) -> None:
        if self.closed.is_set():
            return
        self._why_closed = why
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._socket.close()
        self.closed.set()
        for waiting in self._waiting:
            if not waiting.future.done():
                waiting.future.set_exception(XClosed(why))
                waiting.future.exception()
        self._waiting.clear()
        for wake in tuple(self._at_end):
            wake()


class _Waiting:
    __slots__ = ("future", "kind", "serial", "span")

    def __init__(self, serial: int, kind: object, future: "asyncio.Future[object]", span: int = 1) -> None:
        self.serial = serial
        # How many requests this stands for, `serial` being the last of them.
        self.span = span
        # The request class whose reply this is, None for a request that has none.
        self.kind = kind
        self.future = future


class Extension:
    """Where a server has put an extension."""

    __slots__ = ("first_error", "first_event", "opcode")

    def __init__(self, opcode: int, first_event: int, first_error: int) -> None:
        self.opcode = opcode
        self.first_event = first_event
        self.first_error = first_error
