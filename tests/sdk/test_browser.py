"""The browser through the SDK, asynchronous and blocking, against a real box with a real Chromium."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from belljar import AsyncBelljar, Belljar
from belljar.problems.browser import BrowserNotActive, ElementNotFound, ElementNotReady
from belljar.sdk.errors import Unreachable
from tests.servers import RunningBox, running_box

PAGE = "data:text/html,<title>Sums</title><button onclick=this.textContent=1+1>What is 1+1?</button><input id=name>"
COVERED = "data:text/html,<button>Buy</button><div id=lock style='position:fixed;inset:0'></div>"


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as running, Belljar(running.url, running.token) as jar:
        with pytest.raises(BrowserNotActive):
            jar.browser.navigate(PAGE)
        jar.browser.start(headless=True)
        yield running


@pytest.fixture
async def jar(box: RunningBox) -> AsyncIterator[AsyncBelljar]:
    async with AsyncBelljar(box.url, box.token) as client:
        yield client


async def test_a_page_is_opened_acted_on_and_read(jar: AsyncBelljar) -> None:
    page = await jar.browser.open(PAGE)
    done = await page.click("text=What is", report=True)
    assert done.report is not None and 'button "2"' in done.report.snapshot
    await page.type("#name", "Ann")
    assert (await page.execute("document.querySelector('#name').value")).result == "Ann"
    assert 'button "2"' in (await page.snapshot()).snapshot
    assert (await page.screenshot(format="jpeg"))[:2] == b"\xff\xd8"


async def test_a_page_object_stays_with_its_tab(jar: AsyncBelljar) -> None:
    first = await jar.browser.open(PAGE)
    second = await jar.browser.new_page("data:text/html,<title>Other</title>")
    assert (await first.text()).title == "Sums"
    assert (await jar.browser.text()).title == "Other"
    assert second.tab_id in [page.tab_id for page in await jar.browser.pages()]
    await second.close()


async def test_problems_come_back_as_the_exceptions_they_were(jar: AsyncBelljar) -> None:
    page = await jar.browser.open(COVERED)
    with pytest.raises(ElementNotFound) as missing:
        await page.click("#nowhere", timeout=0.2)
    assert (missing.value.status, missing.value.members["selector"]) == (404, "#nowhere")
    with pytest.raises(ElementNotReady) as covered:
        await page.click("text=Buy", fail_fast=True)
    assert "lock" in covered.value.members["obscured_by"]


def test_the_blocking_client_does_the_same(box: RunningBox) -> None:
    with Belljar(box.url, box.token) as jar:
        page = jar.browser.open(PAGE)
        page.click("text=What is")
        assert 'button "2"' in page.snapshot().snapshot


def test_the_environment_says_where_the_server_is(box: RunningBox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BELLJAR_URL", box.url)
    monkeypatch.setenv("BELLJAR_TOKEN", box.token)
    with Belljar() as jar:
        assert jar.address().url == box.url
        assert jar.health().status == "ok"


async def test_files_go_in_and_come_out(jar: AsyncBelljar, tmp_path: Path) -> None:
    page = await jar.browser.open(
        "data:text/html,<input type=file id=f><a id=d download=got.txt href='data:text/plain,under glass'>save</a>"
    )
    sent = tmp_path / "sent.txt"
    sent.write_text("hello")
    await page.upload([sent], selector="#f")
    assert (await page.execute("document.querySelector('#f').files[0].text()")).result == "hello"
    await page.upload({"other.txt": b"bytes"}, selector="#f")
    assert (await page.execute("document.querySelector('#f').files[0].name")).result == "other.txt"

    async with aclosing(jar.browser.follow_events(since=(await jar.browser.events()).cursor)) as events:
        await page.click("#d")
        saved_as = await anext(event.download_id async for event in events if event.state == "completed")
    async with jar.browser.download(saved_as or "") as file:
        assert (file.name, file.size) == ("got.txt", 11)
        saved = await file.save(tmp_path / "got.txt")
    assert saved.read_text() == "under glass"


async def test_playwright_gets_the_same_tab(jar: AsyncBelljar) -> None:
    page = await jar.browser.open(PAGE)
    other = await page.playwright()
    await other.click("text=What is")
    assert 'button "2"' in (await page.snapshot()).snapshot


def test_a_server_that_is_not_there_is_named() -> None:
    with Belljar("http://127.0.0.1:9") as jar, pytest.raises(Unreachable, match=r"127\.0\.0\.1:9"):
        jar.health()
