"""The text of a tree as words, with the places they come from."""

import re
from bisect import bisect_right
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Protocol, overload

# Scripts without spaces count by the letter.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small"
    " span strike strong sub sup time tt u var wbr img hi ref lb".split()
)


class Element(Protocol):
    """An element of lxml's, which has no types, as far as it is used here.  Comments have a `tag` that is no text."""

    tag: str
    text: str | None
    tail: str | None

    @property
    def attrib(self) -> MutableMapping[str, str]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator["Element"]: ...
    def __getitem__(self, index: int) -> "Element": ...
    @overload
    def get(self, name: str) -> str | None: ...
    @overload
    def get(self, name: str, default: str) -> str: ...
    def set(self, name: str, value: str) -> None: ...
    def iter(self, *tags: str) -> Iterator["Element"]: ...
    def iterancestors(self, *tags: str) -> Iterator["Element"]: ...
    def iterchildren(self, *tags: str) -> Iterator["Element"]: ...
    def itertext(self) -> Iterator[str]: ...
    def find(self, path: str) -> "Element | None": ...
    def findall(self, path: str) -> list["Element"]: ...
    def xpath(self, path: str) -> list["Element"]: ...
    def getparent(self) -> "Element | None": ...
    def getnext(self) -> "Element | None": ...
    def getprevious(self) -> "Element | None": ...
    def append(self, child: "Element") -> None: ...
    def insert(self, index: int, child: "Element") -> None: ...
    def remove(self, child: "Element") -> None: ...
    def addprevious(self, other: "Element") -> None: ...
    def clear(self) -> None: ...
    def text_content(self) -> str: ...
    def drop_tree(self) -> None: ...
    def drop_tag(self) -> None: ...


@dataclass(eq=False)
class Run:
    """Text that flows together: what a paragraph, an item or a cell holds between two blocks."""

    # The block around it.
    element: Element
    words: list[str] = field(default_factory=list)
    # How many of its words stand in links.
    linked: int = 0
    # How many were chosen.
    chosen: int = 0


@dataclass(eq=False)
class Piece:
    """A text of the tree: the text or the tail of an element."""

    element: Element
    is_tail: bool
    run: Run
    # Where its words begin among all the tree's, and how many there are.
    start: int
    count: int
    # How many of them were chosen.
    chosen: int = 0

    @property
    def parent(self) -> Element | None:
        return self.element.getparent() if self.is_tail else self.element


@dataclass
class Text:
    pieces: list[Piece] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


def text_of(root: Element) -> Text:
    """All text below `root`, in order.  A word may go on from one piece to the next, and belongs to the first."""
    text = Text()
    run, strings = Run(root), _Strings()
    for element, is_tail, string, block, is_linked in _walk(root):
        if block is not None:
            strings.flush(run, text)
            run = Run(block)
        if string and string.strip():
            strings.add(Piece(element, is_tail, run, 0, 0), string, is_linked=is_linked)
        elif string:
            strings.length += len(string)
            strings.parts.append(string)
    strings.flush(run, text)
    return text


class _Strings:
    """The pieces of one run, until it is whole."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self._pieces: list[tuple[int, Piece, bool]] = []

    def add(self, piece: Piece, string: str, *, is_linked: bool) -> None:
        self._pieces.append((self.length, piece, is_linked))
        self.parts.append(string)
        self.length += len(string)

    def flush(self, run: Run, text: Text) -> None:
        if self._pieces:
            starts = [start for start, _, _ in self._pieces]
            for word in WORD.finditer("".join(self.parts)):
                _, piece, is_linked = self._pieces[bisect_right(starts, word.start()) - 1]
                if not piece.count:
                    piece.start = len(text.words)
                piece.count += 1
                run.linked += is_linked
                run.words.append(word.group())
                text.words.append(word.group())
            text.runs.append(run)
            text.pieces += [piece for _, piece, _ in self._pieces]
        self.parts, self.length, self._pieces = [], 0, []


def _walk(root: Element) -> Iterator[tuple[Element, bool, str | None, Element | None, bool]]:
    """Element, whether it is its tail, the string, the block that begins or goes on here, whether it is in a link."""
    # Not recursive: pages are deeper than Python likes to be.
    links = 0
    blocks = [root]
    for event, element in _events(root):
        is_named = isinstance(element.tag, str)
        is_block = not is_named or (element.tag not in INLINE)
        is_link = is_named and element.tag == "a"
        if event == "start":
            links += is_link
            if is_block:
                blocks.append(element)
            yield element, False, element.text if is_named else None, element if is_block else None, links > 0
        else:
            links -= is_link
            if is_block:
                blocks.pop()
            if element is not root:
                yield element, True, element.tail, blocks[-1] if is_block else None, links > 0


def _events(root: Element) -> Iterator[tuple[str, Element]]:
    stack = [(root, iter(root))]
    yield "start", root
    while stack:
        element, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            yield "end", element
        else:
            yield "start", child
            stack.append((child, iter(child)))


def counts(root: Element) -> dict[Element, int]:
    """Words in each element below `root`, all in one walk: pages can be nested so that asking each takes forever."""
    found: dict[Element, int] = {}
    for event, element in _events(root):
        if event == "start":
            found[element] = len(WORD.findall(element.text or "")) if isinstance(element.tag, str) else 0
        elif element is not root and (parent := element.getparent()) is not None:
            found[parent] += found[element] + len(WORD.findall(element.tail or ""))
    return found


def count(element: Element) -> int:
    """Words in an element."""
    return len(WORD.findall(" ".join(element.itertext())))
