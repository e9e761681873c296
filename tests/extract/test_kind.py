"""Whether a page is an article, when it does not say so itself."""

import pytest

from belljar.extract.markdown import convert
from tests.corpus import Entry, entries
from tests.corpus.furniture import INJECTION
from tests.corpus.templates import render

# Made by scripts and in shadow roots, there is nothing to read before a browser has; shops say that they are shops.
_OTHERS = ("app", "component", "product")
STILL = [entry for entry in entries() if entry.template not in _OTHERS]


def shown(entry: Entry) -> str:
    """The page without what its style hides."""
    return render(entry, "http://x").replace(INJECTION, "")


@pytest.mark.parametrize("entry", STILL, ids=lambda entry: entry.id)
def test_a_page_is_known_by_what_is_on_it(entry: Entry) -> None:
    """Without schema.org's and Open Graph's words for it, which the browser hands on and plain HTML does not have."""
    assert convert(shown(entry), f"http://x/{entry.id}", "auto").mode == entry.kind


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("NewsArticle", "article"), ("Product", "page"), ("DiscussionForumPosting", "page"), ("og:product", "page")],
)
def test_a_page_is_what_it_says(kind: str, mode: str) -> None:
    entry = next(entry for entry in entries() if entry.id == "knot-notes")
    source = shown(entry).replace("<head>", f"<head><meta name='kinds' content='{kind}'>")
    assert convert(source, "http://x/", "auto").mode == mode


def test_an_article_does_not_fall_back_to_the_page_for_the_words_around_it() -> None:
    """Forty comments are seven times as long as the text that they are about."""
    entry = next(entry for entry in entries() if entry.id == "small-bakery")
    written = convert(shown(entry), "http://x/", "auto")
    assert written.mode == "article"
    assert "Hedda Strom" in written.markdown and "My grandmother" not in written.markdown


def test_what_is_too_large_to_be_searched_is_a_page() -> None:
    source = "<main><h1>Long</h1>" + "<p>A paragraph of some words that says the same again.</p>" * 20_000 + "</main>"
    assert convert(source, "http://x/", "auto").mode == "page"
