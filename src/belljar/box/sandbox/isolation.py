"""Puts the box's programs into a jail with one way out, as well as this host allows, and says what holds."""

import os
import socket
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from belljar.box.process import Processes, User, open_processes
from belljar.box.process.keeper import OnLink
from belljar.box.process.link import Link, StarterLost
from belljar.box.record import Bus
from belljar.box.sandbox.cgroups import Groups, Limits, make_groups
from belljar.box.sandbox.disk import DiskWatch, programs_below
from belljar.box.sandbox.egress_process import WayOut, open_way_out
from belljar.box.sandbox.folders import claim_user
from belljar.box.sandbox.image import NoImage, shrink_sized_disk
from belljar.box.sandbox.jail.bubblewrap import NAME, PROXY_PORT, Bind, Jail, jail_environment, proxy_variables
from belljar.box.sandbox.jail.jailed_starter import (
    CannotShow,
    NoJail,
    Unjailed,
    check_jail,
    remedy_for,
    starter_in,
    starter_without,
)
from belljar.box.sandbox.memory import MemoryWatch, container_group
from belljar.logs import log
from belljar.tasks import background
from belljar.wire import isolation as wire
from belljar.wire.isolation import JailMode, LimitHolder
from belljar.wire.record import EventKind

# How often the kernel is asked whether it had to end programs for memory.
MEMORY_WATCH = 1.0
MOST_ERROR_BYTES = 4096


class CannotIsolate(Exception):
    """Programs cannot be kept apart as they have to be here; the message says why and what would help."""


class CannotTighten(Exception):
    """A limit that programs which run already cannot be held to any more; the message says which."""


@dataclass(frozen=True)
class IsolationOptions:
    mode: JailMode = JailMode.AUTO
    egress: str = "public"
    allow: tuple[str, ...] = ()
    binds: tuple[Bind, ...] = ()
    limits: Limits = Limits(processes=1024)
    # Bytes of the host's disk that programs leave free.
    disk_reserve: int = 0
    name: str = "box"
    # Where an egress process listens that somebody else keeps.
    egress_socket: Path | None = None
    # Whoever put the box into a container gave that its limits of memory, processors and processes.
    has_container_limits: bool = False


@dataclass(frozen=True)
class Ground:
    """What of the host the programs stand on: folders of their own, and whom they run as."""

    home: Path
    # All they may write, the home included.
    folders: tuple[Path, ...]
    # TMPDIR, where there is no jail with a /tmp of its own.
    temporary: Path
    # What only the server writes.
    given: tuple[Path, ...] = ()
    # The box's own, unless the operator shares one.
    workspace: Path | None = None
    # Programs outside /usr.
    programs: tuple[Path, ...] = ()
    # Those of `folders` that `file:` addresses may show, beside the home.
    shown: tuple[Path, ...] = ()
    # Those of `folders` that are on a disk of their own, of the size they may have.
    sized: tuple[Path, ...] = ()
    # Bytes that were written there and have not reached the host's disk.
    unwritten: Callable[[], int] = lambda: 0
    # None where the server is not root, and everyone is the same.
    user: User | None = None
    # That disk.
    disk: Path | None = None


@dataclass
class Isolation:
    """What holds, and the way out."""

    way_out: WayOut
    report: wire.Isolation
    # Where programs find the proxy: a port of their own loopback.
    proxy_port: int
    groups: Groups
    disk: DiskWatch
    memory: MemoryWatch
    # What the box was started with, and its disk of a given size.
    limits: Limits
    sized_disk: Path | None = None

    async def tighten(self, wanted: Limits) -> None:
        """Hold all programs, those that run too, to what is lower than now.  Raises `CannotTighten`.

        What nobody held before is not held now either: the report says so.
        """
        await anyio.to_thread.run_sync(self._tighten, wanted)

    def _tighten(self, wanted: Limits) -> None:
        """Blocks: the kernel may have to make room first."""
        if kinds := self.groups.lower(self.limits, wanted):
            raise CannotTighten(f"it uses more than that already ({', '.join(kinds)})")
        if self.report.memory_limit is LimitHolder.CONTAINER and _is_below(wanted, self.limits):
            raise CannotTighten("the limits of the container around it, which is not ours to change")
        if self.report.process_limit is LimitHolder.RLIMIT and _is_lower(wanted.processes, self.limits.processes):
            raise CannotTighten("its processes limit, which each program took along when it was started")
        if _is_lower(wanted.disk_bytes, self.limits.disk_bytes):
            self._tighten_disk(wanted.disk_bytes or 0)
        self.limits = self.limits.lowered_to(wanted)

    def _tighten_disk(self, most: int) -> None:
        self.disk.limit = most if self.disk.limit is None else min(self.disk.limit, most)
        if self.sized_disk is not None:
            try:
                shrink_sized_disk(self.sized_disk, most)
            except NoImage as error:
                raise CannotTighten(f"its disk limit ({error})") from error
        tightened = self.report.disk.model_copy(update={"limit_bytes": self.disk.limit})
        self.report = self.report.model_copy(update={"disk": tightened})

    @property
    def is_jailed(self) -> bool:
        return self.report.jail

    def current_report(self) -> wire.Isolation:
        now = (self.groups.memory_kills() + self.memory.ends, self.disk.stops, _named(self.way_out.text))
        if now != (self.report.memory_kills, self.report.disk_stops, self.report.egress):
            counted = dict(zip(("memory_kills", "disk_stops", "egress"), now, strict=True))
            self.report = self.report.model_copy(update=counted)
        return self.report


@asynccontextmanager
async def open_isolation(
    processes: Processes, options: IsolationOptions, ground: Ground, bus: Bus | None = None
) -> AsyncIterator[Isolation]:
    """Everything untrusted that `processes` starts inside this block is jailed, where the host allows it.

    Where there is no jail programs run as the box's own user, if the server is root; never as root.  Raises
    `CannotIsolate` where even that cannot be, in mode `require`, and in mode `auto` for root: who starts a server as
    root and says nothing must not find the host's other users laid open.  `BadPolicy` for a policy that cannot be read.
    """
    async with AsyncExitStack() as stack:
        way_out = await stack.enter_async_context(
            open_way_out(
                processes,
                options.egress,
                options.allow,
                identity=options.name,
                bus=bus,
                elsewhere=options.egress_socket,
            )
        )
        name = f"{options.name}-{os.getpid()}"
        groups = stack.enter_context(make_groups(name, options.limits))
        port, problem = PROXY_PORT, None
        try:
            await _jail_programs(stack, processes, way_out, options, ground, groups)
        except NoJail as none:
            if _needs_jail(options, none):
                raise _refusal(options, none) from none
            if options.mode is JailMode.AUTO:
                log.warning("jail.unavailable", reason=none.reason, remedy=none.remedy)
            port, problem = await _do_without(stack, processes, way_out, options, ground, groups), none
        report = wire.Isolation(
            jail=problem is None,
            reason=problem and problem.reason,
            remedy=problem and problem.remedy,
            lock=problem and problem.lock,
            uid=ground.user and ground.user.uid,
            network="namespace" if problem is None else "host",
            egress=_named(options.egress),
            **_holders(groups, options, ground, is_jailed=problem is None),
        )
        log.info("jail.on" if report.jail else "jail.off", **report.model_dump(exclude_none=True))
        disk = DiskWatch(
            folders=(*ground.folders, ground.temporary, *([] if ground.workspace is None else [ground.workspace])),
            sized=ground.sized,
            limit=options.limits.disk_bytes,
            reserve=options.disk_reserve,
            unwritten=ground.unwritten,
            programs=lambda: programs_below(processes.starter_pid, is_jailed=report.jail),
        )
        await stack.enter_async_context(background(disk.run, name="disk watch"))
        memory = MemoryWatch(
            container_group() if options.has_container_limits else groups.memory_files(),
            programs=disk.programs,
            kernel_kills=groups.memory_kills,
        )
        await stack.enter_async_context(background(memory.run, name="memory watch"))
        told = bus or Bus()
        await stack.enter_async_context(
            background(lambda: _watch_limits(groups, disk, memory, told), name="limits watch")
        )
        yield Isolation(way_out, report, port, groups, disk, memory, limits=options.limits, sized_disk=ground.disk)


def _needs_jail(options: IsolationOptions, problem: NoJail) -> bool:
    if options.mode is JailMode.OFF:
        return False
    # A folder that cannot be shared is no reason to do without a jail.
    is_unshared = bool(options.binds) and "source path" in problem.reason
    return options.mode is JailMode.REQUIRE or os.geteuid() == 0 or is_unshared


def _refusal(options: IsolationOptions, problem: NoJail) -> CannotIsolate:
    log.error("jail.refused", reason=problem.reason, remedy=problem.remedy)
    words = f"There can be no jail: {problem.reason}. What would help: {problem.remedy}"
    if options.mode is JailMode.AUTO and os.geteuid() == 0:
        words += "; or say --jail off, and programs run without one, under a user of their own"
    return CannotIsolate(f"{words}.")


async def _jail_programs(
    stack: AsyncExitStack,
    processes: Processes,
    way_out: WayOut,
    options: IsolationOptions,
    ground: Ground,
    groups: Groups,
) -> None:
    if options.mode is JailMode.OFF:
        raise NoJail("switched off by --jail off", "start without --jail off")
    jail = Jail(
        home=ground.home,
        folders=ground.folders,
        shown=ground.shown,
        given=ground.given,
        programs=ground.programs,
        workspace=ground.workspace,
        binds=options.binds,
        user=ground.user,
        cgroups=groups.entries,
        most_processes=options.limits.processes,
        shared_memory=options.limits.memory_bytes if options.has_container_limits else None,
    )

    async def greet(link: Link) -> None:
        await way_out.listen(await link.open_socket("listen", port=PROXY_PORT), is_jailed=True)

    await enter_jail(stack, processes, jail, greet)


async def enter_jail(stack: AsyncExitStack, processes: Processes, jail: Jail, greet: OnLink) -> None:
    """Make the jail, its listener and its starter; raises `NoJail`.  Doing it is the only test that tells."""
    check_jail()
    errors, last_words = _words_of_starters(stack)
    starter, environment = starter_in(jail, errors), jail_environment(PROXY_PORT)
    try:
        await stack.enter_async_context(processes.apart(starter, environment, greet, is_jail=True))
    except (StarterLost, OSError, CannotShow) as error:
        raise NoJail.after(last_words() or str(error)) from error
    if words := last_words():
        log.warning("jail.said", words=words)


async def _do_without(
    stack: AsyncExitStack,
    processes: Processes,
    way_out: WayOut,
    options: IsolationOptions,
    ground: Ground,
    groups: Groups,
) -> int:
    """Programs share the host's network, and are told to use the proxy at the port returned: manners, not a wall."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    port: int = listener.getsockname()[1]
    await way_out.listen(listener, is_jailed=False)
    own = () if ground.workspace is None else (ground.workspace,)
    unjailed = Unjailed(
        user=ground.user,
        home=ground.home,
        own=(*ground.folders, *ground.given, *ground.programs, *own, ground.temporary),
        binds=options.binds,
        cgroups=groups.entries,
        most_processes=options.limits.processes,
    )
    environment = {**processes.environment, **proxy_variables(port)}
    if ground.user is not None:
        environment |= {"HOME": str(ground.home), "TMPDIR": str(ground.temporary), "USER": NAME, "LOGNAME": NAME}

    async def greet(link: Link) -> None:
        await link.look(path="/")

    errors, last_words = _words_of_starters(stack)
    try:
        await stack.enter_async_context(processes.apart(starter_without(unjailed, errors), environment, greet))
    except (StarterLost, OSError, CannotShow) as error:
        reason = last_words() or str(error)
        log.error("programs.refused", reason=reason)
        remedy = remedy_for(reason, otherwise="start as an ordinary user")
        raise CannotIsolate(f"No programs can be started: {reason}. What would help: {remedy}.") from error
    return port


def _words_of_starters(stack: AsyncExitStack) -> tuple[int, Callable[[], str]]:
    """A descriptor for what a starter says, and how to read the last of it; open as long as there may be a next one."""
    reader, errors = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    stack.callback(os.close, errors)
    stack.callback(os.close, reader)

    def last_words() -> str:
        try:
            words = os.read(reader, MOST_ERROR_BYTES).decode("utf-8", "replace").strip()
        except BlockingIOError:
            return ""
        return words.splitlines()[-1] if words else ""

    return errors, last_words


def _holders(groups: Groups, options: IsolationOptions, ground: Ground, *, is_jailed: bool) -> dict[str, object]:
    limits = options.limits

    def holder(kind: str, *, otherwise: LimitHolder = LimitHolder.NONE) -> LimitHolder:
        if options.has_container_limits:
            return LimitHolder.CONTAINER
        return LimitHolder.CGROUP if kind in groups.held else otherwise

    image = LimitHolder.IMAGE if ground.home in ground.sized else LimitHolder.WATCHED
    disk = LimitHolder.NONE if limits.disk_bytes is None else image
    # Without a jail the kernel would count all that this user runs on the host.
    is_alone = is_jailed or ground.user is not None
    rlimit = LimitHolder.RLIMIT if limits.processes is not None and is_alone else LimitHolder.NONE
    return {
        "memory_limit": holder("memory"),
        "process_limit": holder("processes", otherwise=rlimit),
        "cpu_limit": holder("cpu"),
        "disk_limit": disk,
        "disk": wire.DiskLimit(limit_bytes=limits.disk_bytes, enforced_by=disk),
    }


def _is_below(wanted: Limits, now: Limits) -> bool:
    """In what a container holds."""
    return (
        _is_lower(wanted.memory_bytes, now.memory_bytes)
        or _is_lower(wanted.processes, now.processes)
        or (wanted.cpus is not None and now.cpus is not None and wanted.cpus < now.cpus)
    )


def _is_lower(wanted: int | None, now: int | None) -> bool:
    return wanted is not None and now is not None and wanted < now


async def _watch_limits(groups: Groups, disk: DiskWatch, memory: MemoryWatch, bus: Bus) -> None:
    seen, stops = 0, disk.stops
    while True:
        await anyio.sleep(MEMORY_WATCH)
        kills = groups.memory_kills() + memory.ends
        if kills > seen:
            log.warning("jail.memory_kill", reason="memory", kills=kills - seen)
            bus.tell(EventKind.SYSTEM, "limit.memory", data={"killed": kills - seen})
            seen = kills
        if disk.stops > stops:
            bus.tell(EventKind.SYSTEM, "limit.disk", data={"killed": disk.stops - stops})
            stops = disk.stops


def _named(policy: str) -> str:
    """A preset by its name; a file's text is nobody's business here."""
    return policy if policy in ("public", "open", "none", "learn") else "file"


async def try_jail(state_dir: Path) -> None:
    """Make a jail with a folder below `state_dir`, and end it.  Raises `CannotIsolate` with the reason and remedy."""
    async with AsyncExitStack() as stack:
        user = stack.enter_context(claim_user())
        home = stack.enter_context(_home_of(user, state_dir))
        processes = await stack.enter_async_context(open_processes())
        jail = Jail(home=home, folders=(home,), user=user)
        try:
            await enter_jail(stack, processes, jail, _greet)
        except NoJail as problem:
            raise CannotIsolate(
                f"There can be no jail: {problem.reason}. What would help: {problem.remedy};"
                " or say --jail off, and the programs of sessions run without one."
            ) from problem


@contextmanager
def _home_of(user: User | None, state_dir: Path) -> Iterator[Path]:
    """As the folders of a box are: what is closed above them is the host's doing."""
    with tempfile.TemporaryDirectory(prefix="trial-", dir=state_dir) as top:
        os.chmod(top, 0o711)
        home = Path(top, "home").resolve()
        home.mkdir(mode=0o700)
        if user is not None:
            os.chown(home, user.uid, user.gid)
        yield home


async def _greet(link: Link) -> None:
    """As a box does: by the listener that its programs' only way out will be."""
    (await link.open_socket("listen", port=PROXY_PORT)).close()
