"""A corpus of pages with the markdown that is expected of them: `pages/*.md`, each set by one of `templates`.

The markdown is written by hand and is the truth; a template makes the page of it, with markup and furniture of a kind of
website, so that what comes back can be compared with what went in.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

PAGES = Path(__file__).parent / "pages"


@dataclass(frozen=True)
class Entry:
    """One page.  Addresses in it begin with `site:`, which stands for the origin that serves it."""

    id: str
    title: str
    template: str
    # Whether it is read from top to bottom, or is something else: `article` or `page`.
    kind: str
    lang: str
    body: str

    @property
    def seed(self) -> int:
        """Something to vary the furniture by."""
        return sum(map(ord, self.id))

    def expected(self, origin: str) -> str:
        return self.body.replace("site:", origin)


@cache
def entries() -> tuple[Entry, ...]:
    """All pages, by name."""
    return tuple(_read(path) for path in sorted(PAGES.glob("*.md")))


def _read(path: Path) -> Entry:
    head, _, body = path.read_text(encoding="utf-8").removeprefix("---\n").partition("\n---\n")
    facts = dict(line.split(": ", 1) for line in head.splitlines())
    kind = facts.get("kind", "article")
    return Entry(path.stem, facts["title"], facts["template"], kind, facts.get("lang", "en"), body.strip() + "\n")
