"""The sidecar, the turn on a profile, and the runner's ways to fail."""

import sys
from pathlib import Path

import anyio
import pytest

from belljar.agent.tool.failure import ToolFailure
from belljar.agent.tool.launcher import run_in_runner
from belljar.agent.tool.profile import FileLastUrl, turn
from belljar.agent.tool.request import read_request

REQUEST = read_request({"operation": "extract_text"})


async def test_it_is_read_back(tmp_path: Path) -> None:
    sidecar = FileLastUrl(tmp_path)
    assert await sidecar.read() is None
    await sidecar.write("https://example.com/a")
    assert await sidecar.read() == "https://example.com/a"


@pytest.mark.parametrize("url", [None, "", "about:blank", "chrome-error://chromewebdata/", "x" * 100_000])
async def test_what_is_no_page_leaves_the_last_good_one(tmp_path: Path, url: str | None) -> None:
    sidecar = FileLastUrl(tmp_path)
    await sidecar.write("https://example.com/good")
    await sidecar.write(url)
    assert await sidecar.read() == "https://example.com/good"


async def test_two_calls_on_one_profile_wait_for_each_other(tmp_path: Path) -> None:
    order: list[str] = []
    first_is_in = anyio.Event()

    async def first() -> None:
        async with turn(tmp_path / "lock", 5):
            first_is_in.set()
            await anyio.lowlevel.checkpoint()
            order.append("first")

    async def second() -> None:
        await first_is_in.wait()
        async with turn(tmp_path / "lock", 5):
            order.append("second")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(second)
        tasks.start_soon(first)
    assert order == ["first", "second"]


async def test_a_call_gives_up_waiting_at_its_deadline(tmp_path: Path) -> None:
    async with turn(tmp_path / "lock", 5):
        with pytest.raises(ToolFailure, match="still using this profile"):
            async with turn(tmp_path / "lock", 0.1):
                raise AssertionError("both are in")
    async with turn(tmp_path / "lock", 5):
        pass


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def test_a_crash_before_the_sentinel_gives_the_end_of_its_errors() -> None:
    code = "import sys; print('x'); sys.stderr.write('first\\nbwrap: it went wrong\\n'); sys.exit(7)"
    with pytest.raises(ToolFailure, match="code 7 before it answered") as failed:
        run_in_runner(REQUEST, python(code))
    assert "bwrap: it went wrong" in failed.value.error


def test_an_error_of_the_runner_is_told_as_it_is() -> None:
    code = 'print(\'noise\'); print(\'[BROWSER_ERR] {"error": "no luck", "hint": "try again"}\'); exit(1)'
    answer = run_in_runner(REQUEST, python(code))
    assert (answer.payload, answer.error, answer.hint) == (None, "no luck", "try again")


def test_the_runner_is_asked_on_its_input() -> None:
    code = "import sys, json; print('[BROWSER_OK] ' + json.dumps({'said': sys.stdin.read(), 'argv': sys.argv[1:]}))"
    payload = run_in_runner(REQUEST, python(code)).payload
    assert payload is not None
    assert '"operation":"extract_text"' in payload["said"]
    assert payload["argv"] == []
