"""An embedded box: there when it is needed, gone with whoever started it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from belljar import AsyncBelljar, Belljar
from belljar.sdk.errors import CannotStart
from tests.servers import PATIENCE


@pytest.fixture(autouse=True)
def no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the developer's own environment says."""
    for name in ("BELLJAR_URL", "BELLJAR_TOKEN"):
        monkeypatch.delenv(name, raising=False)


async def test_a_box_on_a_unix_socket_answers_and_is_gone_after_the_block() -> None:
    async with AsyncBelljar() as jar:
        assert (await jar.health()).status == "ok"
        address = await jar.address()
        assert address.socket is not None
        folder = Path(address.socket).parent.parent
        ran = folder.exists()
    assert (ran, folder.exists()) == (True, False)


def test_a_box_that_cannot_start_says_why() -> None:
    with Belljar(box=["--egress", "/nowhere/at/all"]) as jar, pytest.raises(CannotStart, match="/nowhere/at/all"):
        jar.health()


def test_flags_and_an_address_do_not_go_together() -> None:
    with pytest.raises(ValueError, match="embedded"):
        Belljar("http://127.0.0.1:1", box=["--jail", "off"])


SCRIPT = """
import sys, threading
from belljar import Belljar
jar = Belljar()
# In a thread that ends before the process does: the box is the process's, not the thread's.
worker = threading.Thread(target=lambda: print(jar.address().socket, jar._http._box.pid, flush=True))
worker.start(); worker.join()
sys.stdin.read()
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, None], ids=["killed", "returned"])
def test_the_box_ends_with_its_process(how: signal.Signals | None) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None and owner.stdin is not None
        socket, pid = owner.stdout.readline().split()
        assert Path(f"/proc/{pid}").exists()
        if how is not None:
            os.kill(owner.pid, how)
        owner.stdin.close()
        owner.wait(PATIENCE)
    until = time.monotonic() + PATIENCE
    folder = Path(socket).parent.parent
    while (Path(f"/proc/{pid}").exists() or folder.exists()) and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(f"/proc/{pid}").exists()
    assert not folder.exists()
