"""The main content of a page, cut out of the page's own tree; lists of entries told apart from it."""

import re
from collections import defaultdict
from collections.abc import Iterable

from belljar.extract.furniture import CALLOUT, is_comments, is_furniture, is_page_header, names_of
from belljar.extract.words import HEADINGS, WORD, Element, Piece, Text, count, counts

# Fewer are no list.
_LEAST = 3
_POSTED = re.compile(r"author|user|poster|avatar|posted|timestamp|score|votes?|permalink")
# Words of a teaser: what has more is worth reading where it is.
_TEASER_WORDS = 60
_ENTRY_WORDS = 2000


def largest(root: Element) -> tuple[list[Element], float]:
    """The group of entries with most words, and its share of the page's; furniture and comments do not count."""
    words = counts(root)
    hidden: set[Element] = set()
    whole = words[root]
    for element in root.iter():
        if element.getparent() in hidden:
            hidden.add(element)
        elif _is_apart(element):
            hidden.add(element)
            whole -= words[element]
    found = max(groups(root, hidden, words), key=lambda group: sum(words[entry] for entry in group), default=[])
    return found, sum(words[entry] for entry in found) / whole if whole else 0.0


def teasers(root: Element) -> list[list[Element]]:
    """Groups of entries whose headings lead elsewhere and that say little themselves."""
    found = []
    words = counts(root)
    for group in groups(root, set(), words):
        led = [entry for entry in group if _has_linked_heading(entry)]
        if len(led) >= _LEAST and sum(words[entry] for entry in led) <= _TEASER_WORDS * len(led):
            found.append(led)
    return found


def groups(root: Element, hidden: set[Element], words: dict[Element, int]) -> list[list[Element]]:
    """Entries beside each other; what has more words than a post ever has is not looked into."""
    found = []
    for parent in root.iter():
        if not isinstance(parent.tag, str) or parent in hidden or len(parent) < _LEAST:
            continue
        alike: dict[tuple[str, str], list[Element]] = defaultdict(list)
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


def _is_apart(element: Element) -> bool:
    if not isinstance(element.tag, str):
        return False
    return is_page_header(element) or is_furniture(element) or (is_comments(element) and element.tag != "body")


def _is_entry(element: Element) -> bool:
    """Led by a link in a heading, or a post with someone who wrote it."""
    if _has_linked_heading(element):
        return True
    return any(
        inner is not element and (inner.tag == "time" or _POSTED.search(names_of(inner))) for inner in element.iter("*")
    )


def _has_linked_heading(element: Element) -> bool:
    for inner in element.iter():
        if inner.tag in HEADINGS and count(inner):
            links = inner.findall(".//a[@href]")
            return sum(map(count, links)) == count(inner) or any(outer.tag == "a" for outer in inner.iterancestors())
    return False


# Of a paragraph's words so many must have been chosen for all of it to be meant.
_WHOLE_RUN = 0.6
# Of the chosen words so many lie in the content's container.
_CONTAINED = 0.9
# Furniture that an extractor took for content has few words, and a small share of them.
_FURNITURE_WORDS = 40
_FURNITURE_SHARE = 0.15
# Teasers beside an article are fewer words than the article.
_TEASERS_SHARE = 0.5
# Set pieces that extractors lose: kept where they stand among what was chosen.
_SET_PIECES = frozenset({"pre", "table", "dl", "figure", "math"})
_MEDIA = frozenset({"img", "hr"})


class Article:
    """What was chosen, as marks on a tree: `keep` are its elements, `container` is the one that holds them."""

    def __init__(self, tree: Element, text: Text) -> None:
        self.tree = tree
        self._text = text
        self._discount()
        self._kept: list[Piece] = []
        for piece in text.pieces:
            # What has no word of its own, a full stop or the rest of a word, stays with what it follows.
            follows = not piece.count and bool(self._kept) and self._kept[-1].run is piece.run
            if follows or self._is_chosen(piece):
                self._kept.append(piece)
        self.words = sum(piece.count for piece in self._kept)
        self.container = self._find_container()

    def _discount(self) -> None:
        """What extractors take along: teasers of other articles, and small furniture within this one."""
        chosen = sum(run.chosen for run in self._text.runs)
        inside: dict[Element, int] = {}
        for run in self._text.runs:
            for element in (run.element, *run.element.iterancestors()) if run.chosen else ():
                inside[element] = inside.get(element, 0) + run.chosen
        refused = {
            element
            for element, words in inside.items()
            if words <= min(_FURNITURE_WORDS, _FURNITURE_SHARE * chosen)
            and (is_furniture(element) or is_comments(element))
        }
        for group in teasers(self.tree):
            if sum(inside.get(entry, 0) for entry in group) < _TEASERS_SHARE * chosen:
                refused.update(group)
        for piece in self._text.pieces:
            element = piece.run.element
            if element in refused or any(outer in refused for outer in element.iterancestors()):
                piece.chosen = piece.run.chosen = 0

    @staticmethod
    def _is_chosen(piece: Piece) -> bool:
        run = piece.run
        if len(run.words) and run.chosen >= _WHOLE_RUN * len(run.words):
            return True
        return piece.count > 0 and piece.chosen >= _WHOLE_RUN * piece.count

    def _find_container(self) -> Element:
        """The innermost element that holds nearly all of it."""
        inside: dict[Element, int] = {}
        for piece in self._kept:
            element: Element | None = piece.parent
            while element is not None:
                inside[element] = inside.get(element, 0) + piece.count
                element = element.getparent()
        container = self.tree
        while True:
            inner = next((child for child in container if inside.get(child, 0) >= _CONTAINED * self.words), None)
            if inner is None or not self.words:
                return container
            container = inner

    def lost(self) -> int:
        """Words of the container that read like content and were not chosen."""
        return sum(
            len(run.words)
            for run in self._text.runs
            if run.chosen < len(run.words) / 2
            and len(run.words) >= 8
            and run.linked < len(run.words) / 2
            and self._is_inside(run.element)
            and not self._is_apart(run.element)
        )

    def words_in(self, elements: list[Element]) -> int:
        """How many of its words stand in these elements."""
        inside = {inner for element in elements for inner in element.iter()}
        return sum(piece.count for piece in self._kept if piece.parent in inside)

    def _is_inside(self, element: Element) -> bool:
        return element is self.container or any(outer is self.container for outer in element.iterancestors())

    def _is_apart(self, element: Element) -> bool:
        """In furniture, or among comments, within the container."""
        around: Element | None = element
        while around is not None and around is not self.container:
            if isinstance(around.tag, str) and (is_furniture(around) or is_comments(around)):
                return True
            around = around.getparent()
        return False

    def cut(self) -> Element:
        """The tree with nothing but the article in it."""
        kept = {(piece.element, piece.is_tail) for piece in self._kept}
        held = self._with_ancestors(piece.parent for piece in self._kept)
        extra = self._extras(held)
        whole: set[Element] = set()
        for element in extra:
            whole.update(element.iter())
        held |= self._with_ancestors(extra) | whole
        for element in list(self.tree.iter()):
            if (element, False) not in kept and element not in whole:
                element.text = None
            parent = element.getparent()
            if parent is None:
                continue
            is_line_break = element.tag == "br" and parent in held
            if (element, True) not in kept and parent not in whole:
                # Space between words that stay.
                element.tail = " " if element.tail and parent in held else None
            if element not in held and not is_line_break:
                _remove(element)
        _drop_empty_sections(self.tree)
        return self.tree

    @staticmethod
    def _with_ancestors(elements: Iterable[Element | None]) -> set[Element]:
        held: set[Element] = set()
        for element in elements:
            around = element
            while around is not None and around not in held:
                held.add(around)
                around = around.getparent()
        return held

    def _extras(self, held: set[Element]) -> list[Element]:
        """Set pieces, pictures and headings that belong to it and that an extractor does not choose."""
        order = {element: at for at, element in enumerate(self.tree.iter())}
        places = [order[piece.parent] for piece in self._kept if piece.parent is not None]
        if not places:
            return []
        first, last = min(places), max(places)
        return [
            element
            for element in self.container.iter()
            if isinstance(element.tag, str)
            and (first <= order[element] <= last or element.tag == "figure")
            and self._is_extra(element, held)
            and not self._is_apart(element)
        ]

    def _is_extra(self, element: Element, held: set[Element]) -> bool:
        tag = element.tag
        if tag in _MEDIA:
            return not _is_in_link(element) or element.getparent() in held
        if tag in HEADINGS:
            return element not in held and self._leads_on(element, held)
        if tag == "aside":
            return bool(CALLOUT.search(names_of(element)))
        if tag == "li":
            parent = element.getparent()
            return parent is not None and parent in held and _most_stay(parent, held)
        if tag == "tr":
            return any(outer in held for outer in element.iterancestors("table"))
        if tag in ("caption", "summary", "dt", "dd"):
            return element.getparent() in held
        if tag not in _SET_PIECES or (element in held and tag != "pre"):
            return False
        words = WORD.findall(element.text_content())
        linked = sum(len(WORD.findall(link.text_content())) for link in element.iter("a"))
        if tag == "figure":
            return element.find(".//img") is not None or element.find(".//pre") is not None
        return bool(words) and linked <= len(words) / 3

    def _leads_on(self, heading: Element, held: set[Element]) -> bool:
        """Whether what comes right after the heading was chosen."""
        following = heading.getnext()
        while following is not None and not isinstance(following.tag, str):
            following = following.getnext()
        return following is not None and following in held


def _drop_empty_sections(tree: Element) -> None:
    """Headings of what was not chosen: nothing comes before the next one of their order."""
    # Headings that nothing has followed yet, outermost first.
    waiting: list[Element] = []
    for element in [*tree.iter("*"), None]:
        if element is None or element.tag in HEADINGS:
            while waiting and (element is None or waiting[-1].tag >= element.tag):
                _remove(waiting.pop())
            if element is not None:
                waiting.append(element)
        elif waiting and _says_something(element, waiting[-1]):
            waiting.clear()


def _says_something(element: Element, heading: Element) -> bool:
    if any(outer is heading for outer in element.iterancestors()):
        return bool(heading.tail and heading.tail.strip())
    texts = (element.text, element.tail, heading.tail)
    return element.tag in _MEDIA or any(text and text.strip() for text in texts)


def _most_stay(items: Element, held: set[Element]) -> bool:
    return sum(item in held for item in items) >= len(items) / 2


def _is_in_link(element: Element) -> bool:
    return any(outer.tag == "a" for outer in element.iterancestors())


def _remove(element: Element) -> None:
    """Remove an element and what is in it; the text after it stays."""
    parent, tail = element.getparent(), element.tail
    if parent is None:
        return
    if tail:
        previous = element.getprevious()
        if previous is not None:
            previous.tail = (previous.tail or "") + tail
        else:
            parent.text = (parent.text or "") + tail
    element.tail = None
    parent.remove(element)
