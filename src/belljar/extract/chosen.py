"""What an extractor chose of a page, found again in the page itself.

Extractors rebuild what they keep out of a handful of tags, and lose numbers, languages, captions, nesting.  Here
trafilatura says which *words* are the main content, and the page's own elements say how they are set.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

import trafilatura

from belljar.extract.words import Text, text_of

# Words in a row that tell one place from another; fewer only do so where they are all of a paragraph.
_GRAM = 3
# Places that are compared for one beginning.
_MOST_PLACES = 40


def choose(tree: Any, url: str, text: Text) -> int:
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
