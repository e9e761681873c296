"""A page's HTML as markdown: its kind decided, the chosen content found again in the page itself.

Extractors rebuild what they keep out of a handful of tags, and lose numbers, languages, captions, nesting.  Here
trafilatura says which *words* are the main content, and the page's own elements say how they are set.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

import trafilatura
from lxml import html

from belljar.extract.article import Article, largest
from belljar.extract.furniture import clear, is_paging
from belljar.extract.words import Element, Text, count, counts, text_of
from belljar.extract.writing import BACKSLASH, ESCAPE, to_markdown

# Words in a row that tell one place from another; fewer only do so where they are all of a paragraph.
_GRAM = 3
# Places that are compared for one beginning.
_MOST_PLACES = 40


def choose(tree: Element, url: str, text: Text) -> int:
    """Mark in `text`, which is that of `tree`, what belongs to the main content; how many words that is."""
    document = trafilatura.bare_extraction(
        tree, url=url or None, include_comments=False, include_tables=True, with_metadata=False
    )
    body = getattr(document, "body", None)
    if body is None:
        return 0
    found = Alignment(text).align(run.words for run in text_of(body).runs)
    for piece in text.pieces:
        piece.chosen = sum(found[piece.start : piece.start + piece.count])
        piece.run.chosen += piece.chosen
    return sum(found)


class Alignment:
    """Finds blocks of words in a text that they come out of, in about the same order."""

    def __init__(self, text: Text) -> None:
        self._words = words = text.words
        self._grams: dict[tuple[str, ...], list[int]] = {}
        for at in range(len(words) - _GRAM + 1):
            self._grams.setdefault(tuple(words[at : at + _GRAM]), []).append(at)
        # Short paragraphs by all their words.
        self._short: dict[tuple[str, ...], list[int]] = {}
        at = 0
        for run in text.runs:
            if len(run.words) < _GRAM:
                self._short.setdefault(tuple(run.words), []).append(at)
            at += len(run.words)

    def align(self, blocks: Iterable[list[str]]) -> bytearray:
        """For each word of the text whether it is in one of the blocks."""
        found = bytearray(len(self._words))
        cursor = 0
        for block in blocks:
            done = 0
            while done < len(block):
                at, size = self._place(block, done, cursor)
                found[at : at + size] = b"\x01" * size
                if size:
                    cursor = at + size
                done += max(size, 1)
        return found

    def _place(self, block: list[str], done: int, cursor: int) -> tuple[int, int]:
        """Where the rest of `block` goes on best, and for how many words: the longest match, the nearest of those."""
        rest = len(block) - done
        here = self._common(cursor, block, done)
        if here >= min(_GRAM, rest):
            return cursor, here
        if rest >= _GRAM:
            candidates = self._grams.get(tuple(block[done : done + _GRAM]), [])
        else:
            candidates = self._short.get(tuple(block[done:]), [])
        ahead = bisect_left(candidates, cursor)
        best, longest = 0, 0
        for at in candidates[ahead : ahead + _MOST_PLACES] or candidates[-_MOST_PLACES:]:
            size = self._common(at, block, done)
            if size > longest:
                best, longest = at, size
        return best, longest

    def _common(self, at: int, block: list[str], done: int) -> int:
        size = 0
        most = min(len(self._words) - at, len(block) - done)
        while size < most and self._words[at + size] == block[done + size]:
            size += 1
        return size


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


# Characters of HTML above which a page is not searched for its main content: it would take longer than anyone waits.
MOST_SEARCHED = 1_000_000
# A `<main>` with such a share of the page's words is the page.
_MAIN_SHARE = 0.3
# What holds such a share of them is no ornament.
_HELD_SHARE = 0.3
# Cells beside code that number its lines.
_GUTTER = re.compile(r"(?:^|[\s_-])(?:linenos?|gutter|line-?numbers?)(?:$|[\s_-])")


@dataclass(frozen=True)
class Written:
    markdown: str
    # `article` or `page`.
    mode: str


def convert(source: str, url: str, mode: str) -> Written:
    """`mode`: `article`, `page`, `auto` for what fits, `element` for a part that is taken as it is."""
    tree = parse(source, url)
    unfold_layout(tree)
    trust_the_eye(tree)
    if mode == "element":
        return Written(to_markdown(tree), "page")
    if mode != "page" and len(source) <= MOST_SEARCHED:
        text = text_of(tree)
        if choose(tree, url, text):
            article = Article(tree, text)
            if mode == "article" or is_article(article, text, kinds_of(tree)):
                return Written(to_markdown(article.cut()), "article")
    if mode == "article":
        return Written("", "article")
    clear(tree)
    return Written(to_markdown(main_of(tree)), "page")


def parse(source: str, url: str) -> Element:
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    text = source.replace(ESCAPE, "").replace(BACKSLASH, "") or "<html></html>"
    tree: Element = html.document_fromstring(text.encode(), parser=parser, base_url=url)
    return tree


def trust_the_eye(tree: Element) -> None:
    """What is here is seen.  An extractor would drop most of a page whose dialog says to look away from the rest."""
    doubtful = tree.xpath(".//*[@aria-hidden or @style]")
    words = counts(tree) if doubtful else {}
    for element in doubtful:
        if words[element] > _HELD_SHARE * words[tree]:
            element.attrib.pop("aria-hidden", None)
            element.attrib.pop("style", None)


def unfold_layout(tree: Element) -> None:
    """Tables that only put things beside each other are no tables."""
    for table in list(tree.iter("table")):
        for cell in list(table.iter("td")):
            if _GUTTER.search(cell.get("class") or ""):
                cell.drop_tree()
        if any(True for _ in table.iter("th", "caption")) or not _is_layout(table):
            continue
        for part in list(table.iter("tbody", "thead", "tfoot", "tr", "td")):
            if next(part.iterancestors("table"), None) is table:
                part.tag = "div"
        table.tag = "div"


def _is_layout(table: Element) -> bool:
    for cell in table.iter("td"):
        blocks = sum(1 for _ in cell.iter("p", "h1", "h2", "h3", "h4", "table", "form", "article"))
        if blocks > 1:
            return True
    return len(list(table.iter("td"))) == 1 or next(table.iter("pre"), None) is not None


def kinds_of(tree: Element) -> frozenset[str]:
    """What the page says that it is."""
    metas = tree.xpath("/html/head/meta[@name='kinds'][@content]")
    return frozenset(word for meta in metas for word in meta.get("content", "").split())


def main_of(tree: Element) -> Element:
    """The page's `<main>` where it has one that holds what is on it, with the title before it; otherwise the body."""
    body = tree.find("body")
    if body is None:
        return tree
    mains = body.xpath(".//main | .//*[@role='main']")
    if len(mains) != 1 or count(mains[0]) < _MAIN_SHARE * count(body):
        return body
    main = mains[0]
    title = next(body.iter("h1"), None)
    if title is not None and next(main.iter("h1"), None) is None:
        title.tail = None
        main.insert(0, title)
        title.tail, main.text = main.text, None
    main.tail = None
    inside = set(main.iter()) | set(main.iterancestors())
    for element in list(body.iter("nav", "div", "ul", "ol", "p")):
        # The way to the rest of a listing may stand below it.
        if element not in inside and is_paging(element):
            inside.update(element.iter())
            main.append(element)
    return main
