"""`belljar provider` as someone types it."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from belljar.agent.provider import ProviderDisabled
from belljar.agent.provider.ipc import connect
from tests.cli.test_box import BELLJAR, belljar
from tests.servers import PATIENCE


@pytest.fixture
def folder() -> Iterator[Path]:
    """Short: a socket's path has few characters."""
    with tempfile.TemporaryDirectory(prefix="bj-") as folder:
        yield Path(folder, "ipc")


@contextmanager
def serving(*words: str) -> Iterator[subprocess.Popen[str]]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("BELLJAR_")}
    with subprocess.Popen(list(words), stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            assert "provider listens in" in process.stdout.readline()
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("words", [[*BELLJAR, "provider"], [sys.executable, "-m", "belljar.agent.provider"]])
async def test_it_serves_until_it_is_told_to_end(folder: Path, words: list[str]) -> None:
    named = ["--provider", "none"] if "provider" in words else ["none"]
    with serving(*words, str(folder), *named) as process:
        async with connect(folder) as client:
            with pytest.raises(ProviderDisabled, match="switched off"):
                await client.launch()
        again = belljar("provider", str(folder), "--provider", "none")
        assert (again.returncode, "already" in again.stderr) == (2, True)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    assert os.listdir(folder) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--provider", "os.path"], "container, remote, none"),
        (["--domain", "https://example.com"], "not a domain"),
        (["--provider", "remote", "--url", "localhost:2468"], "'localhost:2468' is not the address of a server"),
        (["--token-file", "/nowhere"], "Cannot read the token"),
        (["--provider", "none", "/nowhere/at/all"], "Cannot serve in /nowhere/at/all: No such file or directory"),
    ],
)
def test_what_cannot_be_is_one_sentence(folder: Path, words: list[str], said: str) -> None:
    where = [] if "/nowhere/at/all" in words else [str(folder)]
    done = belljar("provider", *where, *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
