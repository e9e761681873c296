"""How well text was extracted: pages with what is true of them, and scores of what was found.

The score is that of the public article-extraction-benchmark: shingles of four words, counted with their repetitions;
precision and recall are means over the pages, and F1 is that of the two means.  Sets of pages come in its layout: a
folder with `ground-truth.json`, an object of `{"url", "articleBody"}` by id, and `html/ID.html.gz`.
"""

import gzip
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from statistics import mean

from markdown_it import MarkdownIt
from markdown_it.token import Token

SHINGLE = 4
_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@dataclass(frozen=True)
class Truth:
    """A page and the text of its article."""

    id: str
    html: str
    text: str
    url: str = ""


@dataclass(frozen=True)
class Score:
    f1: float
    precision: float
    recall: float


def read_folder(folder: Path) -> list[Truth]:
    """A set of pages in the public benchmark's layout."""
    truths = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    pages = []
    for id, truth in sorted(truths.items()):
        source = gzip.decompress((folder / "html" / f"{id}.html.gz").read_bytes()).decode("utf-8", "replace")
        pages.append(Truth(id, source, truth.get("articleBody", ""), truth.get("url", "")))
    return pages


def shingles(text: str) -> "Counter[tuple[str, ...]]":
    words = re.findall(r"\w+", text)
    return Counter(tuple(words[at : at + SHINGLE]) for at in range(max(1, len(words) - SHINGLE + 1)) if words)


def precision_and_recall(found: str, true: str) -> tuple[float | None, float | None]:
    """None where there is nothing to be right or wrong about: nothing found, or nothing to find."""
    ours, theirs = shingles(found), shingles(true)
    hits = (ours & theirs).total()
    if ours == theirs and ours:
        return 1.0, 1.0
    precision = hits / ours.total() if ours else None
    recall = hits / theirs.total() if theirs else None
    return precision, recall


def score(pairs: Sequence[tuple[str, str]]) -> Score:
    """Over pages: what was found, and what is true."""
    judged = [precision_and_recall(found, true) for found, true in pairs]
    precision = mean([one for one, _ in judged if one is not None] or [0.0])
    recall = mean([other for _, other in judged if other is not None] or [0.0])
    both = precision + recall
    return Score(2 * precision * recall / both if both else 0.0, precision, recall)


def plain_text(markdown: str) -> str:
    """What markdown says, without what it is set with: no addresses, no descriptions of pictures."""
    return "\n".join(_words(token) for token in _MARKDOWN.parse(markdown))


def _words(token: Token) -> str:
    if token.type in ("fence", "code_block"):
        return token.content
    return "".join(
        " " if child.type.endswith("break") else child.content
        for child in token.children or []
        if child.type in ("text", "code_inline", "softbreak", "hardbreak")
    )


def lines_alike(found: str, expected: str) -> float:
    """The share of lines that two texts have in common, in order; 1.0 is the same text."""
    ours, theirs = ([line.rstrip() for line in text.split("\n") if line.strip()] for text in (found, expected))
    if not ours and not theirs:
        return 1.0
    common = sum(block.size for block in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks())
    return 2 * common / (len(ours) + len(theirs))


def without_title(markdown: str, title: str) -> str:
    """An article's title is said beside it; where it stands above it too, it is neither right nor wrong."""
    return markdown.removeprefix(f"# {title}\n").lstrip("\n")
