"""Selectors: how they are read, and what they find."""

from typing import Any

import pytest

from belljar.box.browser.acting.locate import ACTING, find_now, look, parse_selector
from belljar.box.browser.page.page import Page
from belljar.problems.browser import BrowserInvalidSelector, StaleRef
from tests.box.browser.acting import on, open_page
from tests.site import Site


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("button.ok", [{"engine": "css", "css": "button.ok"}]),
        ("css=a > b", [{"engine": "css", "css": "a > b"}]),
        ("text=Don't >> b", [{"engine": "text", "text": "Don't", "exact": False}, {"engine": "css", "css": "b"}]),
        ('text="a >> b"', [{"engine": "text", "text": "a >> b", "exact": True}]),
        ("'Save'", [{"engine": "text", "text": "Save", "exact": True}]),
        ("text=/sa.e/i", [{"engine": "text", "pattern": "sa.e", "flags": "i"}]),
        ("//a[1]", [{"engine": "xpath", "path": "//a[1]"}]),
        ("ref=f1e2", [{"engine": "ref", "ref": "f1e2"}]),
        ("id=x", [{"engine": "css", "css": '[id="x"]'}]),
        ("li >> nth=-1", [{"engine": "css", "css": "li"}, {"engine": "nth", "index": -1}]),
        (
            'role=button[name="Sa\\"ve" i][pressed]',
            [
                {
                    "engine": "role",
                    "role": "button",
                    "hidden": False,
                    "attributes": [
                        {"name": "name", "operator": "=", "value": 'Sa"ve', "flags": "i"},
                        {"name": "pressed", "flags": ""},
                    ],
                }
            ],
        ),
        ('a[href*=">>"] >> b', [{"engine": "css", "css": 'a[href*=">>"]'}, {"engine": "css", "css": "b"}]),
    ],
)
def test_selectors_are_read(text: str, steps: list[Any]) -> None:
    assert list(parse_selector(text).steps) == steps


@pytest.mark.parametrize("text", ["", "  ", "a >> ", "nth=x", "role=", "role=b[x=1]", "role=b[name]", "x" * 10_001])
def test_unreadable_selectors_are_refused(text: str) -> None:
    with pytest.raises(BrowserInvalidSelector):
        parse_selector(text)


async def ids(page: Page, selector: str) -> str | None:
    found = await look(page, on(selector))
    if found is None:
        return None
    frame, handle = found
    return await frame.call("(element) => element.id || element.localName", handle, kind=str)


@pytest.mark.parametrize(
    ("selector", "id"),
    [
        ("outer-box.card #in-shadow", "in-shadow"),
        ("outer-box.other button", "in-shadow"),
        ("section > inner-box > p.wrap > input", "deep-input"),
        ("outer-box input + a", "deep-link"),
        ("outer-box >> text=Deep link", "deep-link"),
        ("text=slotted WORDS", "slotted"),
        ("role=link[name='Deep link']", "deep-link"),
        ("a:has-text('deep')", "deep-link"),
        ("role=textbox", "deep-input"),
        ("#closed", None),
        ("outer-box.card > a", None),
    ],
)
async def test_open_shadow_roots_are_looked_into(page: Page, site: Site, selector: str, id: str | None) -> None:
    await open_page(page, site, "shadow")
    assert await ids(page, selector) == id


@pytest.mark.parametrize(
    ("selector", "id"),
    [
        ("text=plain", "plain"),
        ('text="plain"', None),
        ("text=/^PLAIN$/i", "plain"),
        ("role=button[name=Plain]", "plain"),
        ("role=button[name=plain i]", "plain"),
        ("role=button[name^='Late']", None),
        ("role=button[disabled]", "disabled"),
        ("role=checkbox[name*='everything']", "box"),
        ("role=checkbox[checked]", None),
        ("role=button[name=Twin]", "shown-twin"),
        ("role=button[name=Twin][include-hidden] >> nth=0", "hidden-twin"),
        ("button >> nth=0", "plain"),
        ("button >> nth=-1", "in-contents"),
        ("button.twin:visible", "shown-twin"),
        ("fieldset >> button", "in-fieldset"),
        ("//button[@disabled]", "disabled"),
        ("fieldset >> xpath=./button", "in-fieldset"),
        ("button:text-is('Disabled')", "disabled"),
        ("nothing, #plain", "plain"),
    ],
)
async def test_elements_are_found(page: Page, site: Site, selector: str, id: str | None) -> None:
    await open_page(page, site, "buttons")
    assert await ids(page, selector) == id


async def test_a_ref_is_a_selector_too_and_says_when_it_is_stale(page: Page, site: Site) -> None:
    await open_page(page, site, "buttons")
    await page.main.use(ACTING, "state", {"ref": "e1"})
    ref = await page.main.call("() => belljar.refs.refOf(document.querySelector('#plain'))", kind=str)
    assert await ids(page, f"ref={ref}") == "plain"
    assert (await find_now(page, on(ref=ref)))[0] is page.main
    await page.main.evaluate("document.querySelector('#plain').remove()")
    with pytest.raises(StaleRef):
        await find_now(page, on(ref=ref))
