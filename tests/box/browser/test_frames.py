"""Script in frames of every kind, on real Chromium."""

import anyio
import pytest

from belljar.box.browser.page.frames import DocumentGone, Frame, JsError, Library, World
from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.page.page import Page
from belljar.wire.browser.common import WaitUntil
from tests.site import Site


async def open_frames(page: Page, site: Site) -> None:
    await navigate(page, site.url("frames.html"), WaitUntil.LOAD)


def frame_at(page: Page, *path: int) -> Frame:
    frame = page.main
    for index in path:
        frame = frame.children[index]
    return frame


async def test_a_frame_of_any_process_runs_script(page: Page, site: Site) -> None:
    await open_frames(page, site)
    assert len(page.frames.all()) == 4
    assert await frame_at(page, 0).evaluate("document.title") == "The second page"
    assert await frame_at(page, 1).evaluate("location.origin") == site.origin(1)
    assert await frame_at(page, 1, 0).evaluate("location.origin") == site.origin(2)
    assert frame_at(page, 1).session is not page.session


async def test_a_frame_that_moves_to_another_process_is_the_same_frame(page: Page, site: Site) -> None:
    await open_frames(page, site)
    frame = frame_at(page, 0)
    assert frame.session is page.session
    await page.main.call("(url) => { document.querySelector('#same').src = url }", site.url("second.html", host=2))
    with anyio.fail_after(10):
        await page.until(lambda: frame.url == site.url("second.html", host=2) and "load" in frame.lifecycle)
    assert frame.session is not page.session
    assert await frame.evaluate("location.origin") == site.origin(2)
    await page.main.call("(url) => { document.querySelector('#same').src = url }", site.url("second.html"))
    with anyio.fail_after(10):
        await page.until(lambda: frame_at(page, 0).url == site.url("second.html"))
    assert await frame_at(page, 0).evaluate("location.origin", retry=True) == site.origin()


async def test_the_isolated_world_is_hidden_from_the_page(page: Page, site: Site) -> None:
    await navigate(page, site.url("index.html"), WaitUntil.LOAD)
    await page.main.evaluate("window.secret = 1; document.title = 'shared'")
    assert await page.main.evaluate("window.secret", world=World.MAIN) is None
    assert await page.main.evaluate("window.secret") == 1
    assert await page.main.evaluate("document.title", world=World.MAIN) == "shared"


async def test_arguments_values_and_handles_come_through(page: Page, site: Site) -> None:
    await navigate(page, site.url("index.html"), WaitUntil.LOAD)
    assert await page.main.call("(a, b) => [a, b]", {"x": [1, None]}, "é😀") == [{"x": [1, None]}, "é😀"]
    button = await page.main.call_handle("() => document.querySelector('#count')")
    assert button is not None
    assert await page.main.call("(element) => element.id", button) == "count"
    assert await page.main.call("async () => 7") == 7
    assert await page.main.call_handle("() => 7") is None


async def test_what_script_throws_is_raised(page: Page) -> None:
    with pytest.raises(JsError) as caught:
        await page.main.call("() => { throw new RangeError('too far') }")
    assert (caught.value.name, caught.value.message) == ("RangeError", "too far")


async def test_a_library_is_made_once_for_each_document(page: Page, site: Site) -> None:
    library = Library("counter", "({ calls: 0, count() { return ++this.calls } })")
    assert [await page.main.use(library, "count") for _ in range(2)] == [1, 2]
    await navigate(page, site.url("second.html"), WaitUntil.LOAD)
    assert await page.main.use(library, "count") == 1


async def test_a_call_whose_document_goes_away_says_so(page: Page, site: Site) -> None:
    with pytest.raises(DocumentGone), anyio.fail_after(10):
        await page.main.call("(url) => { location = url; return new Promise(() => {}) }", site.url("index.html"))


async def test_a_read_is_repeated_in_the_new_document(page: Page, site: Site) -> None:
    await navigate(page, site.url("index.html"), WaitUntil.LOAD)
    script = "(url) => location.href === url ? document.title : (location = url, new Promise(() => {}))"
    with anyio.fail_after(10):
        title = await page.main.call(script, site.url("second.html"), retry=True)
    assert title in ("The second page", "")
