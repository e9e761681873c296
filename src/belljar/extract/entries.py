"""Entries: elements alike beside each other that each stand for something else, as teasers, results and posts do."""

import re
from collections import defaultdict
from typing import Any

from belljar.extract.furniture import is_comments, is_furniture, is_page_header, names_of
from belljar.extract.words import HEADINGS, count, counts

# Fewer are no list.
_LEAST = 3
_POSTED = re.compile(r"author|user|poster|avatar|posted|timestamp|score|votes?|permalink")
# Words of a teaser: what has more is worth reading where it is.
_TEASER_WORDS = 60
_ENTRY_WORDS = 2000


def largest(root: Any) -> tuple[list[Any], float]:
    """The group of entries with most words, and its share of the page's; furniture and comments do not count."""
    words = counts(root)
    hidden: set[Any] = set()
    whole = words[root]
    for element in root.iter():
        if element.getparent() in hidden:
            hidden.add(element)
        elif _is_apart(element):
            hidden.add(element)
            whole -= words[element]
    found = max(groups(root, hidden, words), key=lambda group: sum(words[entry] for entry in group), default=[])
    return found, sum(words[entry] for entry in found) / whole if whole else 0.0


def teasers(root: Any) -> list[list[Any]]:
    """Groups of entries whose headings lead elsewhere and that say little themselves."""
    found = []
    words = counts(root)
    for group in groups(root, set(), words):
        led = [entry for entry in group if _has_linked_heading(entry)]
        if len(led) >= _LEAST and sum(words[entry] for entry in led) <= _TEASER_WORDS * len(led):
            found.append(led)
    return found


def groups(root: Any, hidden: set[Any], words: dict[Any, int]) -> list[list[Any]]:
    """Entries beside each other; what has more words than a post ever has is not looked into."""
    found = []
    for parent in root.iter():
        if not isinstance(parent.tag, str) or parent in hidden or len(parent) < _LEAST:
            continue
        alike: dict[tuple[str, str], list[Any]] = defaultdict(list)
        for child in parent:
            if child.tag in ("article", "div", "li", "section", "tr", "a"):
                alike[child.tag, re.sub(r"\d+", "", (child.get("class") or "").split(" ")[0])].append(child)
        for (tag, name), children in alike.items():
            if len(children) < _LEAST or (tag not in ("article", "li") and not name):
                continue
            entries = [child for child in children if words[child] <= _ENTRY_WORDS and _is_entry(child)]
            if len(entries) >= _LEAST and len(entries) >= 0.7 * len(children):
                found.append(entries)
    return found


def _is_apart(element: Any) -> bool:
    if not isinstance(element.tag, str):
        return False
    return is_page_header(element) or is_furniture(element) or (is_comments(element) and element.tag != "body")


def _is_entry(element: Any) -> bool:
    """Led by a link in a heading, or a post with someone who wrote it."""
    if _has_linked_heading(element):
        return True
    return any(
        inner is not element and (inner.tag == "time" or _POSTED.search(names_of(inner))) for inner in element.iter("*")
    )


def _has_linked_heading(element: Any) -> bool:
    for inner in element.iter():
        if inner.tag in HEADINGS and count(inner):
            links = inner.findall(".//a[@href]")
            return sum(map(count, links)) == count(inner) or any(outer.tag == "a" for outer in inner.iterancestors())
    return False
