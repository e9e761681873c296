from pathlib import Path

import pytest

from belljar.problems import Forbidden
from belljar.problems.browser import BrowserNotActive
from belljar.sdk.errors import Unreachable
from belljar.tokens import Caller, Keys, Role
from tests.inprocess import running_application

OPERATOR = Caller(Role.OPERATOR, "operator")


async def test_the_client_of_an_application_in_this_process_gets_models_and_bytes(tmp_path: Path) -> None:
    async with running_application(tmp_path, Keys("unknown to the client")) as application:
        box = application.box(OPERATOR)
        assert (await box.processes.run("echo", ["ä b"])).stdout == "ä b\n"
        written = await box.files.write("note.txt", b"\x00\xff")
        assert written.bytes_written == 2
        assert await box.files.read("note.txt") == b"\x00\xff"
        assert "belljar" in await box.metrics()


async def test_problems_are_raised_in_the_servers_own_words(tmp_path: Path) -> None:
    async with running_application(tmp_path, Keys(None)) as application:
        with pytest.raises(BrowserNotActive, match="POST /v1/browser/start"):
            await application.box(OPERATOR).browser.click("#button")
        with pytest.raises(Forbidden, match="needs the role drive"):
            await application.box(Caller(Role.VIEW, "watcher")).browser.click("#button")


async def test_files_are_sent_as_a_form(tmp_path: Path) -> None:
    async with running_application(tmp_path, Keys(None)) as application:
        # Past the form's reading, which refuses what is none.
        with pytest.raises(BrowserNotActive):
            await application.box(OPERATOR).browser.upload({"note.txt": b"hello"}, selector="#file")


async def test_what_needs_a_socket_says_that_there_is_none(tmp_path: Path) -> None:
    async with running_application(tmp_path, Keys(None)) as application:
        box = application.box(OPERATOR)
        with pytest.raises(Unreachable, match="no socket"):
            async with box.live.connect():
                raise AssertionError("connected")
        with pytest.raises(Unreachable, match="no socket"):
            async for _ in box.browser.follow_events():
                raise AssertionError("followed")
