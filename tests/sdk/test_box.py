"""Programs, the desktop, the live view, control and egress through the SDK, against one real box."""

import tarfile
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path

import anyio
import pytest

from belljar import AsyncBelljar, Belljar
from belljar.problems import NotFound, TokenInvalid
from belljar.problems.box import ControlHeld, PathDenied
from belljar.problems.browser import ElementNotFound
from belljar.sdk.encoding import LiveFrame
from belljar.sdk.errors import Unreachable
from belljar.wire.control import HolderKind
from belljar.wire.live import Event, EventName
from tests.servers import PATIENCE, RunningBox, running_box

PAGE = "data:text/html,<title>Seen</title><input id=name autofocus>"


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as running:
        yield running


@pytest.fixture
async def jar(box: RunningBox) -> AsyncIterator[AsyncBelljar]:
    with anyio.fail_after(3 * PATIENCE):
        async with AsyncBelljar(box.url, box.token) as client:
            yield client


async def test_a_program_is_run_and_its_output_is_there(jar: AsyncBelljar) -> None:
    ran = await jar.processes.run("sh", ["-c", "echo hello; exit 3"], env={"A": "b"}, timeout=5)
    assert (ran.exit_code, ran.stdout) == (3, "hello\n")


async def test_a_program_is_fed_and_followed(jar: AsyncBelljar) -> None:
    started = await jar.processes.start("cat")
    await jar.processes.write(started.id, "one\n")
    async with aclosing(jar.processes.follow_logs(started.id)) as entries:
        first = await anext(aiter(entries))
    assert first.data == "b25lCg=="
    ended = await jar.processes.kill(started.id, wait=5)
    assert ended.signal == "SIGKILL"
    assert await jar.processes.output(started.id) == b"one\n"
    await jar.processes.delete(started.id)
    with pytest.raises(NotFound):
        await jar.processes.get(started.id)


async def test_a_terminal_is_typed_into(jar: AsyncBelljar) -> None:
    started = await jar.processes.start("sh", tty=True)
    seen = b""
    async with jar.processes.terminal(started.id) as terminal:
        await terminal.resize(cols=100, rows=30)
        await terminal.write("stty size; exit 4\n")
        async for shown in terminal:
            seen += shown
        with pytest.raises(Unreachable):
            await terminal.write("anyone?")
    assert b"30 100" in seen
    assert (terminal.has_exited, terminal.exit_code) == (True, 4)


async def test_files_are_written_listed_moved_streamed_and_deleted(jar: AsyncBelljar, tmp_path: Path) -> None:
    long = tmp_path / "long"
    long.write_bytes(bytes(range(256)) * 10_000)
    assert (await jar.files.write("notes/long", long)).bytes_written == 2_560_000
    await jar.files.write("notes/short", "héllo")
    assert [entry.name for entry in await jar.files.list("notes")] == ["long", "short"]
    assert (await jar.files.download("notes/long", tmp_path / "back")).read_bytes() == long.read_bytes()
    async with jar.files.open("notes/long", start=1, end=4) as part:
        assert await part.read() == b"\x01\x02\x03"
    await jar.files.move("notes/short", "greeting")
    assert (await jar.files.read("greeting")).decode() == "héllo"
    with pytest.raises(PathDenied):
        await jar.files.stat("/etc/passwd")

    archive = tmp_path / "a.tar"
    with tarfile.open(archive, "w") as tar:
        tar.add(long, "inside/long")
    assert (await jar.files.unpack(archive, "unpacked")).paths
    assert (await jar.files.stat("unpacked/inside/long")).size == 2_560_000
    for path in ("notes", "unpacked", "greeting"):
        await jar.files.delete(path, recursive=True)


async def test_the_egress_policy_is_read_and_set(jar: AsyncBelljar) -> None:
    before = await jar.egress.policy()
    await jar.egress.set_policy("none")
    assert (await jar.egress.policy()).policy == "none"
    assert (await jar.egress.restrict(deny=["ads.example"])).policy == "deny ads.example\nuse none"
    await jar.egress.set_policy(before.policy, allow=before.allow)
    assert isinstance((await jar.egress.log(decision="deny")).connections, list)


async def test_a_wrong_token_is_refused_over_http_and_websocket(box: RunningBox) -> None:
    async with AsyncBelljar(box.url, "not-the-token") as stranger:
        with pytest.raises(TokenInvalid, match="does not take the one that was given"):
            await stranger.health()
        async with AsyncBelljar(box.url) as nobody:
            with pytest.raises(TokenInvalid, match="BELLJAR_TOKEN"):
                await nobody.health()
        with pytest.raises(TokenInvalid):
            async with stranger.live.connect():
                pass


async def test_a_person_is_invited_watches_takes_control_and_types(jar: AsyncBelljar, box: RunningBox) -> None:
    await jar.browser.start(headless=True, url=PAGE)
    invited = await jar.live.invite(name="Ann")
    async with AsyncBelljar(box.url, invited.token) as person, person.live.connect() as viewer:
        ready = await viewer.ready()
        assert (ready.name, ready.role) == ("Ann", "drive")
        frames = viewer.frames()
        assert (await anext(frames)).jpeg[:2] == b"\xff\xd8"

        assert (await viewer.take_control()).holder.name == "Ann"
        with pytest.raises(ControlHeld):
            await jar.browser.click("#name")
        await viewer.key("char", text="by hand")
        await viewer.command("waitForSelector", selector="#name")
        with pytest.raises(ElementNotFound):
            await viewer.command("click", selector="#nowhere", timeout=100)
        await viewer.release_control()

        async with jar.control.held() as state:
            assert state.holder.kind is HolderKind.AGENT
        assert (await jar.control.show()).holder.kind is HolderKind.NONE
        assert (await jar.browser.execute("document.querySelector('#name').value")).result == "by hand"
    await jar.browser.stop()


def test_the_blocking_viewer_sees_frames_and_events(box: RunningBox) -> None:
    with Belljar(box.url, box.token) as jar:
        jar.browser.start(headless=True, url=PAGE)
        with jar.live.connect() as viewer:
            viewer.command("navigate", url="data:text/html,<title>There</title>")
            seen: set[object] = set()
            for message in viewer:
                seen.add(type(message) if isinstance(message, LiveFrame) else message.name)
                if {LiveFrame, EventName.READY, EventName.NAVIGATED} <= seen:
                    break
        assert isinstance(Event(name=EventName.READY, data={}), Event)
        jar.browser.stop()


async def test_a_desktop_is_used_and_filmed(jar: AsyncBelljar, tmp_path: Path) -> None:
    started = await jar.desktop.start(width=640, height=480)
    assert started.resolution is not None and started.resolution.width == 640
    await jar.desktop.start_recording(fps=5)
    launched = await jar.desktop.launch("xterm", wait=True)
    assert launched.window_id in [window.id for window in (await jar.desktop.windows.list()).windows]
    await jar.desktop.keyboard.type("true")
    assert (await jar.desktop.mouse.move(100, 120)).x == 100
    assert (await jar.desktop.screenshot(format="webp", quality=50))[8:12] == b"WEBP"
    await jar.desktop.set_clipboard("copied")
    assert (await jar.desktop.clipboard()).text == "copied"
    film = await jar.desktop.stop_recording()
    async with jar.desktop.download_recording(film.id) as stream:
        saved = await stream.save(tmp_path / "film.mp4")
    assert saved.read_bytes()[4:8] == b"ftyp"
    await jar.desktop.delete_recording(film.id)
    await jar.desktop.stop()


async def test_the_record_is_read_followed_and_marked(jar: AsyncBelljar) -> None:
    since = (await jar.events.list(limit=1)).newest
    marked = await jar.events.mark("here")
    page = await jar.events.list(since=since, kinds=["mark"])
    assert [(event.data, event.t) for event in page.events] == [({"mark": "here"}, marked.t)]
    async with aclosing(jar.events.follow(since=since, kinds=["mark", "call"])) as events:
        names = [(await anext(aiter(events))).name for _ in range(3)]
    assert names == ["markEvents.begin", "mark", "markEvents.end"]
    everything = [event.seq async for event in jar.events.all()]
    assert everything == list(range(1, len(everything) + 1))
