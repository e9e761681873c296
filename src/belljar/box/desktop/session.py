"""The desktop beside its screen: a window manager, a session bus where the host has one, and a log."""

import os
import re
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import anyio

from belljar.box.desktop.windows.ewmh import wait_for_manager
from belljar.box.display import Connection, Display, DisplayError, DisplayInactive, XClosed
from belljar.box.process import Process, Processes, Program
from belljar.logs import log
from belljar.state import make_private_folder
from belljar.wire.processes import ProcessOwner, RestartPolicy

# When it is over this, the older half goes.
_LARGEST = 1024 * 1024


class RuntimeLog:
    def __init__(self, path: Path) -> None:
        self.path = path

    def note(self, line: str) -> None:
        """Add a line.  A disk that takes none is no reason to stop."""
        try:
            make_private_folder(self.path.parent)
            if self.path.exists() and self.path.stat().st_size > _LARGEST:
                self.path.write_bytes(self.path.read_bytes()[-_LARGEST // 2 :])
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{datetime.now(UTC).isoformat(timespec='milliseconds')} {line}\n")
        except OSError:
            return


# How long the window manager may take to say that it is there; and the bus, without which a desktop can do.
READY_TIMEOUT = 10.0
BUS_TIMEOUT = 2.0
_OPENBOX_CONFIGURATION = Path("/etc/xdg/openbox/rc.xml")
# The child's number for the pipe that the bus writes its address to when it is ready.
_ANNOUNCE = 3


class Session:
    """The processes of one desktop start; they end with the display.  `home` is HOME for them, where it is not ours."""

    def __init__(self, processes: Processes, display: Display, home: Mapping[str, str]) -> None:
        self._processes = processes
        self._display = display
        self._home = home
        self.window_manager: Process | None = None
        self.bus: Process | None = None
        self._folder = display.folder
        self._settled = anyio.Event()
        self._following = anyio.CancelScope()
        self._followed = anyio.Event()
        # Where the bus writes its address to when it is ready.
        self._bus_ready = -1

    @property
    def environment(self) -> dict[str, str]:
        """What programs on this desktop get beside the display's own variables."""
        return {**self._home, **self._display.environment, **_toolkits(), **self._folders(), **self._bus_variables()}

    async def start(self) -> None:
        if not self._processes.is_jailed:
            self._run.mkdir(mode=0o700)
            if self._display.user is not None:
                os.chown(self._run, self._display.user.uid, self._display.user.gid)
        if shutil.which("dbus-daemon") is not None:
            self.bus = await self._start_bus()
        self.window_manager = await self._start_member("openbox", ("--sm-disable", *self._configuration()))

    async def follow(self) -> None:
        """Know whether the window manager and the bus are there, anew each time Xvfb has died and come back.

        A start does not wait for them: what is launched does, by `ready`.
        """
        try:
            with self._following:
                while True:
                    try:
                        server = await self._display.connection()
                    except XClosed:
                        continue
                    await self._settle(server)
                    await server.closed.wait()
                    if self._settled.is_set():
                        self._settled = anyio.Event()
        except DisplayInactive:
            return
        finally:
            self._settled.set()
            self._followed.set()

    async def _settle(self, server: Connection) -> None:
        try:
            await wait_for_manager(server, timeout=READY_TIMEOUT)
            if self.bus is not None:
                with anyio.move_on_after(BUS_TIMEOUT):
                    await anyio.wait_readable(self._bus_ready)
        except XClosed:
            return
        except (DisplayError, TimeoutError) as error:
            log.warning("desktop.unsettled", error=str(error) or "the window manager did not come up in time")
        self._settled.set()

    async def ready(self) -> None:
        """Wait until programs find everything they need; a window mapped before the window manager is there is lost."""
        with anyio.move_on_after(READY_TIMEOUT + BUS_TIMEOUT):
            while not self._settled.is_set():
                await self._settled.wait()

    async def stop(self) -> None:
        self._following.cancel()
        await self._followed.wait()
        try:
            for member in (self.window_manager, self.bus):
                if member is not None:
                    await member.end(grace=1.0)
        finally:
            if self._bus_ready >= 0:
                os.close(self._bus_ready)

    async def _start_bus(self) -> Process:
        """The bus at an address of our choice, so that it is the same after a restart."""
        self._bus_ready, write_end = os.pipe()
        os.set_blocking(self._bus_ready, False)
        address = ("--session", "--nofork", "--nopidfile", f"--address={self.bus_address}")
        try:
            return await self._start_member(
                "dbus-daemon", (*address, f"--print-address={_ANNOUNCE}"), {_ANNOUNCE: write_end}
            )
        finally:
            os.close(write_end)

    async def _start_member(
        self, command: str, args: tuple[str, ...], descriptors: Mapping[int, int] | None = None
    ) -> Process:
        program = Program(
            command=command,
            args=args,
            env=self.environment,
            owner=ProcessOwner.DESKTOP,
            restart=RestartPolicy.ALWAYS,
            is_kept=True,
        )
        return await self._processes.start(program, descriptors)

    def _configuration(self) -> tuple[str, ...]:
        """The host's configuration with one virtual desktop: a wheel turned over the background must not hide all."""
        try:
            text = _OPENBOX_CONFIGURATION.read_text(encoding="utf-8")
        except OSError:
            return ()
        file = self._folder / "openbox.xml"
        file.write_text(re.sub(r"(<desktops>.*?<number>)\d+(</number>)", r"\g<1>1\g<2>", text, flags=re.S))
        file.chmod(0o644)
        return ("--config-file", str(file))

    @property
    def _run(self) -> Path:
        """For sockets of the session; a jail has a place for them."""
        return Path(self._processes.runtime_folder or self._folder / "run")

    @property
    def bus_address(self) -> str:
        return f"unix:path={self._run / 'bus'}"

    def _bus_variables(self) -> dict[str, str]:
        has_bus = self.bus is not None or shutil.which("dbus-daemon") is not None
        return {"DBUS_SESSION_BUS_ADDRESS": self.bus_address} if has_bus else {}

    def _folders(self) -> dict[str, str]:
        return {"XDG_RUNTIME_DIR": str(self._run)}


def _toolkits() -> dict[str, str]:
    """Have toolkits offer their windows to the accessibility bus, which they do only when told."""
    return {
        "XDG_SESSION_TYPE": "x11",
        "XDG_CURRENT_DESKTOP": "openbox",
        "GTK_MODULES": "gail:atk-bridge",
        "QT_ACCESSIBILITY": "1",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "ACCESSIBILITY_ENABLED": "1",
    }
