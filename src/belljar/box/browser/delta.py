"""What changed between two snapshots, in as few words as a model needs."""

import re
from collections.abc import Iterator, Sequence

# Lines beyond which finding out what changed would take longer than reading it again.
MOST_LINES = 3_000
_REF = re.compile(r"\[((?:f\d+)?e\d+)\]")


def delta(before: Sequence[str], after: Sequence[str]) -> str | None:
    """The changes as lines: `+` new, `-` gone, `~` the same element said anew, `@` where in the tree they are.

    None where so much changed that the whole is as short.  No change is the empty string.
    """
    # Imported on first use: most boxes are never asked for changes.
    from difflib import SequenceMatcher

    start, end = _common(before, after)
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if len(old) > MOST_LINES or len(new) > MOST_LINES:
        return None
    lines: list[str] = []
    place = ""
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        here = _place(after, start + c) if c < d else _place(before, start + a)
        if here != place and here:
            lines.append(f"@ {here}")
        place = here
        lines.extend(_changes(old[a:b], new[c:d]))
    text = "\n".join(lines)
    return text if len(text) < 0.7 * sum(len(line) + 1 for line in after) + 100 else None


def _common(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """How many lines are the same at the beginning and at the end."""
    shorter = min(len(before), len(after))
    start = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    rest = shorter - start
    return start, next((n for n in range(rest) if before[-1 - n] != after[-1 - n]), rest)


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    refs_before = {ref for line in old for ref in _REF.findall(line)}
    refs_after = {ref for line in new for ref in _REF.findall(line)}
    yield from (
        f"- {line}" for line in _tops([line for line in old if not refs_after.intersection(_REF.findall(line))])
    )
    margin = min((_depth(line) for line in new), default=0)
    for line in new:
        mark = "~" if refs_before.intersection(_REF.findall(line)) else "+"
        yield f"{mark} {line[margin:]}"


def _tops(lines: Sequence[str]) -> Iterator[str]:
    """The outermost of lines that went; what they held went with them."""
    index = 0
    while index < len(lines):
        top = lines[index]
        below = index + 1
        while below < len(lines) and _depth(lines[below]) > _depth(top):
            below += 1
        held = below - index - 1
        yield top.strip() + (f" (with {held} more)" if held else "")
        index = below


def _place(lines: Sequence[str], index: int) -> str:
    """The elements around a line, outermost first."""
    path: list[str] = []
    depth = _depth(lines[index])
    for line in reversed(lines[:index]):
        if depth == 0:
            break
        if _depth(line) < depth:
            depth = _depth(line)
            path.insert(0, line.strip()[:60])
    return " > ".join(path)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
