"""Whether a page has one content to be read from top to bottom, or is something else: a listing, a thread, a shop."""

import re
from collections import defaultdict
from typing import Any

from belljar.extract.article import Article
from belljar.extract.furniture import is_comments, is_furniture, is_page_header, names_of
from belljar.extract.words import HEADINGS, Text, count

# schema.org's words for pages, and Open Graph's; a page may say several.
_ARTICLES = re.compile(r"(?:\w*Article|BlogPosting|Report|LiveBlogPosting|Recipe|HowTo|Review)$")
_OTHERS = frozenset(
    {
        "CollectionPage",
        "DiscussionForumPosting",
        "ItemList",
        "OfferCatalog",
        "Product",
        "ProductGroup",
        "ProfilePage",
        "QAPage",
        "SearchResultsPage",
        "og:product",
        "og:product.group",
        "og:product.item",
        "og:profile",
    }
)
# Words that an article has at least: fewer where the page says that it is one.
_LEAST = 60
_LEAST_DECLARED = 25
# Entries are what a page consists of when there are so many, with such a share of its words.
_LEAST_ENTRIES = 3
_ENTRIES_SHARE = 0.5
_POSTED = re.compile(r"author|user|poster|avatar|posted|timestamp|score|votes?|permalink")


def is_article(article: Article, text: Text, kinds: frozenset[str]) -> bool:
    """Articles by default: what speaks against it is what the page says, what it repeats, and what would be lost."""
    is_declared = any(_ARTICLES.match(kind) for kind in kinds)
    if article.words < (_LEAST_DECLARED if is_declared or "og:article" in kinds else _LEAST):
        return False
    if is_declared:
        return True
    if kinds & _OTHERS or _is_links(text):
        return False
    if entries_share(article.tree) >= _ENTRIES_SHARE:
        return False
    return "og:article" in kinds or article.lost() <= article.words


def _is_links(text: Text) -> bool:
    """Whether most of what was chosen leads elsewhere."""
    chosen = [run for run in text.runs if run.chosen]
    return sum(run.linked for run in chosen) > sum(run.chosen for run in chosen) / 2


def entries_share(tree: Any) -> float:
    """The share of the page's words in its entries: teasers that lead to pages, or posts of several people."""
    body = tree.find("body")
    root = body if body is not None else tree
    whole, best = 0, 0
    for parent, words in _groups(root):
        if parent is None:
            whole = words
        else:
            best = max(best, words)
    return best / whole if whole else 0.0


def _groups(root: Any) -> list[tuple[Any, int]]:
    """Words of the page without its furniture (for None), and of the entries among each element's children."""
    found: list[tuple[Any, int]] = []
    apart = [element for element in root.iter() if _is_apart(element)]
    hidden: set[Any] = set()
    for element in apart:
        hidden.update(element.iter())
    outermost = [element for element in apart if element.getparent() not in hidden]
    found.append((None, count(root) - sum(count(element) for element in outermost)))
    for parent in root.iter():
        if not isinstance(parent.tag, str) or parent in hidden or len(parent) < _LEAST_ENTRIES:
            continue
        alike: dict[tuple[str, str], list[Any]] = defaultdict(list)
        for child in parent:
            if child.tag in ("article", "div", "li", "section", "tr", "a"):
                alike[child.tag, re.sub(r"\d+", "", (child.get("class") or "").split(" ")[0])].append(child)
        for (tag, name), children in alike.items():
            if len(children) < _LEAST_ENTRIES or (tag != "article" and not name):
                continue
            entries = [child for child in children if _is_entry(child)]
            if len(entries) >= _LEAST_ENTRIES and len(entries) >= 0.7 * len(children):
                found.append((parent, sum(count(entry) for entry in entries)))
    return found


def _is_apart(element: Any) -> bool:
    if not isinstance(element.tag, str):
        return False
    return is_page_header(element) or is_furniture(element) or (is_comments(element) and element.tag != "body")


def _is_entry(element: Any) -> bool:
    """Led by a link in a heading, or a post with someone who wrote it."""
    if element.tag == "a":
        return any(inner.tag in HEADINGS for inner in element.iter())
    for inner in element.iter():
        if inner.tag in HEADINGS and (inner.find(".//a[@href]") is not None or inner.getparent().tag == "a"):
            return True
        if inner is not element and (inner.tag == "time" or _POSTED.search(names_of(inner))):
            return True
    return False
