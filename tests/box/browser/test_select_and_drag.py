"""Options chosen and things dragged, asserted by what the page saw."""

from typing import Any

import pytest

from belljar.box.browser.acting.click import scroll, select, turn_wheel
from belljar.box.browser.acting.drag import drag
from belljar.box.browser.page.page import Page
from belljar.problems.browser import ElementBlocked, OptionNotFound
from tests.box.browser.acting import on, open_page, seen, soon
from tests.site import Site


@pytest.mark.parametrize(
    ("css", "wanted", "values"),
    [
        ("#one", [{"any": "b"}], ["b"]),
        ("#one", [{"any": "Banana"}], ["b"]),
        ("#one", [{"label": "Banana"}], ["b"]),
        ("#one", [{"index": 1}], ["b"]),
        ("#many", [{"value": "1"}, {"value": "3"}], ["1", "3"]),
        ("#late", [{"any": "here"}], ["here"]),
        ("text=Fruit", [{"any": "Y"}], ["Y"]),
        ("#many", [], []),
    ],
)
async def test_options_are_chosen(page: Page, site: Site, css: str, wanted: list[Any], values: list[str]) -> None:
    await open_page(page, site, "fields")
    assert await select(page, on(css), wanted, deadline=soon()) == values
    id = "labelled" if css.startswith("text") else css[1:]
    assert await seen(page) == [f"input:{id}", f"change:{id}"]


async def test_an_option_that_is_not_there_is_refused_with_those_that_are(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    with pytest.raises(OptionNotFound) as caught:
        await select(page, on("#one"), [{"any": "Durian"}], fail_fast=True, deadline=soon())
    assert caught.value.body()["available"][:2] == [
        {"value": "a", "label": "Apple"},
        {"value": "b", "label": "Banana"},
    ]
    with pytest.raises(OptionNotFound):
        await select(page, on("#one"), [{"value": "zz"}], deadline=soon(0.3))
    with pytest.raises(OptionNotFound):
        await select(page, on("#one"), [{"value": "a"}, {"value": "b"}], deadline=soon())
    with pytest.raises(OptionNotFound):
        await select(page, on("#text"), [{"value": "a"}], deadline=soon())
    with pytest.raises(ElementBlocked):
        await select(page, on("#one"), [{"value": "c"}], fail_fast=True, deadline=soon())
    assert await seen(page) == []


async def test_html_drag_and_drop(page: Page, site: Site) -> None:
    await open_page(page, site, "drag")
    await drag(page, on("#item"), on("#bin"), deadline=soon())
    events = await seen(page)
    assert "dragstart:item" in events
    assert "dropped precious on bin" in events


async def test_a_drop_further_down_the_page(page: Page, site: Site) -> None:
    await open_page(page, site, "drag")
    await page.main.evaluate("document.querySelector('#far').style.marginTop = '200px'")
    await drag(page, on("#item"), on("#far"), deadline=soon())
    assert "dropped precious on far" in await seen(page)


async def test_dragging_by_the_mouse_between_an_element_and_a_point(page: Page, site: Site) -> None:
    await open_page(page, site, "drag")
    await drag(page, on("#knob"), (310.0, 310.0), deadline=soon())
    assert "knob at 300" in await seen(page)


async def test_after_a_drag_clicks_are_clicks_again(page: Page, site: Site) -> None:
    from belljar.box.browser.acting.click import click

    await open_page(page, site, "drag")
    await drag(page, on("#item"), on("#bin"), deadline=soon())
    await click(page, on("#bin"), deadline=soon())
    assert (await seen(page))[-1] == "click:bin"


async def test_scrolling_the_page_and_what_is_in_it(page: Page, site: Site) -> None:
    await open_page(page, site, "scrollers")
    assert (await scroll(page, on(), None, 300, deadline=soon())).y == 300
    inner = await scroll(page, on("#inner"), 100, 50, deadline=soon())
    assert (inner.x, inner.y) == (100, 50)
    assert inner.max_x > 2000
    await scroll(page, on("#deep"), None, None, deadline=soon())
    shown = await page.main.evaluate("document.querySelector('#deep').getBoundingClientRect().top < innerHeight")
    assert shown
    top = await scroll(page, on(), None, -10_000, deadline=soon())
    assert top.y == 0


async def test_the_wheel_is_turned_over_an_element(page: Page, site: Site) -> None:
    await open_page(page, site, "scrollers")
    await turn_wheel(page, on("#wheel"), 0, 120, deadline=soon())
    assert "wheel:0,120" in await seen(page)
