"""The browser through the SDK, asynchronous and blocking, against a real box with a real Chromium."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from belljar import AsyncBelljar, Belljar
from belljar.problems import StreamError, ValidationFailed
from belljar.problems.browser import (
    BrowserNotActive,
    BrowserTimeout,
    ElementNotFound,
    ElementNotReady,
    TabNotFound,
    UploadFileNotFound,
)
from belljar.sdk.errors import METHODS, Unreachable
from tests.servers import RunningBox, running_box
from tests.site import running_site

PAGE = "data:text/html,<title>Sums</title><button onclick=this.textContent=1+1>What is 1+1?</button><input id=name>"
COVERED = "data:text/html,<button>Buy</button><div id=lock style='position:fixed;inset:0'></div>"


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box() as running, Belljar(running.url, running.token) as jar:
        with pytest.raises(BrowserNotActive, match=r"Call browser\.start\(\) first"):
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


def test_a_page_tells_where_it_is_and_what_it_is_called(box: RunningBox) -> None:
    with Belljar(box.url, box.token) as jar:
        page = jar.browser.new_page(PAGE)
        assert page.url.startswith("data:text/html,") and page.title == "Sums"
        page.close()
        with pytest.raises(TabNotFound, match=r"browser\.tabs\(\) lists them"):
            _ = page.url


def test_fill_replaces_what_a_field_holds(box: RunningBox) -> None:
    with Belljar(box.url, box.token) as jar:
        page = jar.browser.open(PAGE)
        page.fill("#name", "Ann")
        page.fill("#name", "Bob")
        assert page.execute("document.querySelector('#name').value").result == "Bob"


def test_downloads_are_waited_for_one_after_another(box: RunningBox) -> None:
    links = "".join(f"<a id=d{n} download={n}.txt href='data:,{n}{n}'>get</a>" for n in (1, 2))
    with Belljar(box.url, box.token) as jar:
        page = jar.browser.open(f"data:text/html,{links}")
        seen = {one.id for one in jar.browser.downloads().downloads}
        for id in seen:
            jar.browser.wait_for_download(id)
        for number in ("1", "2"):
            page.click(f"#d{number}")
            there = jar.browser.wait_for_download(timeout=20)
            assert there.name == f"{number}.txt"
            with jar.browser.download(there.id) as file:
                assert file.read() == f"{number}{number}".encode()
        with pytest.raises(TimeoutError, match=r"within 0\.2 s: none has begun"):
            jar.browser.wait_for_download(timeout=0.2)


def test_errors_speak_of_methods_seconds_and_what_was_passed(box: RunningBox) -> None:
    with Belljar(box.url, box.token) as jar:
        page = jar.browser.open(PAGE)
        with pytest.raises(ValueError, match=r"in seconds: did you mean timeout=5\?"):
            page.click("button", timeout=5000)
        with pytest.raises(BrowserTimeout, match=r"Timed out after 0\.3 s"):
            page.execute("new Promise(() => 0)", timeout=0.3)
        with pytest.raises(ValidationFailed, match=r"width=-5 was passed"):
            jar.browser.resize(-5, 10)
        with pytest.raises(StreamError, match="the program is 'nosuchprogram'"):
            jar.processes.run("nosuchprogram")
        with pytest.raises(UploadFileNotFound, match="'/nowhere/to.txt'"):
            page.upload_from_box(["/nowhere/to.txt"], selector="input")


def test_every_request_that_a_problem_names_has_a_method_here() -> None:
    """What the server's sentences name is what `METHODS` puts into Python."""
    sources = Path(__file__).parents[2] / "src" / "belljar"
    named = set[str]()
    for part in ("problems", "box", "control"):
        for path in (sources / part).rglob("*.py"):
            for sentence in re.findall(r'"[^"\n]*"', re.sub(r'""".*?"""', "", path.read_text(), flags=re.S)):
                named |= {found.rstrip(".") for found in re.findall(r"(?:GET|POST|PUT|DELETE) /[\w/{}]+", sentence)}
    assert named - set(METHODS) == set()


async def test_a_crawl_starts_the_browser() -> None:
    with running_box() as fresh, running_site() as site:
        async with AsyncBelljar(fresh.url, fresh.token) as jar:
            result = await jar.browser.crawl(site.url("second.html"), max_pages=1, timeout=30)
            assert [page.status for page in result.pages] == [200]
