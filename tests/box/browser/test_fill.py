"""Filling fields at once: what they hold afterwards, and what the page's own scripts saw of it."""

from typing import Any

import pytest

from belljar.box.browser.acting.text import fill, press
from belljar.box.browser.page.frames import World
from belljar.box.browser.page.page import Page
from belljar.problems import InvalidRequest
from belljar.problems.browser import ElementBlocked, ElementNotFound, ElementNotReady
from tests.box.browser.acting import on, open_page, seen, soon, value
from tests.site import Site

# Notes every event that text brings about, trusted or not, in the order in which it came.
_LISTEN = """(() => {
  window.told = [];
  for (const type of ["focus", "keydown", "beforeinput", "input", "change", "blur"]) {
    const note = (event) => told.push([type, event.inputType ?? null, event.data ?? null, event.isTrusted]);
    addEventListener(type, note, true);
  }
})()"""


async def told(page: Page) -> list[Any]:
    return await page.main.evaluate("told", list[Any], world=World.MAIN)


@pytest.mark.parametrize(
    ("css", "text", "result"),
    [
        ("#text", "new", "new"),
        ("#text", "", ""),
        ("#text", "two\nlines\tand a tab", "two lines\tand a tab"),
        ("#text", "ñ日本語 👩‍👧 Ж", "ñ日本語 👩‍👧 Ж"),
        ("#number", "7.5", "7.5"),
        ("#email", "x@y.org", "x@y.org"),
        ("#password", "s3cret!", "s3cret!"),
        ("#area", "one\r\ntwo\n\nthree", "one\ntwo\n\nthree"),
        ("#area", "", ""),
        ("#short", "abcdef", "abc"),
        ("#controlled", "abc", "ABC"),
        ("#editable", "other", "other"),
        ("#editable", "", ""),
        ("#next", "where nothing was", "where nothing was"),
        ("#next", "", ""),
    ],
)
async def test_a_field_holds_what_it_was_filled_with(page: Page, site: Site, css: str, text: str, result: str) -> None:
    await open_page(page, site, "fields")
    await fill(page, on(css), text, deadline=soon())
    assert (await value(page, css)).strip() == result


async def test_a_long_text_is_filled_whole(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    # In long lines: Chromium's time grows with the square of their number.
    text = ("0123456789 täglich " * 150 + "\n") * 20
    await fill(page, on("#area"), text, deadline=soon())
    assert await value(page, "#area") == text


@pytest.mark.parametrize(("css", "field"), [("#text-label", "#text"), ("#wrapper", "#wrapped")])
async def test_a_label_and_a_wrapper_stand_for_their_field(page: Page, site: Site, css: str, field: str) -> None:
    await open_page(page, site, "fields")
    await fill(page, on(css), "meant", deadline=soon())
    assert await value(page, field) == "meant"


async def test_an_editor_sees_what_an_input_method_brings(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    await page.main.evaluate(_LISTEN, world=World.MAIN)
    await fill(page, on("#editable"), "new", deadline=soon())
    assert [event for event in await told(page) if event[0] != "focus"] == [
        ["beforeinput", "insertText", "new", True],
        ["input", "insertText", "new", True],
    ]


async def test_a_page_that_refuses_text_before_it_is_there_is_heard(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    refuse = "document.querySelector('#text').addEventListener('beforeinput', (event) => event.preventDefault())"
    await page.main.evaluate(refuse, world=World.MAIN)
    await fill(page, on("#text"), "new", deadline=soon())
    assert await value(page, "#text") == "old"


async def test_what_was_filled_can_be_undone(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    await fill(page, on("#text"), "new", deadline=soon())
    await press(page, None, "Control+z", deadline=soon())
    assert await value(page, "#text") == "old"


async def test_the_page_sees_trusted_input_and_no_keys_and_the_change_when_the_field_is_left(
    page: Page, site: Site
) -> None:
    await open_page(page, site, "fields")
    await page.main.evaluate(_LISTEN, world=World.MAIN)
    await fill(page, on("#text"), "new", deadline=soon())
    assert [event for event in await told(page) if event[0] != "focus"] == [
        ["beforeinput", "insertText", "new", False],
        ["input", "insertText", "new", True],
    ]
    await fill(page, on("#next"), "x", deadline=soon())
    assert ["change", None, None, True] in await told(page)


@pytest.mark.parametrize(
    ("css", "text"), [("#date", "2026-11-15"), ("#time", "09:30"), ("#color", "#aabbcc"), ("#range", "7")]
)
async def test_a_picker_is_filled_with_input_and_change(page: Page, site: Site, css: str, text: str) -> None:
    await open_page(page, site, "fields")
    await fill(page, on(css), text, deadline=soon())
    assert await value(page, css) == text
    assert [event for event in await seen(page) if event.endswith(css[1:])] == [f"input:{css[1:]}", f"change:{css[1:]}"]


async def test_a_picker_is_cleared(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    await fill(page, on("#date"), "2026-11-15", deadline=soon())
    await fill(page, on("#date"), "", deadline=soon())
    assert await value(page, "#date") == ""


async def test_a_value_that_a_picker_cannot_have_is_refused_and_the_old_one_stays(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    with pytest.raises(InvalidRequest, match="not of the form"):
        await fill(page, on("#date"), "15.11.2026", deadline=soon())
    assert await seen(page) == []


@pytest.mark.parametrize(
    ("css", "reason"),
    [("#readonly", "not_editable"), ("#plain", "not_editable"), ("#disabled", "disabled"), ("#one", "not_editable")],
)
async def test_what_takes_no_text_is_refused(page: Page, site: Site, css: str, reason: str) -> None:
    await open_page(page, site, "fields")
    with pytest.raises(ElementNotReady) as late:
        await fill(page, on(css), "x", deadline=soon(0.2))
    with pytest.raises(ElementBlocked) as fast:
        await fill(page, on(css), "x", fail_fast=True, deadline=soon())
    assert late.value.body()["reason"] == fast.value.body()["reason"] == reason


async def test_a_missing_field_is_named(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    with pytest.raises(ElementNotFound, match="#nowhere"):
        await fill(page, on("#nowhere"), "x", deadline=soon(0.2))


async def test_a_field_that_comes_late_is_waited_for(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    await page.main.evaluate(
        "setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<input id=later>'), 150)", world=World.MAIN
    )
    await fill(page, on("#later"), "in time", deadline=soon())
    assert await value(page, "#later") == "in time"


async def test_a_field_that_is_made_anew_when_it_gets_the_focus_keeps_its_text(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    await page.main.evaluate(
        """document.querySelector("#text").addEventListener("focus", (event) => {
             const again = event.target.cloneNode();
             event.target.replaceWith(again);
             again.focus();
           }, { once: true })""",
        world=World.MAIN,
    )
    await fill(page, on("#text"), "kept", deadline=soon())
    assert await value(page, "#text") == "kept"


async def test_fields_in_frames_of_any_process_are_filled(page: Page, site: Site) -> None:
    await open_page(page, site, "framed")
    for selector in ("#same >> #field", "#cross >> #field", "#nested >> iframe >> #field"):
        await fill(page, on(selector), f"for {selector}", deadline=soon())
    read = "document.querySelector('#field')?.value ?? ''"
    texts = [await frame.evaluate(read, str) for frame in page.frames.all()[1:]]
    assert sorted(text for text in texts if text) == [
        "for #cross >> #field",
        "for #nested >> iframe >> #field",
        "for #same >> #field",
    ]
