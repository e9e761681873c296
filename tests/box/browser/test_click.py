"""Clicks on the page battery: they hit what they aim at, or say what is in the way; asserted by what the page saw."""

import anyio
import pytest

from belljar.box.browser.acting.click import click, hover
from belljar.box.browser.page.page import Page
from belljar.problems.browser import BrowserInvalidSelector, ElementBlocked, ElementNotFound, ElementNotReady
from tests.box.browser.acting import on, open_page, seen, soon
from tests.site import Site


async def test_a_click_is_a_press_and_a_release(page: Page, site: Site) -> None:
    await open_page(page, site, "buttons")
    await click(page, on("#plain"), deadline=soon())
    assert await seen(page) == ["mousedown:plain", "mouseup:plain", "click:plain"]


async def test_a_double_click_is_two_clicks_and_one_more_event(page: Page, site: Site) -> None:
    await open_page(page, site, "buttons")
    await click(page, on("#plain"), count=2, deadline=soon())
    assert [event.split(":")[0] for event in await seen(page)].count("click") == 2
    assert (await seen(page))[-1] == "dblclick:plain"


async def test_other_buttons(page: Page, site: Site) -> None:
    await open_page(page, site, "buttons")
    await click(page, on("#plain"), button="middle", deadline=soon())
    await click(page, on("#plain"), button="right", deadline=soon())
    events = await seen(page)
    assert "auxclick:plain" in events
    assert "contextmenu:plain" in events
    assert "click:plain" not in events


@pytest.mark.parametrize("id", ["late", "soon", "rotated", "wrapped", "in-contents", "around"])
async def test_what_a_person_could_click_is_clicked(page: Page, site: Site, id: str) -> None:
    await open_page(page, site, "buttons")
    await click(page, on(f"#{id}"), deadline=soon())
    assert f"click:{id}" in await seen(page)


async def test_of_several_matches_the_one_that_shows_is_clicked(page: Page, site: Site) -> None:
    await open_page(page, site, "buttons")
    await click(page, on(".twin"), deadline=soon())
    assert "click:shown-twin" in await seen(page)


async def test_an_icon_that_takes_no_events_is_its_button(page: Page, site: Site) -> None:
    await open_page(page, site, "buttons")
    await click(page, on("#icon"), deadline=soon())
    assert "click:around" in await seen(page)


async def test_a_label_is_its_control_and_a_control_its_label(page: Page, site: Site) -> None:
    await open_page(page, site, "buttons")
    await click(page, on("#bold"), deadline=soon())
    assert await page.main.evaluate("document.querySelector('#box').checked")
    await click(page, on("text=Pick me"), deadline=soon())
    assert await page.main.evaluate("document.querySelector('#radio').checked")


@pytest.mark.parametrize(
    ("id", "reason"),
    [
        ("disabled", "disabled"),
        ("in-fieldset", "disabled"),
        ("aria-disabled", "disabled"),
        ("zero", "hidden"),
        ("hidden-twin", "hidden"),
        ("through", "obscured"),
    ],
)
async def test_what_cannot_be_clicked_is_refused_with_the_reason(page: Page, site: Site, id: str, reason: str) -> None:
    await open_page(page, site, "buttons")
    with pytest.raises(ElementNotReady) as late:
        await click(page, on(f"#{id}"), deadline=soon(0.3))
    assert (late.value.status, late.value.body()["reason"]) == (504, reason)
    with pytest.raises(ElementBlocked) as fast:
        await click(page, on(f"#{id}"), fail_fast=True, deadline=soon())
    assert (fast.value.status, fast.value.body()["reason"]) == (409, reason)
    assert await seen(page) == []


async def test_force_skips_the_checks(page: Page, site: Site) -> None:
    await open_page(page, site, "covered")
    await click(page, on("#covered"), force=True, deadline=soon())
    assert await seen(page) == ["mousedown:overlay", "mouseup:overlay", "click:overlay"]


async def test_what_covers_an_element_is_named(page: Page, site: Site) -> None:
    await open_page(page, site, "covered")
    with pytest.raises(ElementNotReady) as caught:
        await click(page, on("#covered"), deadline=soon(0.3))
    assert caught.value.body()["obscuredBy"] == "div#overlay"
    assert "div#overlay" in str(caught.value.detail)
    assert await seen(page) == []
    assert await page.main.evaluate("scrollY") == 0


@pytest.mark.parametrize("id", ["uncovered-soon", "badged", "under-footer", "far-down", "caught"])
async def test_what_is_covered_for_a_while_or_in_part_is_clicked(page: Page, site: Site, id: str) -> None:
    await open_page(page, site, "covered")
    await click(page, on(f"#{id}"), deadline=soon())
    assert await seen(page) == [f"mousedown:{id}", f"mouseup:{id}", f"click:{id}"]


async def test_a_sticky_header_does_not_get_the_click(page: Page, site: Site) -> None:
    await open_page(page, site, "covered")
    await page.main.evaluate("scrollTo(0, 2410)")
    await click(page, on("#far-down-2"), deadline=soon())
    assert "click:far-down-2" in await seen(page)


@pytest.mark.parametrize("id", ["sliding", "scripted", "in"])
async def test_what_moves_is_hit(page: Page, site: Site, id: str) -> None:
    await open_page(page, site, "moving")
    for _ in range(3):
        await click(page, on(f"#{id}"), deadline=soon())
    clicks = [event for event in await seen(page) if event.startswith(("mousedown", "click"))]
    assert clicks == [f"mousedown:{id}", f"click:{id}"] * 3


async def test_what_never_stops_moving_is_refused(page: Page, site: Site) -> None:
    await open_page(page, site, "moving")
    with pytest.raises(ElementNotReady) as caught:
        await click(page, on("#endless"), deadline=soon(0.5))
    assert caught.value.body()["reason"] == "moving"
    assert await seen(page) == []


@pytest.mark.parametrize("id", ["deep", "in-cut", "bottom"])
async def test_scrollers_inside_scrollers_are_scrolled(page: Page, site: Site, id: str) -> None:
    await open_page(page, site, "scrollers")
    await click(page, on(f"#{id}"), deadline=soon())
    assert f"click:{id}" in await seen(page)


async def test_a_page_that_renders_itself_anew_all_the_time_is_hit_every_time(page: Page, site: Site) -> None:
    await open_page(page, site, "restless")
    for _ in range(10):
        await click(page, on("#again"), deadline=soon())
    assert await page.main.evaluate("0") == 0
    assert (await seen(page)).count("mousedown:again") == 10


@pytest.mark.parametrize(
    ("selector", "frame_id"),
    [
        ("#cross >> #top", "cross"),
        ("#cross >> #low", "cross"),
        ("#same >> #top", "same"),
        ("#below >> #low", "below"),
        ("#nested >> #innermost >> #low", "innermost"),
        ("#nested >> iframe >> text=Top", "innermost"),
    ],
)
async def test_frames_of_every_process_and_place_are_entered(
    page: Page, site: Site, selector: str, frame_id: str
) -> None:
    await open_page(page, site, "framed")
    await click(page, on(selector), deadline=soon())
    clicked = selector.rpartition(" ")[2].removeprefix("#").replace("text=Top", "top").replace("Top", "top")
    inside = [frame for frame in page.frames.all() if f"click:{clicked}" in await seen(frame)]
    assert len(inside) == 1
    assert [await seen(frame) for frame in page.frames.all() if frame is not inside[0]] == [[]] * 6


async def test_a_covered_frame_is_not_clicked_into(page: Page, site: Site) -> None:
    await open_page(page, site, "framed")
    with pytest.raises(ElementNotReady) as caught:
        await click(page, on("#covered >> #top"), deadline=soon(0.5))
    assert caught.value.body()["obscuredBy"] == "div#shade"
    assert [await seen(frame) for frame in page.frames.all()] == [[]] * 7


async def test_the_frame_of_a_call_may_be_named(page: Page, site: Site) -> None:
    await open_page(page, site, "framed")
    for frame in ("#cross", "crossed", page.main.children[0].id):
        await click(page, on("#top", frame=frame), deadline=soon())
    assert (await seen(page.main.children[0])).count("click:top") == 3


async def test_nothing_there_is_said_at_the_deadline(page: Page, site: Site) -> None:
    await open_page(page, site, "buttons")
    with pytest.raises(ElementNotFound) as caught:
        await click(page, on("#nowhere"), fail_fast=True, deadline=soon(0.2))
    assert caught.value.body()["selector"] == "#nowhere"


@pytest.mark.parametrize("selector", ["a[", "xpath=//[", "text=/(/", "role=button[nme=x]", "#cross >> a[", "  "])
async def test_a_selector_that_cannot_be_read_is_refused_at_once(page: Page, site: Site, selector: str) -> None:
    await open_page(page, site, "buttons")
    with anyio.fail_after(5), pytest.raises(BrowserInvalidSelector):
        await click(page, on(selector), deadline=soon(60))


async def test_hovering_moves_the_pointer_there(page: Page, site: Site) -> None:
    await open_page(page, site, "buttons")
    await hover(page, on("#plain"), deadline=soon())
    assert await page.main.evaluate("document.querySelector('#plain').matches(':hover')")
    await hover(page, on("#around"), deadline=soon())
    assert await page.main.evaluate("document.querySelector('#around').matches(':hover')")
