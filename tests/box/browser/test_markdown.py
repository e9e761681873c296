"""Markdown of live pages: what a person sees, and nothing else."""

import re

import httpx2 as httpx
import pytest

from belljar.box.browser.markdown.page import SERIALIZE
from belljar.box.browser.navigation import navigate
from belljar.box.browser.page import Page
from belljar.wire.browser.navigation import WaitUntil
from tests.site import PAGES, Site


def markdown(api: httpx.Client, url: str, **asked: str) -> str:
    api.post("/v1/browser/navigate", json={"url": url}).raise_for_status()
    return str(api.get("/v1/browser/markdown", params=asked).raise_for_status().json()["markdown"])


@pytest.mark.parametrize("mode", ["auto", "article", "page"])
@pytest.mark.parametrize("path", ["reading/tricks.html", "reading/hostile.html"])
def test_text_that_nobody_sees_does_not_reach_the_model(api: httpx.Client, site: Site, path: str, mode: str) -> None:
    assert "GONE" not in markdown(api, site.url(path), mode=mode)


def test_text_that_is_seen_is_not_taken_for_a_trick(api: httpx.Client, site: Site) -> None:
    text = markdown(api, site.url("reading/tricks.html"), mode="page")
    source = (PAGES / "reading" / "tricks.html").read_text()
    wanted = {words.strip() for words in re.findall(r"SEEN [a-z ]+", source)}
    assert len(wanted) > 20
    assert wanted == {words.strip() for words in re.findall(r"SEEN [a-z ]+?(?= SEEN|[^a-z ]|$)", text)}


def test_a_page_that_lies_about_itself_is_read_as_it_is(api: httpx.Client, site: Site) -> None:
    text = markdown(api, site.url("reading/hostile.html"))
    for words in (
        "# What it says",
        "Words in the open",
        "Words in a form that is not itself.",
        "Words after the well.",
    ):
        assert words in text, text
    assert "FORGED" not in text


def test_pictures_that_load_late_and_links_have_absolute_addresses(api: httpx.Client, site: Site) -> None:
    text = markdown(api, site.url("reading/late.html"), mode="page")
    for alt, path in (
        ("by data-src", "deep/er/one.png"),
        ("by data-srcset", "deep/er/large.png"),
        ("by srcset", "x2.png"),
        ("by picture", "deep/er/wide.webp"),
    ):
        assert f"![{alt}]({site.url(path)})" in text, text
    assert "pixel.gif" not in text
    assert f"[A link up]({site.url('deep/up.html#part')})" in text
    assert f"[the next]({site.url('deep/er/?page=2')})" in text
    assert "nowhere, [mail](mailto:bells@example.com)" in text


def test_a_frame_of_the_same_origin_is_part_of_the_page(api: httpx.Client, site: Site) -> None:
    text = markdown(api, site.url("reading/late.html"), mode="page")
    assert f"Words of a frame of the same origin, [with a link]({site.url('deep/er/in.html')})." in text
    assert "GONE" not in text


def test_a_drawing_says_what_is_written_in_it(api: httpx.Client, site: Site) -> None:
    text = markdown(api, site.url("reading/drawing.svg"))
    assert text == "The headstock carries the weight\n\nThe clapper swings below\n"


def test_a_page_that_hides_all_of_itself_until_it_is_ready_is_read(api: httpx.Client, site: Site) -> None:
    text = markdown(api, site.url("reading/veiled.html"))
    assert text == "# Behind the veil\n\nAll of it will be there in a moment.\n"


def test_a_page_that_shows_some_of_itself_is_not_unveiled(api: httpx.Client, site: Site) -> None:
    body = "<style>body { visibility: hidden }</style><p>GONE<p style='visibility: visible'>Seen"
    assert markdown(api, site.url(f"_/html?body={body}")) == "Seen\n"


def test_an_element_that_was_asked_for_is_taken_whole(api: httpx.Client, site: Site) -> None:
    body = "<nav id='n'><a href='/a'>One</a> <button>Two</button></nav><div style='display: none'><p id='h'>GONE</div>"
    url = site.url(f"_/html?body={body}")
    assert markdown(api, url, selector="#n") == f"[One]({site.url('a')}) Two\n"
    assert markdown(api, url, selector="#h") == ""


async def test_writing_a_document_is_bounded(page: Page, site: Site) -> None:
    await navigate(page, site.url("reading/tricks.html"), WaitUntil.LOAD)
    short = await page.main.use(SERIALIZE, "page", None, 800, 5.0)
    assert short["isCut"] and 400 < len(short["html"]) <= 800
    await page.main.evaluate("document.body.innerHTML = '<p>word</p>'.repeat(50000)")
    late = await page.main.use(SERIALIZE, "page", None, 8_000_000, 0.0)
    assert late["isCut"] and late["html"].count("<p>") < 1000
