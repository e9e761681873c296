"""An embedded box: there when it is needed, gone with whoever started it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from belljar import AsyncBelljar, Belljar
from belljar.sdk.aio.connection import AsyncConnection
from belljar.sdk.embedded import EmbeddedBox
from belljar.sdk.errors import CannotStart
from tests.servers import PATIENCE, WITHOUT_BUBBLEWRAP


@pytest.fixture(autouse=True)
def no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the developer's own environment says."""
    for name in ("BELLJAR_URL", "BELLJAR_TOKEN"):
        monkeypatch.delenv(name, raising=False)


async def test_a_box_on_a_unix_socket_serves_playwright_too_and_is_gone_after_the_block() -> None:
    async with AsyncBelljar() as jar:
        page = await jar.browser.open("data:text/html,<title>Under glass</title>")
        assert await (await page.playwright()).title() == "Under glass"
        address = await jar.address()
        assert address.socket is not None
        folder = Path(address.socket).parent.parent
        ran = folder.exists()
    assert (ran, folder.exists()) == (True, False)


def test_folders_beyond_any_depth_go_with_a_box_that_was_killed() -> None:
    box = EmbeddedBox()
    folder = Path(box.address.socket or "").parent.parent
    dig = "import os\nfor _ in range(3000):\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)"
    subprocess.run([sys.executable, "-c", dig], cwd=folder / "tmp", check=True)
    os.kill(box.pid, signal.SIGKILL)
    box.close()
    assert not folder.exists()


def test_a_box_that_cannot_start_says_why() -> None:
    with Belljar(box=["--egress", "/nowhere/at/all"]) as jar, pytest.raises(CannotStart, match="/nowhere/at/all"):
        jar.health()


async def test_a_box_that_was_killed_says_so_and_not_what_it_served() -> None:
    async with AsyncBelljar() as jar:
        await jar.health()
        assert isinstance(jar._http, AsyncConnection)
        box = jar._http._box
        assert box is not None
        os.kill(box.pid, signal.SIGKILL)
        with pytest.raises(CannotStart, match=r"^The embedded box has ended by signal 9\.\n") as raised:
            await jar.health()
    assert "http.request" not in str(raised.value)


def test_flags_and_an_address_do_not_go_together() -> None:
    with pytest.raises(ValueError, match="embedded"):
        Belljar("http://127.0.0.1:1", box=["--jail", "off"])


SCRIPT = """
import sys, threading
from belljar import Belljar
jar = Belljar()

def use():
    if "killed" in sys.argv:
        jar.browser.start(headless=True)
    print(jar.address().socket, flush=True)

# In a thread that ends before the process does: the box is the process's, not the thread's.
worker = threading.Thread(target=use)
worker.start()
worker.join()
sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["killed", "returned"])
def test_the_box_and_its_browser_end_with_their_process(how: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None and owner.stdin is not None
        folder = Path(owner.stdout.readline().strip()).parent.parent
        assert mentioning(folder)
        if how == "killed":
            assert any("--user-data-dir" in arguments for arguments in mentioning(folder))
            os.kill(owner.pid, signal.SIGKILL)
        owner.stdin.close()
        owner.wait(PATIENCE)
    until = time.monotonic() + PATIENCE
    while (mentioning(folder) or folder.exists()) and time.monotonic() < until:
        time.sleep(0.05)
    assert (mentioning(folder), folder.exists()) == ([], False)


def mentioning(folder: Path) -> list[str]:
    """The arguments of every process that has this folder in them: the box, its starter, its Chromium."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                arguments = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
            if f"{folder}/" in arguments:
                found.append(arguments)
    return found


def test_without_playwright_the_client_says_what_is_missing() -> None:
    script = """
import sys
sys.modules["playwright"] = None
from belljar import Belljar
from belljar.sdk.errors import PlaywrightMissing
try:
    Belljar("http://127.0.0.1:9").browser.page("x").playwright()
except PlaywrightMissing as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert "pip install playwright" in done.stdout


def test_the_package_itself_imports_next_to_nothing() -> None:
    script = (
        "import sys, belljar; print([m for m in ('httpx2', 'pydantic', 'anyio', 'belljar.sdk') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "[]\n"


EMBEDDING = """
from belljar import Belljar
from belljar.sdk.errors import CannotStart

try:
    with Belljar() as jar:
        print(jar.processes.run("id", ["-u"]).stdout)
except CannotStart as problem:
    print(problem)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="about root")
def test_of_root_without_a_jail_there_is_none_and_it_says_why() -> None:
    command = [*WITHOUT_BUBBLEWRAP, sys.executable, "-c", EMBEDDING]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    assert "bubblewrap is not installed" in said and "--jail off" in said
