"""Refs: names like `e12` that a snapshot gives to elements and that actions take.

Elements of the main frame are `e12`, those of the third document that was met in a child frame `f3e12`.  A name is
never given twice in the life of a tab, whatever documents come and go, so an old one can be stale but never wrong.
The tables are in the pages (`js/refs.js`); here is only who may use which names.

A walker of a frame gives names like this:

    context = await frame.context(World.ISOLATED)
    prefix, first = page.refs.naming(frame, context)
    … in the page: belljar.refs.begin(prefix, first), belljar.refs.refOf(element)…, and at the end belljar.refs.last()
    page.refs.given(frame, context, last)
"""

import re
from weakref import WeakKeyDictionary

from belljar.box.browser.frames import Context, Frame
from belljar.box.browser.script import DocumentGone
from belljar.box.browser.tree import FrameTree
from belljar.wire.browser.acting import REF_PATTERN

_REF = re.compile(REF_PATTERN)


class Refs:
    """The names of one tab."""

    def __init__(self, frames: FrameTree) -> None:
        self._frames = frames
        self._documents = 0
        # The highest number that any document of the main frame has used.
        self._last_in_main = 0
        self._prefixes: WeakKeyDictionary[Context, str] = WeakKeyDictionary()

    def naming(self, frame: Frame, context: Context) -> tuple[str, int]:
        """The prefix of names in this document, and the first number it may use that it has not used before."""
        if frame is self._frames.main:
            return "", self._last_in_main + 1
        if context not in self._prefixes:
            self._documents += 1
            self._prefixes[context] = f"f{self._documents}"
        return self._prefixes[context], 1

    def given(self, frame: Frame, context: Context, last: int) -> None:
        """Names up to number `last` were given.  Raises `DocumentGone` when that document is no longer there.

        Nobody has seen the names of a document that went away meanwhile, and nobody may: the next one uses them.
        """
        if not frame.has(context):
            raise DocumentGone("the document was replaced while it was read")
        if frame is self._frames.main:
            self._last_in_main = max(self._last_in_main, last)

    def frame_of(self, ref: str) -> Frame | None:
        """The frame whose present document may know this name; None when no document there is does."""
        found = _REF.match(ref)
        if found is None:
            return None
        prefix = found.group(1)
        if prefix is None:
            return self._frames.main
        for context, known in self._prefixes.items():
            if known == prefix:
                return next((frame for frame in self._frames.all() if frame.has(context)), None)
        return None
