"""One Chromium for the run, a fresh tab for each test, and the test site."""

import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import httpx2 as httpx
import pytest

from belljar.box.browser import Browser, open_browser
from belljar.box.browser.page.page import Page
from belljar.box.display import open_display
from belljar.box.sandbox.folders import claim_user, make_folders
from belljar.wire.browser.lifecycle import StartRequest
from tests.processes import processes_as
from tests.servers import RunningBox, running_box
from tests.site import Site, running_site


@asynccontextmanager
async def running_browser(state_dir: Path | None = None, proxy_port: int | None = None) -> AsyncIterator[Browser]:
    """The browser part of a box, not started, with all it needs."""
    with (
        claim_user() as user,
        make_folders(user) as folders,
        tempfile.TemporaryDirectory(prefix="belljar-test-", ignore_cleanup_errors=True) as folder,
    ):
        os.chmod(folder, 0o711)
        async with (
            processes_as(user) as processes,
            open_display(processes, user) as display,
            open_browser(processes, display, folders, state_dir or Path(folder), proxy_port=proxy_port) as browser,
        ):
            yield browser


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture(scope="session")
async def browser(anyio_backend: object) -> AsyncIterator[Browser]:
    """A headless Chromium that many tests share: leave it running, with one blank tab."""
    async with running_browser() as browser:
        await browser.start(StartRequest(headless=True))
        yield browser


@pytest.fixture
async def page(browser: Browser) -> AsyncIterator[Page]:
    """A tab of the shared Chromium, the active one; it and what it opened are closed afterwards."""
    tabs = browser.instance.tabs
    before = {page.id for page in tabs.list()}
    page = await tabs.create()
    yield page
    for opened in tabs.list():
        if opened.id not in before and not opened.is_closed:
            if opened.dialog is not None:
                await opened.session.send("Page.handleJavaScriptDialog", accept=True)
            await tabs.close(opened)


@pytest.fixture(scope="session")
def shared_box() -> Iterator[RunningBox]:
    """A real server whose headless browser runs, and may visit the test site on loopback: for all tests of a worker."""
    with running_box_with_browser() as box:
        yield box


@contextmanager
def running_box_with_browser() -> Iterator[RunningBox]:
    # Its folders are the host's, as without root: tests put files there, and look for some.
    with running_box("--egress", "open", "--max-disk", "0") as box, box.client() as client:
        assert client.post("/v1/browser/start", json={"headless": True}).status_code == 200
        yield box


@pytest.fixture(scope="module")
def box_with_browser(shared_box: RunningBox) -> RunningBox:
    """That server without the cookies that the last module left in its browser."""
    with shared_box.client() as client:
        client.delete("/v1/browser/cookies").raise_for_status()
    return shared_box


@pytest.fixture
def api(box_with_browser: RunningBox) -> Iterator[httpx.Client]:
    """A client of that server; each test begins on a fresh active tab, beside one that is blank."""
    with box_with_browser.client() as client:
        before = {tab["id"] for tab in client.get("/v1/browser/tabs").raise_for_status().json()["tabs"]}
        client.post("/v1/browser/tabs", json={}).raise_for_status()
        yield client
        # Not one more page for each test, all of which go on.
        for tab in client.get("/v1/browser/tabs").json().get("tabs", []):
            if tab["id"] not in before:
                client.delete(f"/v1/browser/tabs/{tab['id']}")
