"""A page's HTML as markdown."""

import re
from dataclasses import dataclass
from typing import Any

from lxml import html

from belljar.extract.article import Article
from belljar.extract.chosen import choose
from belljar.extract.furniture import clear, is_paging
from belljar.extract.kind import is_article
from belljar.extract.words import count, counts, text_of
from belljar.extract.writing import BACKSLASH, ESCAPE, to_markdown

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


def parse(source: str, url: str) -> Any:
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    return html.document_fromstring(
        (source.replace(ESCAPE, "").replace(BACKSLASH, "") or "<html></html>").encode(), parser=parser, base_url=url
    )


def trust_the_eye(tree: Any) -> None:
    """What is here is seen.  An extractor would drop most of a page whose dialog says to look away from the rest."""
    doubtful = tree.xpath(".//*[@aria-hidden or @style]")
    words = counts(tree) if doubtful else {}
    for element in doubtful:
        if words[element] > _HELD_SHARE * words[tree]:
            element.attrib.pop("aria-hidden", None)
            element.attrib.pop("style", None)


def unfold_layout(tree: Any) -> None:
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


def _is_layout(table: Any) -> bool:
    for cell in table.iter("td"):
        blocks = sum(1 for _ in cell.iter("p", "h1", "h2", "h3", "h4", "table", "form", "article"))
        if blocks > 1:
            return True
    return len(list(table.iter("td"))) == 1 or next(table.iter("pre"), None) is not None


def kinds_of(tree: Any) -> frozenset[str]:
    """What the page says that it is."""
    return frozenset(word for meta in tree.xpath("/html/head/meta[@name='kinds']/@content") for word in meta.split())


def main_of(tree: Any) -> Any:
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
