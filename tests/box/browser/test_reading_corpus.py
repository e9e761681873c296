"""The corpus of pages, read by a real browser: each must come back as the markdown that it was made of."""

from collections import Counter

import httpx2 as httpx
import pytest

from benchmarks.extraction import lines_alike, without_title
from tests.corpus import Entry, entries
from tests.corpus.furniture import INJECTION
from tests.site import Site


def some() -> list[object]:
    """Every page of the corpus, of which those that differ from another in no more than words are for the long runs."""
    seen: Counter[tuple[str, ...]] = Counter()
    found: list[object] = []
    for entry in entries():
        kind = (entry.kind, entry.template, entry.lang)
        found.append(pytest.param(entry, id=entry.id, marks=[pytest.mark.soak] if seen[kind] else []))
        seen[kind] += 1
    return found


@pytest.mark.parametrize("entry", some())
def test_a_page_comes_back_as_what_it_was_made_of(api: httpx.Client, site: Site, entry: Entry) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url(f"_/corpus/{entry.id}")}).raise_for_status()
    answer = api.get("/v1/browser/markdown").raise_for_status().json()
    assert answer["title"] == entry.title
    assert INJECTION not in answer["markdown"]
    assert answer["mode"] == entry.kind
    found = without_title(answer["markdown"], entry.title) if entry.kind == "article" else answer["markdown"]
    assert lines_alike(found, entry.expected(site.origin())) >= 0.97, answer["markdown"]


def test_the_corpus_is_as_large_and_as_varied_as_it_says() -> None:
    articles = [entry for entry in entries() if entry.kind == "article"]
    assert len(entries()) >= 60 and len(articles) >= 30
    assert len({entry.template for entry in articles}) >= 10
    assert {"ar", "he", "zh", "ja", "ko"} <= {entry.lang for entry in entries()}
