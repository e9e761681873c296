"""The display comes up, is ours alone, comes back when killed, and leaves nothing behind."""

import os
import signal
import socket
from pathlib import Path

import anyio
import pytest

from belljar.box.display import Display, DisplayInactive, DisplayState, ModeTaken, XClosed, XError, open_display
from belljar.box.display.x11.handshake import connect
from belljar.box.display.x11.protocol import request
from belljar.box.process import Processes, User
from belljar.wire.desktop import DisplayMode
from tests.processes import processes_as


def is_there(path: Path) -> bool:
    return path.exists()


async def test_it_has_the_size_that_was_asked_for(display: Display) -> None:
    await display.start(DisplayMode.DESKTOP, 801, 603, 120)
    x = await display.connection()
    size = await x.ask(request.GetGeometry, drawable=x.root)
    assert (size.width, size.height) == (801, 603)
    assert display.mode is DisplayMode.DESKTOP
    assert display.state is DisplayState.READY
    assert display.environment["DISPLAY"] == display.name
    # 801 pixels at 120 dots per inch.
    assert x.setup.roots[0]["width_in_mms"] == round(801 / 120 * 25.4)


async def test_a_taken_number_is_skipped(display: Display, processes: Processes) -> None:
    await display.start(DisplayMode.DESKTOP, 320, 240)
    async with open_display(processes) as other:
        await other.start(DisplayMode.BROWSER, 320, 240)
        assert other.name != display.name
        assert display.state is other.state is DisplayState.READY


async def test_the_other_mode_has_to_wait(display: Display) -> None:
    await display.start(DisplayMode.BROWSER, 320, 240)
    await display.start(DisplayMode.BROWSER, 640, 480)
    assert display.resolution.width == 320
    with pytest.raises(ModeTaken) as refused:
        await display.start(DisplayMode.DESKTOP, 320, 240)
    assert refused.value.active is DisplayMode.BROWSER
    await display.stop()
    await display.start(DisplayMode.DESKTOP, 320, 240)
    assert display.mode is DisplayMode.DESKTOP


async def test_nobody_gets_in_without_the_cookie(display: Display) -> None:
    await display.start(DisplayMode.DESKTOP, 320, 240)
    number = int(display.name[1:])
    with pytest.raises(XClosed, match="refused"):
        await connect(number, b"0" * 16)
    with pytest.raises(XClosed, match="refused"):
        await connect(number, b"")
    authority = Path(display.environment["XAUTHORITY"])
    assert os.stat(authority).st_mode & 0o077 == 0
    # No abstract socket answers: it would reach into other mount namespaces.
    with socket.socket(socket.AF_UNIX) as sock, pytest.raises(ConnectionRefusedError):
        sock.connect(f"\0/tmp/.X11-unix/X{number}")


async def test_a_killed_xvfb_comes_back_under_the_same_name(display: Display) -> None:
    seen: list[DisplayState] = []
    display.listen(seen.append)
    await display.start(DisplayMode.DESKTOP, 320, 240)
    name, x = display.name, await display.connection()
    assert display.process is not None and display.process.pid is not None
    os.kill(display.process.pid, signal.SIGKILL)
    with anyio.fail_after(10):
        await x.closed.wait()
        with pytest.raises(XClosed):
            await x.ask(request.GetInputFocus)
        again = await display.connection()
    assert (await again.ask(request.GetGeometry, drawable=again.root)).width == 320
    assert display.name == name
    assert seen == [DisplayState.STARTING, DisplayState.READY, DisplayState.DOWN, DisplayState.READY]


async def test_an_xvfb_that_was_stopped_for_good_takes_the_display_with_it(display: Display) -> None:
    await display.start(DisplayMode.DESKTOP, 320, 240)
    gone = anyio.Event()
    display.listen(lambda state: gone.set() if state is DisplayState.INACTIVE else None)
    assert display.process is not None
    await display.process.stop()
    with anyio.fail_after(5):
        await gone.wait()
    with pytest.raises(DisplayInactive):
        await display.connection()
    await display.start(DisplayMode.BROWSER, 320, 240)


async def test_x_errors_are_exceptions_and_the_connection_stays(display: Display) -> None:
    await display.start(DisplayMode.DESKTOP, 320, 240)
    x = await display.connection()
    with pytest.raises(XError) as refused:
        await x.ask(request.GetGeometry, drawable=0x123)
    assert (refused.value.name, refused.value.resource) == ("BadDrawable", 0x123)
    with pytest.raises(XError, match="BadWindow"):
        await x.do(request.MapWindow, window=0x123)
    outcomes = await x.gather([x.asking(request.GetGeometry, drawable=d) for d in (x.root, 0x123, x.root)])
    assert [isinstance(outcome, XError) for outcome in outcomes] == [False, True, False]


async def test_a_stopped_xvfb_stops_nobody_else(display: Display) -> None:
    """A jailed child of the same user can send it SIGSTOP: the loop must go on."""
    await display.start(DisplayMode.DESKTOP, 320, 240)
    x = await display.connection()
    assert display.process is not None and display.process.pid is not None
    os.kill(display.process.pid, signal.SIGSTOP)
    asked = x.asking(request.GetInputFocus)
    for _ in range(100):
        await anyio.lowlevel.checkpoint()
    assert not asked.done()
    os.kill(display.process.pid, signal.SIGCONT)
    with anyio.fail_after(5):
        await asked


async def test_stopping_leaves_nothing_behind(display: Display) -> None:
    await display.start(DisplayMode.DESKTOP, 320, 240)
    await display.stop()
    before = len(os.listdir("/proc/self/fd"))
    await display.start(DisplayMode.DESKTOP, 320, 240)
    authority, number = Path(display.environment["XAUTHORITY"]), int(display.name[1:])
    process = display.process
    await display.stop()
    await display.stop()
    assert process is not None and not process.is_running
    assert not is_there(authority.parent)
    assert not is_there(Path(f"/tmp/.X{number}-lock"))
    assert display.mode is None
    assert len(os.listdir("/proc/self/fd")) <= before + 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run Xvfb as somebody else")
async def test_as_root_xvfb_runs_as_another_user() -> None:
    user = User(65534, 65534)
    async with processes_as(user) as processes, open_display(processes, user) as display:
        await display.start(DisplayMode.BROWSER, 320, 240)
        assert display.process is not None
        assert os.stat(f"/proc/{display.process.pid}").st_uid == 65534
        assert os.stat(display.environment["XAUTHORITY"]).st_uid == 65534
        x = await display.connection()
        await x.sync()
