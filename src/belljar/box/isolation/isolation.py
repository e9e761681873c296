"""Puts the box's programs into a jail with one way out, as well as this host allows, and says what holds."""

import os
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import structlog

from belljar.box.isolation.cgroups import Groups, Limits, make_groups
from belljar.box.isolation.disk import DiskWatch
from belljar.box.isolation.image import NoImage, shrink_sized_disk
from belljar.box.isolation.wayout import WayOut, open_way_out
from belljar.box.process import Processes, User
from belljar.box.process.jail import PROXY_PORT, Bind, Jail, jail_environment, proxy_variables
from belljar.box.process.jailed import NoJail, check_jail, remedy, starter_in
from belljar.box.process.link import Link, StarterLost
from belljar.tasks import background
from belljar.wire import isolation as wire
from belljar.wire.isolation import JailMode, LimitHolder

log = structlog.get_logger(__name__)

# How often the kernel is asked whether it had to end programs for memory.
MEMORY_WATCH = 1.0
MOST_ERROR_BYTES = 4096


class CannotIsolate(Exception):
    """`--jail require` on a host that has none to give; the message says why and what would help."""


class CannotTighten(Exception):
    """A limit that programs which run already cannot be held to any more; the message says which."""


@dataclass(frozen=True)
class IsolationOptions:
    mode: JailMode = JailMode.AUTO
    egress: str = "public"
    allow: tuple[str, ...] = ()
    binds: tuple[Bind, ...] = ()
    limits: Limits = Limits(processes=1024)
    name: str = "box"


@dataclass(frozen=True)
class Ground:
    """What of the host the programs stand on: folders of their own, and whom they run as."""

    home: Path
    # All they may write, the home included.
    folders: tuple[Path, ...]
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
    groups: Groups = field(default_factory=Groups)
    disk: DiskWatch | None = None
    # What the box was started with, and its disk of a given size.
    limits: Limits = Limits()
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
        if self.report.process_limit is LimitHolder.RLIMIT and _is_lower(wanted.processes, self.limits.processes):
            raise CannotTighten("its processes limit, which each program took along when it was started")
        if _is_lower(wanted.disk_bytes, self.limits.disk_bytes):
            self._tighten_disk(wanted.disk_bytes or 0)
        self.limits = self.limits.lowered_to(wanted)

    def _tighten_disk(self, most: int) -> None:
        if self.disk is not None:
            self.disk.limit = min(self.disk.limit, most)
        if self.sized_disk is not None:
            try:
                shrink_sized_disk(self.sized_disk, most)
            except NoImage as error:
                raise CannotTighten(f"its disk limit ({error})") from error

    @property
    def is_jailed(self) -> bool:
        return self.report.jail

    def current_report(self) -> wire.Isolation:
        return self.report.model_copy(
            update={
                "memory_kills": self.groups.memory_kills(),
                "disk_stops": 0 if self.disk is None else self.disk.stops,
                "egress": _named(self.way_out.text),
            }
        )


@asynccontextmanager
async def open_isolation(processes: Processes, options: IsolationOptions, ground: Ground) -> AsyncIterator[Isolation]:
    """Everything untrusted that `processes` starts inside this block is jailed, where the host allows it.

    Raises `CannotIsolate` in mode `require`, and `BadPolicy` for a policy that cannot be read.
    """
    async with AsyncExitStack() as stack:
        way_out = await stack.enter_async_context(
            open_way_out(processes, options.egress, options.allow, identity=options.name)
        )
        name = f"{options.name}-{os.getpid()}"
        groups = stack.enter_context(make_groups(name, options.limits))
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
        )
        try:
            await _enter(stack, processes, way_out, jail, options.mode)
        except NoJail as problem:
            # A folder that cannot be shared is no reason to do without a jail.
            is_unshared = bool(options.binds) and "source path" in problem.reason
            if is_unshared or options.mode is JailMode.REQUIRE:
                remedy = "share a folder that everybody may use, or run as its owner" if is_unshared else problem.remedy
                log.error("jail.refused", reason=problem.reason, remedy=remedy)
                raise CannotIsolate(f"{problem.reason}. What would help: {remedy}") from problem
            if options.mode is JailMode.AUTO:
                log.warning("jail.unavailable", reason=problem.reason, remedy=problem.remedy)
            yield await _without_jail(processes, way_out, options, problem)
            return
        report = wire.Isolation(
            jail=True,
            uid=ground.user and ground.user.uid,
            network="namespace",
            egress=_named(options.egress),
            **_holders(groups, options.limits, ground),
        )
        log.info("jail.on", **report.model_dump(exclude_none=True))
        isolation = Isolation(way_out, report, PROXY_PORT, groups, limits=options.limits, sized_disk=ground.disk)
        await stack.enter_async_context(background(lambda: _watch_memory(groups), name="memory watch"))
        if options.limits.disk_bytes is not None:
            own = () if ground.workspace is None else (ground.workspace,)
            watched = [folder for folder in (*ground.folders, *own) if folder not in ground.sized]
            isolation.disk = DiskWatch(watched, options.limits.disk_bytes)
            await stack.enter_async_context(background(isolation.disk.run, name="disk watch"))
        yield isolation


async def _enter(stack: AsyncExitStack, processes: Processes, way_out: WayOut, jail: Jail, mode: JailMode) -> None:
    """Make the jail, its listener and its starter; raises `NoJail`.  Doing it is the only test that tells."""
    if mode is JailMode.OFF:
        raise NoJail("switched off by --jail off", "start without --jail off")
    check_jail()

    async def greet(link: Link) -> None:
        await way_out.listen(await link.open_socket("listen", port=PROXY_PORT), is_jailed=True)

    reader, errors = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    stack.callback(os.close, errors)
    stack.callback(os.close, reader)
    try:
        await stack.enter_async_context(
            processes.in_jail(starter_in(jail, errors), jail_environment(PROXY_PORT), greet)
        )
    except (StarterLost, OSError) as error:
        raise NoJail(_last_words(reader) or str(error), remedy()) from error
    if words := _last_words(reader):
        log.warning("jail.said", words=words)


async def _without_jail(processes: Processes, way_out: WayOut, options: IsolationOptions, problem: NoJail) -> Isolation:
    """Programs share the host's network, and are told to use the proxy: manners, not a wall."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    port = listener.getsockname()[1]
    await way_out.listen(listener, is_jailed=False)
    processes.add_environment(proxy_variables(port))
    report = wire.Isolation(
        jail=False, reason=problem.reason, remedy=problem.remedy, network="host", egress=_named(options.egress)
    )
    return Isolation(way_out, report, port)


def _holders(groups: Groups, limits: Limits, ground: Ground) -> dict[str, LimitHolder]:
    def holder(kind: str, *, otherwise: LimitHolder = LimitHolder.NONE) -> LimitHolder:
        return LimitHolder.CGROUP if kind in groups.held else otherwise

    disk = LimitHolder.IMAGE if ground.home in ground.sized else LimitHolder.WATCHED
    rlimit = LimitHolder.RLIMIT if limits.processes is not None else LimitHolder.NONE
    return {
        "memory_limit": holder("memory"),
        "process_limit": holder("processes", otherwise=rlimit),
        "cpu_limit": holder("cpu"),
        "disk_limit": LimitHolder.NONE if limits.disk_bytes is None else disk,
    }


def _is_lower(wanted: int | None, now: int | None) -> bool:
    return wanted is not None and now is not None and wanted < now


async def _watch_memory(groups: Groups) -> None:
    seen = groups.memory_kills()
    while True:
        await anyio.sleep(MEMORY_WATCH)
        kills = groups.memory_kills()
        if kills > seen:
            log.warning("jail.memory_kill", reason="memory", kills=kills - seen)
            seen = kills


def _last_words(reader: int) -> str:
    try:
        words = os.read(reader, MOST_ERROR_BYTES).decode("utf-8", "replace").strip()
    except BlockingIOError:
        return ""
    return words.splitlines()[-1] if words else ""


def _named(policy: str) -> str:
    """A preset by its name; a file's text is nobody's business here."""
    return policy if policy in ("public", "open", "none", "learn") else "file"
