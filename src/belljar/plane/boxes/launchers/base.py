"""What a launcher is."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NewType, Protocol

# What a launcher needs to find a box again: a value of JSON, kept in the database and perhaps used by another process.
# What is in it only the launcher that made it knows.
Handle = NewType("Handle", object)
Keep = Callable[[Handle], Awaitable[None]]


@dataclass(frozen=True)
class BoxSpec:
    """Everything a launcher must know to make a box."""

    box_id: str
    # Signs who calls; it reaches the box by a file or a descriptor, never by its arguments or environment.
    key: bytes
    # Seconds after which the box ends itself unless somebody claimed it.
    expires_in: float
    # Further flags of `belljar box` (`--jail`, `--allow`, …), decided by us and never by a caller's text.
    flags: Sequence[str] = ()
    # Where its programs may connect to: a preset's name or a policy's text, which may hold passwords of proxies.
    egress: str = "public"
    # A browser profile the box runs on, and whether on a copy of it; it is back in its place once the box is gone.
    profile: tuple[str, bool] | None = None


@dataclass(frozen=True)
class Address:
    """Where a box, or another control plane, listens: a Unix socket, or a host and port."""

    path: str | None = None
    host: str | None = None
    port: int = 0
    is_tls: bool = False


@dataclass(frozen=True)
class Found:
    """A box of this installation and place that exists in some form, its handle as far as that can be found out."""

    box_id: str
    handle: Handle


@dataclass(frozen=True)
class Stats:
    memory: int = 0  # bytes, shared pages divided among those who share them
    cpu_seconds: float = 0.0
    processes: int = 0


@dataclass(frozen=True)
class Room:
    """What there is for further boxes where they are made, in bytes; without end where that is not ours to count."""

    memory: int = sys.maxsize  # that a box could use without pushing others out
    disk: int = sys.maxsize  # that boxes could still write
    takes_more: bool = True  # whether a further box could be started at all just now


@dataclass(frozen=True)
class Ending:
    """How a box came to its end, as far as its launcher can tell."""

    was_oom: bool = False
    # Somebody else needed the room: whoever looks after the hosts of boxes ended it.
    was_evicted: bool = False
    detail: str = ""


@dataclass(frozen=True)
class Recording:
    """A film that a box made."""

    id: str
    bytes: int
    # In seconds since 1970.
    written_at: float


@dataclass(frozen=True)
class BoxRecord:
    """Where a box's record can be read, and the films that it names."""

    folder: Path
    films: Sequence[Path] = ()


class LaunchError(Exception):
    """A box could not be made; the message is for the log."""


class Launcher(Protocol):
    """Makes boxes and removes them.  In the order an implementer meets it:

    `place` names where its boxes are: every control plane whose launcher has the same one can reach and remove them.
    On one host it is the host's name.  `starts_at_once` says how many boxes may be starting at a time, and
    `warm_starts_at_once` how many of those nobody waits for yet.  `room` is what there is for more; it is asked for
    with each session, so it must be quick.

    `launch` makes a box named after `spec.box_id` and installation, so that a crash leaves nothing that `find_all`
    could not find.  It calls `keep` with a handle as soon as anything exists that would have to be removed, and again
    whenever the handle grows; it returns the last one once the box answers `/readyz`.  It raises `LaunchError` when
    the box ends before that, and may be cancelled at any point (how long to wait is the caller's business); either
    way the caller destroys the box with the last handle it was given to keep, and nothing else need be left behind.

    `lend_profile` gives a running box a browser profile, as `spec.profile` would have; it is back in its place once the
    box is gone.  It raises `LaunchError` where the profile is not to be found.

    `hold_egress` is called before a box is told of a policy that lets out more than the one it was launched with.
    Where something outside of the box carries its policy out, that is held to what `change` makes of the policy it was
    held to, so that nobody who takes the box over lets out more; else there is nothing to do.

    `address` says where a box with this handle listens; it is pure.

    `is_alive` may say yes for a box that is on its way down, and never no for one that still lives: silence of whoever
    would know is no death.  It is asked about every session every second, so a launcher that must ask over a network
    answers from what it was last told.  `wait_ended` returns when it would say no.

    `destroy` removes everything there is of a box, its folder, socket and children included, and returns only when
    they are gone.  Any handle that was ever kept will do, and none: what it does not say, the launcher looks for.
    Already gone is success, a handle from before a reboot is success, twice is fine.  What is worth keeping outlives
    it: `log` is the box's log, `recordings` lists its films and `recording` reads one from `start` up to `end`, while
    the box lives and after, until `forget` removes what was kept of boxes that ended before then.  Of a box or a film
    that is not known they give nothing.  `record` gives a folder with the box's record for as long as its block, where
    that is not on this host a copy; None where there is none.

    `find_all` lists what exists of this installation in this place, whoever made it.  `stats` may be costly.
    """

    @property
    def place(self) -> str: ...

    @property
    def starts_at_once(self) -> int: ...

    @property
    def warm_starts_at_once(self) -> int: ...

    async def room(self) -> Room: ...

    async def launch(self, spec: BoxSpec, keep: Keep) -> Handle: ...

    async def lend_profile(self, handle: Handle, id: str, *, read_only: bool) -> None: ...

    async def hold_egress(self, box_id: str, change: Callable[[str], str]) -> None: ...

    def address(self, handle: Handle) -> Address: ...

    async def is_alive(self, handle: Handle) -> bool: ...

    async def wait_ended(self, handle: Handle) -> Ending: ...

    async def destroy(self, box_id: str, handle: Handle | None) -> None: ...

    async def find_all(self) -> Sequence[Found]: ...

    async def stats(self, handle: Handle) -> Stats: ...

    def log(self, box_id: str) -> AsyncIterator[bytes]: ...

    async def recordings(self, box_id: str) -> Sequence[Recording]: ...

    def recording(self, box_id: str, id: str, start: int, end: int) -> AsyncIterator[bytes]: ...

    def record(self, box_id: str) -> AbstractAsyncContextManager[BoxRecord | None]: ...

    async def forget(self, before: float) -> None: ...


@dataclass
class HandleRecorder:
    """A `keep` that remembers in memory, for callers that have nothing else."""

    handles: list[Handle] = field(default_factory=list)

    async def __call__(self, handle: Handle) -> None:
        self.handles.append(handle)
