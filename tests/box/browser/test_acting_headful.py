"""The same hands on a real display, in front and behind another tab."""

from collections.abc import AsyncIterator

import anyio
import pytest

from belljar.box.browser import Browser
from belljar.box.browser.acting.click import click, hover
from belljar.box.browser.acting.drag import drag
from belljar.box.browser.acting.text import press, type_text
from belljar.box.browser.page.page import Page
from belljar.wire.browser.common import OnTab
from belljar.wire.browser.lifecycle import StartRequest
from tests.box.browser.acting import on, open_page, seen, soon, value
from tests.box.browser.conftest import running_browser
from tests.site import Site


@pytest.fixture(scope="module")
async def headful(anyio_backend: object) -> AsyncIterator[Browser]:
    async with running_browser() as browser:
        await browser.start(StartRequest())
        yield browser


@pytest.fixture(params=["in front", "behind another"])
async def tab(headful: Browser, request: pytest.FixtureRequest) -> AsyncIterator[Page]:
    tabs = headful.instance.tabs
    tab = await tabs.create()
    others = [await tabs.create()] if request.param == "behind another" else []
    yield tab
    for page in (tab, *others):
        await tabs.close(page)


async def test_clicks(tab: Page, site: Site) -> None:
    await open_page(tab, site, "buttons")
    for id in ("plain", "late", "soon", "rotated", "wrapped", "around"):
        await click(tab, on(f"#{id}"), deadline=soon())
    await hover(tab, on("#plain"), deadline=soon())
    clicks = [event for event in await seen(tab) if event.startswith("click")]
    assert clicks == ["click:plain", "click:late", "click:soon", "click:rotated", "click:wrapped", "click:around"]


async def test_clicks_on_what_moves(tab: Page, site: Site) -> None:
    await open_page(tab, site, "moving")
    for id in ("sliding", "scripted", "in"):
        await click(tab, on(f"#{id}"), deadline=soon())
        assert f"click:{id}" in await seen(tab)


async def test_clicks_into_frames(tab: Page, site: Site) -> None:
    await open_page(tab, site, "framed")
    for selector in ("#cross >> #low", "#same >> #top", "#below >> #low", "#nested >> iframe >> #low"):
        await click(tab, on(selector), deadline=soon())
    clicked = [event for frame in tab.frames.all() for event in await seen(frame) if event.startswith("click")]
    assert sorted(clicked) == ["click:low", "click:low", "click:low", "click:top"]


async def test_typing(tab: Page, site: Site) -> None:
    await open_page(tab, site, "fields")
    await type_text(tab, on("#text"), " new ñ 👩‍👧\tnext\n", deadline=soon())
    assert await value(tab, "#text") == "old new ñ 👩‍👧"
    assert await value(tab, "#next") == "next"
    assert "submit" in await seen(tab)
    await press(tab, on("#text"), "Control+a", deadline=soon())
    await press(tab, None, "Backspace", deadline=soon())
    assert await value(tab, "#text") == ""
    await type_text(tab, on("#editable"), "other", clear=True, deadline=soon())
    assert (await value(tab, "#editable")).strip() == "other"


async def test_typing_into_a_frame_of_another_process(tab: Page, site: Site) -> None:
    await open_page(tab, site, "framed")
    await type_text(tab, on("#cross >> #field"), "one", deadline=soon())
    await type_text(tab, on("#nested >> iframe >> #field"), "two", deadline=soon())
    values = [await frame.evaluate("document.querySelector('#field')?.value ?? ''", str) for frame in tab.frames.all()]
    assert sorted(text for text in values if text) == ["one", "two"]


async def test_dragging(tab: Page, site: Site) -> None:
    await open_page(tab, site, "drag")
    await drag(tab, on("#item"), on("#bin"), deadline=soon())
    await drag(tab, on("#knob"), (310.0, 310.0), deadline=soon())
    assert "dropped precious on bin" in await seen(tab)
    assert "knob at 300" in await seen(tab)


async def test_a_file_chooser_never_shows(headful: Browser, tab: Page, site: Site) -> None:
    await open_page(tab, site, "leaving")
    async with headful.action(OnTab(tab_id=tab.id), "clicking") as act:
        await click(act.page, on("#chooser"), deadline=act.deadline)
    assert act.effects is not None and act.effects.chooser_is_multiple is True
    await click(tab, on("#hash"), deadline=soon())
    assert "click:hash" in await seen(tab)


async def test_the_window_fills_the_display(headful: Browser) -> None:
    page = headful.instance.tabs.active
    size: list[int] = []
    with anyio.fail_after(10):
        while size != [1280, 720]:
            size = await page.main.evaluate(
                "new Promise((done) => setTimeout(() => done([outerWidth, outerHeight]), 20))", list[int]
            )
