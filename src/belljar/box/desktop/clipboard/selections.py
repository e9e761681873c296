"""X selections on one connection: asking their owners, being one, and handing out content in pieces."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import anyio
from anyio.abc import TaskGroup

from belljar.box.display import Connection, DisplayError
from belljar.box.display.x11 import xfixes
from belljar.box.display.x11.properties import numbers
from belljar.box.display.x11.protocol import Event, X, event, request

# What fits into one request of any X server, with room for its head.
PIECE = 200_000
# How long a requestor may leave a piece unread.
_PIECE_TIMEOUT = 10.0

PNG = "image/png"
# The names under which programs ask for text, by preference.
TEXT_TARGETS = ("UTF8_STRING", "text/plain;charset=utf-8", "STRING", "TEXT", "text/plain")


def text_offer(text: str) -> dict[str, bytes]:
    encoded = text.encode()
    return {name: encoded for name in TEXT_TARGETS if name != "STRING"} | {"STRING": text.encode("latin-1", "replace")}


async def serve(server: Connection, asked: Event, data: Mapping[str, bytes]) -> None:
    """Answer one request; a type that is not on offer is refused."""
    target = await server.atom_name(asked.target)
    # Old programs leave the choice of the property to us.
    place = asked.property or asked.target
    if target == "TARGETS":
        atoms = await server.atoms("TARGETS", "MULTIPLE", *data)
        await _write(server, asked.requestor, place, await server.atom("ATOM"), atoms)
        _notify(server, asked, place)
    elif target == "MULTIPLE":
        await _serve_several(server, asked, place, data)
        _notify(server, asked, place)
    elif target not in data:
        _notify(server, asked, X.NONE)
    elif len(data[target]) <= PIECE:
        await _write(server, asked.requestor, place, await _type(server, target), data[target])
        _notify(server, asked, place)
    else:
        await _serve_in_pieces(server, asked, place, target, data[target])
    await server.sync()


async def _serve_several(server: Connection, asked: Event, place: int, data: Mapping[str, bytes]) -> None:
    """MULTIPLE: pairs of type and property, of which those that cannot be had are struck out."""
    pair = await server.atom("ATOM_PAIR")
    reply = await server.ask(
        request.GetProperty, delete=0, window=asked.requestor, property=place, type=0, long_offset=0, long_length=256
    )
    wanted = list(reply.value[1]) if reply.value else []
    done = []
    for target, where in zip(wanted[::2], wanted[1::2], strict=False):
        name = await server.atom_name(target)
        is_there = name in data and len(data[name]) <= PIECE
        if is_there:
            await _write(server, asked.requestor, where, await _type(server, name), data[name])
        done += [target, where if is_there else X.NONE]
    await _write(server, asked.requestor, place, pair, done)


async def _serve_in_pieces(server: Connection, asked: Event, place: int, target: str, data: bytes) -> None:
    """INCR: the requestor deletes each piece when it has read it, and gets the next; an empty one ends it."""
    deleted = anyio.Event()

    def look(happened: Event) -> None:
        if happened.type == X.PropertyNotify and happened.window == asked.requestor and happened.atom == place:
            if happened.state == X.PropertyDelete:
                deleted.set()

    off = server.listen(look)
    try:
        watch = {"event_mask": X.PropertyChangeMask}
        await server.do(request.ChangeWindowAttributes, window=asked.requestor, attrs=watch)
        await _write(server, asked.requestor, place, await server.atom("INCR"), [len(data)])
        _notify(server, asked, place)
        kind = await _type(server, target)
        for start in range(0, len(data) + PIECE, PIECE):
            with anyio.move_on_after(_PIECE_TIMEOUT) as patience:
                await deleted.wait()
            if patience.cancelled_caught:
                return
            deleted = anyio.Event()
            await _write(server, asked.requestor, place, kind, data[start : start + PIECE])
    finally:
        off()
        if not server.closed.is_set():
            server.post(request.ChangeWindowAttributes, window=asked.requestor, attrs={"event_mask": 0})


async def _type(server: Connection, target: str) -> int:
    """TEXT leaves the type to us."""
    return await server.atom("UTF8_STRING" if target == "TEXT" else target)


async def _write(server: Connection, window: int, place: int, kind: int, data: bytes | list[int]) -> None:
    await server.do(
        request.ChangeProperty,
        mode=X.PropModeReplace,
        window=window,
        property=place,
        type=kind,
        data=(8, data) if isinstance(data, bytes) else (32, data),
    )


def _notify(server: Connection, asked: Event, place: int) -> None:
    happened = event.SelectionNotify(
        time=asked.time, requestor=asked.requestor, selection=asked.selection, target=asked.target, property=place
    )
    server.post(request.SendEvent, propagate=0, destination=asked.requestor, event_mask=0, event=happened)


# How long an owner may take over each step of handing its content over.
STEP_TIMEOUT = 3.0
MOST_BYTES = 16 * 1024 * 1024
_PROPERTY = "BELLJAR_SELECTION"


class OwnerSilent(Exception):
    """The selection's owner does not hand its content over, or too much of it."""


@dataclass
class OfferedContent:
    """What we offer, by the name of its type."""

    data: Mapping[str, bytes] = field(default_factory=dict)


class Selections:
    """Our window for selections.  `changed` is called with a selection's name and owner, 0 for none, 1 for us."""

    def __init__(self, server: Connection, tasks: TaskGroup, changed: Callable[[str, int], None]) -> None:
        self.server = server
        self._tasks = tasks
        self._changed = changed
        self._window = server.new_id()
        self._names: dict[int, str] = {}
        self._owned: dict[str, OfferedContent] = {}
        # One question at a time: answers are told apart by the property they come in.
        self._turn = anyio.Lock()
        self._notified = anyio.Event()
        self._refused = False
        self._written = anyio.Event()
        # The selection that is asked for, the step that its owner owes us, and whether it has gone instead.
        self._asked = 0
        self._awaited = anyio.Event()
        self._is_ownerless = False

    async def open(self, names: tuple[str, ...]) -> None:
        """Make the window and watch the owners of `names`."""
        server = self.server
        opcode = await xfixes.opcode(server)
        self._property = await server.atom(_PROPERTY)
        self._owner_changed = server.event_code(xfixes.OwnerChanged)
        server.post(
            request.CreateWindow,
            depth=0,
            wid=self._window,
            parent=server.root,
            x=0,
            y=0,
            width=1,
            height=1,
            border_width=0,
            window_class=X.InputOnly,
            visual=X.CopyFromParent,
            attrs={"event_mask": X.PropertyChangeMask},
        )
        server.listen(self._on_event)
        for name in names:
            atom = await server.atom(name)
            self._names[atom] = name
            await server.do(
                xfixes.SelectSelectionInput,
                opcode=opcode,
                window=self._window,
                selection=atom,
                mask=xfixes.ALL_CHANGES,
            )

    async def owner(self, name: str) -> int:
        found: int = (await self.server.ask(request.GetSelectionOwner, selection=await self.server.atom(name))).owner
        return found

    def offered_by_us(self, name: str) -> Mapping[str, bytes] | None:
        return self._owned[name].data if name in self._owned else None

    async def own(self, name: str, data: Mapping[str, bytes]) -> None:
        """Become the owner of `name`, offering `data`."""
        self._owned[name] = OfferedContent(data)
        await self.server.do(
            request.SetSelectionOwner, window=self._window, selection=await self.server.atom(name), time=X.CurrentTime
        )

    async def targets(self, name: str) -> list[str]:
        """The types the owner offers; none where there is no owner or it does not say."""
        reply = await self._ask(name, "TARGETS")
        return [await self.server.atom_name(atom) for atom in numbers(reply) if atom] if reply else []

    async def fetch(self, name: str, target: str) -> bytes | None:
        """The owner's content as `target`; None where it does not have it.  Raises `OwnerSilent`."""
        reply = await self._ask(name, target)
        if reply is None:
            return None
        return b"".join(reply.pieces)

    async def _ask(self, name: str, target: str) -> "_Content | None":
        server = self.server
        selection, kind, incr = await server.atoms(name, target, "INCR")
        async with self._turn:
            self._notified, self._refused = anyio.Event(), False
            self._asked, self._is_ownerless = selection, False
            await server.do(
                request.ConvertSelection,
                requestor=self._window,
                selection=selection,
                target=kind,
                property=self._property,
                time=X.CurrentTime,
            )
            await self._within(self._notified)
            if self._refused:
                return None
            self._written = anyio.Event()
            first = await self._take()
            if first.kind != incr:
                return first
            return await self._take_rest(first)

    async def _take_rest(self, content: "_Content") -> "_Content":
        """Content in pieces: each is written when the one before was deleted; an empty one is the end."""
        content = _Content(content.kind, content.width, [])
        size = 0
        while True:
            await self._within(self._written)
            self._written = anyio.Event()
            piece = await self._take()
            if not piece.pieces[0]:
                return content
            size += len(piece.pieces[0])
            if size > MOST_BYTES:
                raise OwnerSilent(f"the content is over {MOST_BYTES} bytes")
            content.pieces.append(piece.pieces[0])

    async def _take(self) -> "_Content":
        """Read our property and delete it."""
        reply = await self.server.ask(
            request.GetProperty,
            delete=1,
            window=self._window,
            property=self._property,
            type=0,
            long_offset=0,
            long_length=MOST_BYTES // 4,
        )
        if reply.bytes_after:
            raise OwnerSilent(f"the content is over {MOST_BYTES} bytes")
        width, data = reply.value if reply.value else (8, b"")
        return _Content(reply.property_type, width, [bytes(data)])

    async def _within(self, event: anyio.Event) -> None:
        """Wait for the owner's next step."""
        self._awaited = event
        with anyio.move_on_after(STEP_TIMEOUT):
            await event.wait()
        if not event.is_set():
            raise OwnerSilent("the owner does not answer")
        if self._is_ownerless:
            raise OwnerSilent("the owner has gone")

    def _on_event(self, happened: Event) -> None:
        match happened.type:
            case X.SelectionNotify if happened.requestor == self._window:
                self._refused = happened.property == X.NONE
                self._notified.set()
            case X.PropertyNotify if happened.window == self._window and happened.atom == self._property:
                if happened.state == X.PropertyNewValue:
                    self._written.set()
            case X.SelectionRequest if happened.owner == self._window:
                owned = self._owned.get(self._names.get(happened.selection, ""), OfferedContent())
                self._tasks.start_soon(self._serve, happened, owned.data, name="selection")
            case X.SelectionClear if happened.window == self._window:
                self._owned.pop(self._names.get(happened.atom, ""), None)
            case _ if happened.type == self._owner_changed:
                owner = 1 if happened.owner == self._window else happened.owner
                if not owner and happened.selection == self._asked and not self._awaited.is_set():
                    # X tells only those who ask after this.
                    self._is_ownerless = True
                    self._awaited.set()
                self._changed(self._names.get(happened.selection, ""), owner)

    async def _serve(self, asked: Event, data: Mapping[str, bytes]) -> None:
        try:
            await serve(self.server, asked, data)
        except DisplayError:
            # Whoever asked has gone.
            return


@dataclass
class _Content:
    kind: int
    width: int
    pieces: list[bytes]

    @property
    def value(self) -> tuple[int, list[int]]:
        """As `numbers` wants it."""
        data = b"".join(self.pieces)
        return self.width, [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]
