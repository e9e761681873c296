"""Markdown of live pages: what a person sees, and nothing else."""

import re

import httpx2 as httpx
import pytest

from belljar.box.browser.page.navigation import navigate
from belljar.box.browser.page.page import Page
from belljar.box.browser.reading.content import SERIALIZE, Serialized
from belljar.wire.browser.common import WaitUntil
from tests.site import PAGES, Site


def markdown(api: httpx.Client, url: str, **asked: str) -> str:
    api.post("/v1/browser/navigate", json={"url": url}).raise_for_status()
    return str(api.get("/v1/browser/markdown", params=asked).raise_for_status().json()["markdown"])


@pytest.mark.parametrize("mode", ["auto", "article", "page"])
@pytest.mark.parametrize("path", ["reading/tricks.html", "reading/hostile.html"])
def test_text_that_nobody_sees_does_not_reach_the_model(api: httpx.Client, site: Site, path: str, mode: str) -> None:
    assert "GONE" not in markdown(api, site.url(path), mode=mode)


HIDDEN = {
    "a gradient of one colour": "<p style='background: linear-gradient(#fff, #fff); color: #fff'>GONE",
    "a veil of white": "<p style='background: rgba(255, 255, 255, .5); color: #fff'>GONE",
    "a shadow of white": "<p style='color: #fff; text-shadow: 0 0 1px #fff'>GONE",
    "a stroke of nothing": "<p style='color: #fff; -webkit-text-stroke: 1px transparent'>GONE",
    "cut out of nothing": "<div style='background-clip: text'><p style='color: transparent'>GONE</div>",
    "cut out of white": "<p style='background: linear-gradient(#fff, #fff); background-clip: text;"
    " color: transparent'>GONE",
    "before what is hidden": "<div style='position: relative'><div style='visibility: hidden; background: #000;"
    " position: absolute; inset: 0'></div><p style='color: #fff'>GONE</div>",
    "before what is cut off": "<div style='position: relative'><div style='position: absolute; top: 0; left: 0;"
    " height: 0; overflow: hidden'><div style='height: 500px; width: 900px; background: #000'></div></div>"
    "<p style='color: #fff'>GONE</div>",
    "faint twice": "<p style='filter: opacity(.2) opacity(.2)'>GONE",
    "inverted": "<p style='color: #000; filter: invert(1)'>GONE",
    "bleached": "<p style='color: #555; filter: brightness(100)'>GONE",
    "blended away": "<p style='color: #000; mix-blend-mode: screen'>GONE",
    "a mask without size": "<p style='mask: linear-gradient(#000, #000) 0 0 / 0 0 no-repeat'>GONE",
    "cut from one side": "<p style='clip-path: inset(0 0 100% 0)'>GONE",
    "cut by a sum": "<p style='clip-path: inset(0 0 calc(100% - 1px) 0)'>GONE",
    "a circle elsewhere": "<p style='clip-path: circle(5px at -100px -100px)'>GONE",
    "a polygon elsewhere": "<p style='clip-path: polygon(-10px -10px, -50px -10px, -50px -50px)'>GONE",
    "a shape of nothing": "<p style='clip-path: xywh(0 0 0 0)'>GONE",
    "a path of nothing": "<svg width=0 height=0><clipPath id=c></clipPath></svg><p style='clip-path: url(%23c)'>GONE",
    "an old clip": "<p style='position: absolute; clip: rect(auto, 0px, 0px, auto)'>GONE",
    "contained paint": "<div style='contain: paint; height: 0'>GONE</div>",
    "beside a page that does not scroll": "<style>body { overflow-x: hidden }</style>"
    "<p style='position: absolute; left: 3000px; top: 0'>GONE",
    "cut off by the body": "<style>html { overflow: auto } body { overflow: hidden; height: 60px }</style>"
    "<p style='margin-top: 100px'>GONE",
    "squeezed": "<p style='transform: scaleX(.01)'>GONE words that nobody could ever read",
    "letters on letters": "<p style='letter-spacing: -1em'>GONE words that nobody could ever read",
    "the back of a card": "<p style='transform: rotateY(180deg); backface-visibility: hidden'>GONE",
    "a shrunk frame": "<iframe style='transform: scale(.03); width: 2000px; height: 2000px'"
    " srcdoc='<p>GONE</p>'></iframe>",
    "dark in a frame on dark": "<div style='background: #000'>"
    "<iframe srcdoc='<p style=color:black>GONE</p>'></iframe></div>",
    "a missing picture elsewhere": "<img alt='GONE' src='/nothing.png' style='position: absolute; left: -9999px'>",
    "dots": "<p style='-webkit-text-security: disc'>GONE",
    "a field elsewhere": "<textarea style='position: absolute; left: -9999px'>GONE</textarea>",
}


def test_text_is_not_hidden_from_people_alone(api: httpx.Client, site: Site) -> None:
    def read(hidden: str) -> str:
        body = f"<p style='margin: 0'>Words in the open.</p>{hidden}".replace("#", "%23")
        return markdown(api, site.url(f"_/html?body={body}"), mode="page")

    assert {how: read(hidden) for how, hidden in HIDDEN.items()} == dict.fromkeys(HIDDEN, "Words in the open.\n")


def test_text_on_grounds_of_every_kind_is_read(api: httpx.Client, site: Site) -> None:
    seen = (
        "<p style='background: linear-gradient(%23000, %23333); color: %23fff'>on a gradient",
        "<p style='background: linear-gradient(%23000, %23000); color: %23fff'>on one colour",
        "<p style='background: rgba(0, 0, 0, .8); color: %23fff'>on a veil",
        "<p style='color: %23fff; -webkit-text-stroke: 1px %23000'>by its stroke",
        "<p style='background: %23fff; color: %23000; filter: invert(1)'>inverted with its ground",
        "<p style='clip-path: inset(0 0 10% 0)'>cut a little",
        "<p style='clip-path: circle(80% at 50% 50%)'>in a circle",
        "<div style='contain: content'><p>contained</div>",
        "<p style='letter-spacing: -1px'>set tightly",
        "<p style='transform: scale(.8)'>smaller",
        "<p style='mix-blend-mode: multiply'>blended",
        "<div style='background: %23000'><iframe srcdoc='<p style=color:white>white in a frame</p>'></iframe></div>",
        "<p>می\u200cخواهم",
        "<p>❤\ufe0f",
    )
    text = markdown(api, site.url(f"_/html?body={''.join(seen)}"), mode="page")
    words = [re.sub(r"<[^>]*>|'|>", "", one.partition("srcdoc=")[2] or one) for one in seen]
    assert [one for one in words if one not in text] == []


def test_letters_that_nobody_sees_spell_nothing(api: httpx.Client, site: Site) -> None:
    chosen = "".join(chr(0xE0100 + letter) for letter in b"GONE")
    script = f"<p id=p></p><script>p.textContent = 'a{chosen}b\\u200b\\u200c\\u200d\\u200cc\\u202ed\\u00ade'</script>"
    assert markdown(api, site.url(f"_/html?body={script}"), mode="page") == "abcde\n"


def test_what_is_hidden_one_by_one_is_not_taken_for_a_page_to_come(api: httpx.Client, site: Site) -> None:
    body = "<style>p { visibility: hidden }</style><canvas></canvas><p>GONE"
    assert markdown(api, site.url(f"_/html?body={body}")) == ""


async def test_a_text_that_is_too_long_is_cut(page: Page, site: Site) -> None:
    await navigate(page, site.url("_/html?body=<p id=p>"), WaitUntil.LOAD)
    await page.main.evaluate("p.textContent = 'word '.repeat(10_000)")
    found = await page.main.use(SERIALIZE, "page", None, 8000, 5.0, kind=Serialized)
    assert found.is_cut and found.html.count("word") > 200


async def test_sets_of_sources_take_no_time_that_grows_with_their_square(page: Page, site: Site) -> None:
    await navigate(page, site.url("_/html?body=<p>Words"), WaitUntil.LOAD)
    images = "`<img data-srcset='${'a'.repeat(19_000)} b'>`.repeat(60)"
    await page.main.evaluate(f"document.body.innerHTML = {images} + '<p>word'.repeat(300)")
    found = await page.main.use(SERIALIZE, "page", None, 8_000_000, 5.0, kind=Serialized)
    assert not found.is_cut


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
    short = await page.main.use(SERIALIZE, "page", None, 800, 5.0, kind=Serialized)
    assert short.is_cut and 400 < len(short.html) <= 800
    await page.main.evaluate("document.body.innerHTML = '<p>word</p>'.repeat(50000)")
    late = await page.main.use(SERIALIZE, "page", None, 8_000_000, 0.0, kind=Serialized)
    assert late.is_cut and late.html.count("<p>") < 1000
