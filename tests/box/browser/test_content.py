"""The contents of pages over HTTP."""

import httpx2 as httpx
import pytest

from tests.processes import command_of, descendants
from tests.servers import RunningBox
from tests.site import Site


def go(api: httpx.Client, url: str) -> None:
    api.post("/v1/browser/navigate", json={"url": url}).raise_for_status()


def test_html_is_that_of_the_live_page(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/article.html"))
    whole = api.get("/v1/browser/content").json()
    assert whole["title"] == "How bells are cast" and "Written by a script" in whole["html"]
    assert whole["html"].startswith("<html")
    part = api.get("/v1/browser/content", params={"selector": "h1"}).json()
    assert part["html"] == "How bells are cast"
    cut = api.get("/v1/browser/content", params={"maxChars": 10}).json()
    assert (len(cut["html"]), cut["truncated"]) == (10, True)


def test_text_is_what_is_rendered(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/hidden.html"))
    text = api.get("/v1/browser/text").json()["text"]
    assert "SEEN plain" in text and "GONE display" not in text and "GONE script" not in text
    part = api.get("/v1/browser/text", params={"selector": ".cut p", "maxChars": 4}).json()
    assert part["text"] == "SEEN" and part["truncated"] is True


def test_an_article_becomes_markdown_without_its_furniture(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/article.html"))
    answer = api.get("/v1/browser/markdown").json()
    markdown = answer["markdown"]
    assert answer["mode"] == "article" and answer["title"] == "How bells are cast"
    assert "## The mould" in markdown
    assert f"[the second page]({site.url('second.html')})" in markdown
    assert "```python\ndef strike(bell):\n    return bell.tone * 2\n```" in markdown
    assert "- copper, seventy-eight parts" in markdown
    assert "| Copper | 78 |" in markdown
    assert "Written by a script" in markdown
    assert "newsletter" not in markdown and "Copyright" not in markdown and "furniture" not in markdown


def test_a_listing_becomes_markdown_whole(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/listing.html"))
    answer = api.get("/v1/browser/markdown").json()
    assert answer["mode"] == "page"
    assert f"## [First bell]({site.url('offer/1')})" in answer["markdown"]
    assert "$30" in answer["markdown"] and "Navigation words" not in answer["markdown"]
    assert "The second page" not in answer["markdown"]
    with_frames = api.get("/v1/browser/markdown", params={"frames": True}).json()["markdown"]
    assert "The second page" in with_frames
    part = api.get("/v1/browser/markdown", params={"selector": "h1"}).json()["markdown"]
    assert part.strip() == "# Offers"


def test_the_converter_is_not_the_servers_memory(api: httpx.Client, site: Site, box_with_browser: RunningBox) -> None:
    go(api, site.url("reading/article.html"))
    api.get("/v1/browser/markdown").raise_for_status()
    with open(f"/proc/{box_with_browser.process.pid}/maps") as maps:
        assert "lxml" not in maps.read()
    assert any("belljar.extract.program" in command_of(pid) for pid in descendants(box_with_browser.process.pid))


def test_links_are_absolute_and_once_each(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/listing.html"))
    links = api.get("/v1/browser/links").json()["links"]
    assert {"href": site.url("offer/1"), "text": "First bell"} in links
    assert {"href": f"{site.origin(1)}/index.html", "text": "Back to the first"} in links
    assert len({(link["href"], link["text"]) for link in links}) == len(links)


def test_scrape_picks_through_shadow_roots(api: httpx.Client, site: Site) -> None:
    body = {"url": site.url("reading/listing.html"), "selectors": {"price": ".price", "none": ".nope"}}
    answer = api.post("/v1/browser/scrape", json=body).json()
    assert answer["data"] == {"price": ["$10", "$20", "$30"], "none": []}
    assert answer["title"] == "Listing"


@pytest.mark.parametrize("path", ["content", "text", "markdown"])
def test_a_bad_selector_is_told_at_once(api: httpx.Client, path: str) -> None:
    answer = api.get(f"/v1/browser/{path}", params={"selector": "p["})
    assert (answer.status_code, answer.json()["code"]) == (400, "browser_invalid_selector")
    answer = api.get(f"/v1/browser/{path}", params={"selector": "#nowhere"})
    assert (answer.status_code, answer.json()["code"]) == (404, "element_not_found")


def test_scrape_takes_every_kind_of_selector(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("acting/framed.html")}).raise_for_status()
    selectors = {
        "role": 'iframe >> role=button[name="Top"]',
        "text": "iframe >> text=Top",
        "xpath": "xpath=//title",
        "framed": "iframe >> button",
        "nowhere": "#none >> button",
    }
    data = api.post("/v1/browser/scrape", json={"selectors": selectors}).json()["data"]
    assert data["xpath"] and data["framed"] and data["nowhere"] == []
    assert data["role"] == data["text"] == ["Top"]


def test_scrape_names_the_selector_that_is_bad(api: httpx.Client) -> None:
    answer = api.post("/v1/browser/scrape", json={"selectors": {"good": "p", "bad": "p["}})
    assert answer.status_code == 400 and answer.json()["selector"] == "p["


def test_an_open_dialog_is_told_at_once(api: httpx.Client) -> None:
    api.post("/v1/browser/execute", json={"expression": "alert('hello')"})
    try:
        for path in ("content", "text", "markdown", "links", "snapshot", "screenshot", "pdf"):
            answer = api.get(f"/v1/browser/{path}", params={"timeout": 5000})
            assert (answer.status_code, answer.json()["code"]) == (409, "dialog_open"), path
    finally:
        api.post("/v1/browser/dialog", json={"accept": True})
