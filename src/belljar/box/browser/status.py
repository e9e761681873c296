"""The browser's report of itself."""

from contextlib import suppress
from datetime import UTC, datetime

import anyio

from belljar.box.browser.browser import Browser
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.page.frames import DocumentGone, JsError
from belljar.box.browser.page.page import Page
from belljar.box.browser.states import State, on_the_wire
from belljar.box.process import Process
from belljar.problems import Problem
from belljar.problems.browser import INSTALL_COMMAND, BrowserTimeout
from belljar.wire.browser.lifecycle import (
    BrowserState,
    BrowserStatus,
    Directories,
    LastError,
    ProcessState,
    Sandbox,
    Viewport,
)


async def describe(browser: Browser, cdp_url: str | None) -> BrowserStatus:
    """Never waits long: a page that does not answer is left out."""
    folders = browser.folders
    common: dict[str, object] = {
        "directories": Directories(
            home=str(folders.home), uploads=str(folders.uploads), downloads=str(folders.downloads)
        ),
        "last_error": _last_error(browser),
        "mode": browser.display_mode,
    }
    if browser.state is State.ACTIVE:
        # Before the rest is looked at: it may end meanwhile.
        viewport = await viewport_of(browser.instance.tabs.active)
        if browser.state is State.ACTIVE:
            return _active(browser, cdp_url, viewport, common)
    missing = browser.missing()
    if missing and browser.state is State.INACTIVE:
        return BrowserStatus(
            state=BrowserState.INSTALL_REQUIRED,
            missing_dependencies=missing,
            install_command=INSTALL_COMMAND,
            **common,
        )
    return BrowserStatus(state=on_the_wire(browser.state), **common)


def _active(
    browser: Browser, cdp_url: str | None, viewport: Viewport | None, common: dict[str, object]
) -> BrowserStatus:
    run, request, started_at = browser.instance, browser.request, browser.started_at
    assert request is not None and started_at is not None
    reason = run.launched.no_sandbox_reason
    page = run.tabs.active
    browser.ask_for_pulse()
    if browser.silence:
        words = f"Chromium has not answered for {browser.silence:.0f} s."
        common |= {"last_error": LastError(code=BrowserTimeout.code, message=words)}
    return BrowserStatus(
        state=BrowserState.ACTIVE,
        display=browser.display_name,
        resolution=browser.resolution,
        viewport=viewport,
        headless=request.headless,
        started_at=datetime.fromtimestamp(started_at, UTC).isoformat().replace("+00:00", "Z"),
        cdp_url=cdp_url,
        url=page.url,
        title=page.title,
        tab_id=page.id,
        version=run.launched.version.product,
        context_id=request.context_id,
        sandbox=Sandbox(enabled=reason is None, reason=reason),
        processes=_processes(browser, run.process),
        restarts=browser.restarts,
        start_timings=browser.timings.steps,
        **common,
    )


async def viewport_of(page: Page) -> Viewport | None:
    """What the page has, as it says itself; None where it does not in half a second."""
    with anyio.move_on_after(0.5), suppress(CdpError, CdpGone, DocumentGone, JsError, Problem):
        w, h, dpr = await page.main.evaluate("[innerWidth, innerHeight, devicePixelRatio]", tuple[int, int, float])
        return Viewport(w=w, h=h, dpr=dpr)
    return None


def _processes(browser: Browser, chromium: Process) -> list[ProcessState]:
    found = [ProcessState(name="chromium", pid=chromium.pid, running=chromium.is_running)]
    xvfb = browser.display_process
    if xvfb is not None:
        found.insert(0, ProcessState(name="Xvfb", pid=xvfb.pid, running=xvfb.is_running))
    return found


def _last_error(browser: Browser) -> LastError | None:
    error = browser.last_error
    return (
        None
        if error is None
        else LastError(code=error.code, message=error.detail, stderr=error.members.get("stderr") or None)
    )
