"""Typing and keys on real fields: what the page's own scripts saw of them."""

from typing import Any

import pytest

from belljar.box.browser.acting.text import press, type_text
from belljar.box.browser.page.frames import World
from belljar.box.browser.page.page import Page
from belljar.problems import InvalidRequest
from belljar.problems.browser import ElementBlocked, ElementNotReady
from tests.box.browser.acting import on, open_page, seen, soon, value
from tests.site import Site


async def struck(page: Page) -> list[Any]:
    return await page.main.evaluate("struck", list[Any], world=World.MAIN)


@pytest.mark.parametrize(
    ("css", "text", "result"),
    [
        ("#text", " new", "old new"),
        ("#number", "3.5", "123.5"),
        ("#email", ".org", "a@b.org"),
        ("#password", "s3cret!", "s3cret!"),
        ("#area", " line\nsecond", "first line\nsecond"),
        ("#area", "\r\nx", "first\nx"),
        ("#short", "abcdef", "abc"),
        ("#text-label", "!", None),
        ("#text", " ñ日本語 👩‍👧 Ж", "old ñ日本語 👩‍👧 Ж"),
        ("#editable", " text", "rich text"),
        ("#wrapper", "in", None),
    ],
)
async def test_text_is_added_at_the_end_of_a_field(
    page: Page, site: Site, css: str, text: str, result: str | None
) -> None:
    await open_page(page, site, "fields")
    await type_text(page, on(css), text, deadline=soon())
    if result is not None:
        assert await value(page, css) == result
    else:
        assert await value(page, {"#text-label": "#text", "#wrapper": "#wrapped"}[css]) in ("old!", "in")


@pytest.mark.parametrize(
    ("css", "text"),
    [("#text", "new"), ("#number", "7"), ("#email", "x@y"), ("#area", "one"), ("#editable", "other"), ("#text", "")],
)
async def test_clear_replaces_what_a_field_holds(page: Page, site: Site, css: str, text: str) -> None:
    await open_page(page, site, "fields")
    await type_text(page, on(css), text, clear=True, deadline=soon())
    assert (await value(page, css)).strip() == text
    assert f"input:{css[1:]}" in await seen(page)


async def test_each_key_is_struck_as_on_a_keyboard(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    await type_text(page, on("#next"), "aA;", deadline=soon())
    assert await struck(page) == [
        ["keydown", "a", "KeyA", 0, 65, ""],
        ["keypress", "a", "KeyA", 0, 97, ""],
        ["keyup", "a", "KeyA", 0, 65, ""],
        ["keydown", "Shift", "ShiftLeft", 1, 16, "S"],
        ["keydown", "A", "KeyA", 0, 65, "S"],
        ["keypress", "A", "KeyA", 0, 65, "S"],
        ["keyup", "A", "KeyA", 0, 65, "S"],
        ["keyup", "Shift", "ShiftLeft", 1, 16, ""],
        ["keydown", ";", "Semicolon", 0, 186, ""],
        ["keypress", ";", "Semicolon", 0, 59, ""],
        ["keyup", ";", "Semicolon", 0, 186, ""],
    ]


async def test_newline_is_enter_and_tab_goes_to_the_next_field(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    await type_text(page, on("#text"), "\tthere\n", deadline=soon())
    assert await value(page, "#next") == "there"
    assert "submit" in await seen(page)
    assert "change:next" in await seen(page)


async def test_a_controlled_field_believes_what_is_typed(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    await type_text(page, on("#controlled"), "abc", deadline=soon())
    assert await value(page, "#controlled") == "ABC"
    assert await value(page, "#state") == "[a][Ab][ABc]"


async def test_a_masked_field_takes_its_digits(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    await type_text(page, on("#masked"), "555 123-4567", deadline=soon())
    assert await value(page, "#masked") == "(555) 123-4567"


@pytest.mark.parametrize(
    ("css", "text"),
    [
        ("#date", "2026-11-15"),
        ("#time", "09:30"),
        ("#datetime", "2026-11-15T09:30"),
        ("#month", "2026-11"),
        ("#week", "2026-W46"),
        ("#color", "#aabbcc"),
        ("#range", "7"),
    ],
)
async def test_a_picker_takes_its_value_with_input_and_change(page: Page, site: Site, css: str, text: str) -> None:
    await open_page(page, site, "fields")
    await type_text(page, on(css), text, deadline=soon())
    assert await value(page, css) == text
    events = await seen(page)
    assert [event for event in events if event.endswith(f":{css[1:]}")] == [f"input:{css[1:]}", f"change:{css[1:]}"]
    if css == "#date":
        assert await value(page, "#state") == "[2026-11-15]"


async def test_a_value_that_a_picker_cannot_have_is_refused(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    for css, text in (("#date", "15.11.2026"), ("#range", "99"), ("#color", "red")):
        with pytest.raises(InvalidRequest):
            await type_text(page, on(css), text, deadline=soon())
    assert await seen(page) == []


@pytest.mark.parametrize(
    ("css", "reason"), [("#readonly", "not_editable"), ("#plain", "not_editable"), ("#disabled", "disabled")]
)
async def test_what_takes_no_text_is_refused(page: Page, site: Site, css: str, reason: str) -> None:
    await open_page(page, site, "fields")
    with pytest.raises(ElementNotReady) as late:
        await type_text(page, on(css), "x", deadline=soon(0.2))
    with pytest.raises(ElementBlocked) as fast:
        await type_text(page, on(css), "x", fail_fast=True, deadline=soon())
    assert late.value.body()["reason"] == fast.value.body()["reason"] == reason


async def test_a_key_with_modifiers(page: Page, site: Site) -> None:
    await open_page(page, site, "fields")
    await press(page, on("#text"), "Control+a", deadline=soon())
    await press(page, None, "Delete", deadline=soon())
    assert await value(page, "#text") == ""
    downs = [key for key in await struck(page) if key[0] == "keydown"]
    assert downs == [
        ["keydown", "Control", "ControlLeft", 1, 17, "C"],
        ["keydown", "a", "KeyA", 0, 65, "C"],
        ["keydown", "Delete", "Delete", 0, 46, ""],
    ]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("Enter", ["Enter", "Enter", 0, 13, ""]),
        ("ArrowDown", ["ArrowDown", "ArrowDown", 0, 40, ""]),
        ("F5", ["F5", "F5", 0, 116, ""]),
        ("Shift+a", ["A", "KeyA", 0, 65, "S"]),
        ("Control+Shift+ArrowLeft", ["ArrowLeft", "ArrowLeft", 0, 37, "CS"]),
        ("+", ["+", "Equal", 0, 187, ""]),
        ("Control++", ["+", "Equal", 0, 187, "C"]),
        ("esc", ["Escape", "Escape", 0, 27, ""]),
        ("NumpadAdd", ["+", "NumpadAdd", 3, 107, ""]),
    ],
)
async def test_keys_by_name(page: Page, site: Site, key: str, expected: list[Any]) -> None:
    await open_page(page, site, "fields")
    await page.main.evaluate("addEventListener('keydown', (event) => event.preventDefault())")
    await press(page, on("#keys"), key, deadline=soon())
    downs = [struck_key[1:] for struck_key in await struck(page) if struck_key[0] == "keydown"]
    assert downs[-1] == expected


@pytest.mark.parametrize("key", ["Nope", "a+b", "Control+", "ab"])
async def test_what_is_no_key_is_refused(page: Page, site: Site, key: str) -> None:
    if key == "Control+":
        await open_page(page, site, "fields")
        await press(page, on("#keys"), key, deadline=soon())
        return
    with pytest.raises(InvalidRequest):
        await press(page, None, key, deadline=soon())


@pytest.mark.parametrize("selector", ["#cross >> #field", "#same >> #field", "#nested >> iframe >> #field"])
async def test_fields_in_frames_of_every_process_are_typed_into(page: Page, site: Site, selector: str) -> None:
    await open_page(page, site, "framed")
    await type_text(page, on(selector), "hello ü", deadline=soon())
    values = [
        await frame.evaluate("document.querySelector('#field')?.value ?? ''", retry=True) for frame in page.frames.all()
    ]
    assert [text for text in values if text] == ["hello ü"]


AGAIN = (
    "const again = (field) => { const next = field.cloneNode(); next.value = field.value; field.replaceWith(next) };"
)


@pytest.mark.parametrize(
    "when",
    [
        "again(this)",
        "Promise.resolve().then(() => again(this))",
        "setTimeout(() => again(this))",
        "setTimeout(() => again(this), 5)",
    ],
)
@pytest.mark.parametrize("clear", [False, True])
async def test_a_field_that_is_made_anew_when_it_gets_the_focus_loses_nothing(
    page: Page, site: Site, when: str, clear: bool
) -> None:
    await open_page(page, site, "fields")
    script = f"{AGAIN} text.addEventListener('focus', function () {{ {when} }}); 0"
    await page.main.evaluate(script, world=World.MAIN)
    await type_text(page, on("#text"), " a longer text", clear=clear, deadline=soon())
    assert await value(page, "#text") == (" a longer text" if clear else "old a longer text")


async def test_what_a_field_took_before_it_was_made_anew_is_not_typed_twice(page: Page, site: Site) -> None:
    """As one that makes a label of each word and begins with an empty field again."""
    await open_page(page, site, "fields")
    script = """const words = []; const make = (field) => field.addEventListener('input', () => {
      if (!field.value.endsWith(',')) return;
      words.push(field.value); const next = field.cloneNode(); next.value = ''; field.replaceWith(next); make(next);
      next.focus(); document.title = words.join('') }); text.value = ''; make(text); 0"""
    await page.main.evaluate(script, world=World.MAIN)
    await type_text(page, on("#text"), "one,two,three,", deadline=soon())
    assert await page.main.evaluate("document.title") == "one,two,three,"
    assert await value(page, "#text") == ""
