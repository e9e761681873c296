"""Whether a page has one content to be read from top to bottom, or is something else: a listing, a thread, a shop."""

import re

from belljar.extract.article import Article
from belljar.extract.entries import largest
from belljar.extract.words import Text

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
# Entries with such a share of its words are what a page consists of.
_ENTRIES_SHARE = 0.5


def is_article(article: Article, text: Text, kinds: frozenset[str]) -> bool:
    """Articles by default: what speaks against it is what the page says, what it repeats, and what would be lost."""
    is_declared = any(_ARTICLES.match(kind) for kind in kinds)
    if article.words < (_LEAST_DECLARED if is_declared or "og:article" in kinds else _LEAST):
        return False
    if is_declared:
        return True
    if kinds & _OTHERS or _is_links(text):
        return False
    entries, share = largest(article.tree)
    if share >= _ENTRIES_SHARE and article.words_in(entries) >= article.words / 2:
        return False
    return "og:article" in kinds or article.lost() <= article.words


def _is_links(text: Text) -> bool:
    """Whether most of what was chosen leads elsewhere."""
    chosen = [run for run in text.runs if run.chosen]
    return sum(run.linked for run in chosen) > sum(run.chosen for run in chosen) / 2
