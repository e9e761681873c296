"""Boxes on this host: a process each, in a folder of its own, on a Unix socket nobody else can reach."""

import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import anyio

from belljar.boxprocess import start_box
from belljar.plane import kernel
from belljar.plane.boxes.launchers.base import (
    Address,
    BoxSpec,
    Ending,
    Found,
    Handle,
    Keep,
    LaunchError,
    Room,
    Stats,
)
from belljar.plane.boxes.launchers.box_folders import BoxFolders
from belljar.plane.boxes.launchers.folder_launcher import FolderLauncher
from belljar.plane.kernel import OomKills, ProcessId

# How long a box may take to close its browser and finish its recordings.
_GRACE = 10.0
_KILLED_WITHIN = 5.0


class LocalLauncher(FolderLauncher):
    def __init__(self, state_dir: Path, installation: str, host: str) -> None:
        self._state_dir = state_dir
        self._mark = f"{installation}@{host}"
        super().__init__(BoxFolders(state_dir, self._mark))
        # A box is its host's alone.
        self.place = host
        self.starts_at_once = 2 * (os.cpu_count() or 1)
        # So that sessions have the machine to themselves.
        self.warm_starts_at_once = 1
        # Our own children, which we must reap.
        self._children: dict[int, subprocess.Popen[bytes]] = {}
        # The killings for want of memory around a box when it was last seen alive, and the time before that: one that
        # is just being killed seems alive still, and its own killing is counted already.
        self._oom_kills: dict[int, tuple[OomKills, OomKills]] = {}

    async def room(self) -> Room:
        return Room(kernel.available_memory(), kernel.free_disk(self._state_dir))

    async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
        folder = self._folders.of(spec.box_id)
        known = _first_handle(folder)

        async def keep_known() -> Handle:
            handle = Handle(dict(known))
            await keep(handle)
            return handle

        await keep_known()
        await anyio.to_thread.run_sync(self._folders.make, spec)
        # On the event loop's own thread: a jail may be told to end with the thread that started it.
        child = self._spawn(spec, folder)
        self._children[child.pid] = child
        self._note_alive(child.pid)
        started = kernel.identify(child.pid)
        if started is None:
            raise LaunchError("the box ended at once")
        known |= _named(started)
        await self._until_ready(await keep_known())
        # Should the box be killed, these are left to the system's care: whatever it starts later descends from them.
        known["helpers"] = [[one.pid, one.start_time] for one in kernel.tree([child.pid]) if one != started]
        return await keep_known()

    async def lend_profile(self, handle: Handle, id: str, *, read_only: bool) -> None:
        await anyio.to_thread.run_sync(self._folders.profiles.lend, Path(_read(handle)["folder"]), id, read_only)

    async def hold_egress(self, box_id: str, change: Callable[[str], str]) -> None:
        """The box carries it out itself."""

    def address(self, handle: Handle) -> Address:
        return Address(path=str(_read(handle)["socket"]))

    async def is_alive(self, handle: Handle) -> bool:
        process = _process(handle)
        if process is None or not kernel.is_alive(process):
            return False
        self._note_alive(process.pid)
        return True

    async def wait_ended(self, handle: Handle) -> Ending:
        process = _process(handle)
        descriptor = None if process is None else kernel.open_process(process)
        if descriptor is not None:
            try:
                await anyio.wait_readable(descriptor)
            finally:
                os.close(descriptor)
        return self._ending(handle)

    async def destroy(self, box_id: str, handle: Handle | None) -> None:
        await anyio.to_thread.run_sync(partial(self._destroy, box_id, handle), abandon_on_cancel=False)

    async def find_all(self) -> Sequence[Found]:
        return await anyio.to_thread.run_sync(self._find_all)

    async def stats(self, handle: Handle) -> Stats:
        process = _process(handle)
        if process is None or not kernel.is_alive(process):
            return Stats()

        def measure() -> Stats:
            processes = kernel.tree([process.pid])
            memory, cpu = kernel.memory_and_cpu(processes)
            return Stats(memory, cpu, len(processes))

        return await anyio.to_thread.run_sync(measure)

    def _spawn(self, spec: BoxSpec, folder: Path) -> subprocess.Popen[bytes]:
        named = ["--box-id", spec.box_id, "--installation", self._mark, "--expires-in", str(spec.expires_in)]
        named += ["--state-dir", str(folder / "state"), "--egress", self._folders.egress(spec)]
        try:
            with open(folder / "log", "ab", opener=_private) as log:
                return start_box(
                    [*named, *spec.flags],
                    socket=folder / "run/box.sock",
                    secrets={"caller-key-file": spec.key.hex()},
                    temporary=folder / "tmp",
                    log=log,
                )
        except OSError as error:
            raise LaunchError(f"cannot start a box: {error.strerror}") from error

    def _note_alive(self, pid: int) -> None:
        count = kernel.oom_kills(pid)
        last, _ = self._oom_kills.get(pid, (count, count))
        # One that was put into another group begins anew there.
        self._oom_kills[pid] = (count, last if last.file == count.file else count)

    def _ending(self, handle: Handle) -> Ending:
        """The kernel does not say whom it killed for want of memory, but that it did since the box was last seen."""
        pid = int(_read(handle).get("pid", 0))
        child = self._children.pop(pid, None)
        code = None if child is None else child.wait(_KILLED_WITHIN)
        _, before = self._oom_kills.pop(pid, (None, None))
        was_oom = before is not None and before.now() > before.count and code in (None, -signal.SIGKILL)
        return Ending(was_oom=was_oom, detail="" if code is None else f"exit {code}")

    def _destroy(self, box_id: str, handle: Handle | None) -> None:
        handle = self._completed(box_id, handle)
        folder = Path(_read(handle)["folder"])
        with self._folders.removing(folder):
            self._end_processes(handle, folder)

    def _end_processes(self, handle: Handle, folder: Path) -> None:
        process = _process(handle)
        if process is not None and kernel.is_alive(process):
            everything = kernel.tree([process.pid])
            kernel.end([process], signal.SIGTERM, _GRACE)
            _kill(everything)
        known = _read(handle)
        helpers = [ProcessId(*one) for one in known.get("helpers", ()) if known["bootId"] == kernel.boot_id()]
        _kill(kernel.tree([one.pid for one in helpers if kernel.is_alive(one)]))
        _kill(_mentioning(folder))
        self._ending(handle)
        for pid in [pid for pid, child in self._children.items() if child.poll() is not None]:
            del self._children[pid]
            self._oom_kills.pop(pid, None)
        kernel.remove_groups(folder.name)

    def _completed(self, box_id: str, handle: Handle | None) -> Handle:
        """With the box's process, should the handle be from before there was one."""
        known = {} if handle is None else _read(handle)
        if "pid" in known:
            return Handle(known)
        found = [_read(one.handle) for one in self._find_all() if one.box_id == box_id]
        return Handle({**_first_handle(self._folders.of(box_id)), **known, **(found[0] if found else {})})

    def _find_all(self) -> list[Found]:
        found = {id: Found(id, Handle(_first_handle(self._folders.of(id)))) for id in self._folders.find_all()}
        for pid in kernel.pids():
            arguments = kernel.arguments(pid)
            process = kernel.identify(pid)
            if process is None or _value(arguments, "--installation") != self._mark or arguments[3:4] != ["box"]:
                continue
            box_id, state = _value(arguments, "--box-id"), _value(arguments, "--state-dir")
            folder = Path(state).parent
            found[box_id] = Found(box_id, Handle(_first_handle(folder) | _named(process)))
        return list(found.values())


def _first_handle(folder: Path) -> dict[str, object]:
    """Of a box that is only about to be made: where it will be."""
    return {"folder": str(folder), "socket": str(folder / "run/box.sock")}


def _named(process: ProcessId) -> dict[str, object]:
    return {"pid": process.pid, "startTime": process.start_time, "bootId": kernel.boot_id()}


def _read(handle: Handle) -> dict[str, Any]:
    return cast(dict[str, object], handle)


def _process(handle: Handle) -> ProcessId | None:
    """The box's process; a handle from before a reboot names none."""
    known = _read(handle)
    if "pid" not in known or known["bootId"] != kernel.boot_id():
        return None
    return ProcessId(int(known["pid"]), int(known["startTime"]))


def _kill(processes: Sequence[ProcessId]) -> None:
    if left := kernel.end([one for one in processes if kernel.is_alive(one)], signal.SIGKILL, _KILLED_WITHIN):
        raise TimeoutError(f"{len(left)} processes of a box do not end")


def _mentioning(folder: Path) -> list[ProcessId]:
    """Processes whose arguments name the box's folder: what a killed box may have left to the system's care."""
    needle = str(folder) + "/"
    mine = os.getpid()
    found = [pid for pid in kernel.pids() if pid != mine and any(needle in one for one in kernel.arguments(pid))]
    return [process for pid in found if (process := kernel.identify(pid)) is not None]


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def _value(arguments: Sequence[str], flag: str) -> str:
    at = arguments.index(flag) + 1 if flag in arguments else len(arguments)
    return arguments[at] if at < len(arguments) else ""
