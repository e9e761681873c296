"""`Asks`: what a page waits for a person with, until it is answered, called off, or the page has gone on."""

from collections.abc import Callable, Mapping
from itertools import count
from typing import Protocol

from belljar.box.browser.acting.upload import Chooser, Choosers
from belljar.box.browser.asking.file_fields import FileAsk
from belljar.box.browser.cdp import Session
from belljar.box.browser.page.page import Page, Part
from belljar.problems.browser import AskNotFound
from belljar.wire.browser.asks import AnswerRequest, Ask

# Ids are the box's own, so that an answer that comes late is never taken for that to another question.
_NUMBERS = count(1)


def new_id() -> str:
    return f"ask{next(_NUMBERS)}"


class OpenAsk(Protocol):
    """One question.  `answer` raises `AskNotFound` when what it was about is gone, `InvalidRequest` for a bad one."""

    @property
    def info(self) -> Ask: ...

    @property
    def is_over(self) -> bool:
        """Whether its document has gone."""

    async def answer(self, given: AnswerRequest) -> None: ...

    async def cancel(self) -> None: ...


class Asks:
    """Of one page: a watcher.  A kind has one place: what is opened takes the place of what was open before."""

    def __init__(self, page: Page, choosers: Choosers) -> None:
        self._page = page
        self._choosers = choosers
        self._open: dict[str, OpenAsk] = {}
        # Called with the page when something was asked, answered or called off.
        self.on_change: list[Callable[[Page], None]] = []
        choosers.on_change.append(self._chooser_changed)
        page.frames.on_navigated.append(lambda _: self._drop_what_is_over())
        page.frames.on_removed.append(lambda _: self._drop_what_is_over())

    def attach(self, session: Session, part: Part) -> None:
        """A frame in a process of its own goes with its session, and takes its questions along."""
        session.on_gone.append(self._drop_what_is_over)

    def list(self) -> list[Ask]:
        """Oldest first."""
        return [ask.info for ask in self._open.values() if not ask.is_over]

    def get(self, place: str) -> OpenAsk | None:
        return self._open.get(place)

    def put(self, place: str, ask: OpenAsk | None) -> None:
        """`place` is what there can be only one of: a picker, a file chooser."""
        before = self._open.pop(place, None)
        if ask is not None:
            self._open[place] = ask
        if before is not ask:
            self._tell()

    async def answer(self, given: AnswerRequest) -> None:
        """Raises `AskNotFound`; whatever comes of it but a bad answer, the question is then over."""
        place, ask = self._find(given.id)
        try:
            await (ask.cancel() if given.cancel else ask.answer(given))
        except AskNotFound:
            self._close(place, ask)
            raise
        self._close(place, ask)

    def check_files(self, id: str) -> None:
        """Whether files for this question would go to it now.  Raises `AskNotFound`."""
        _, ask = self._find(id)
        if not isinstance(ask, FileAsk):
            raise AskNotFound("This asks for no files.")

    def _find(self, id: str) -> tuple[str, OpenAsk]:
        for place, ask in self._open.items():
            if ask.info.id == id and not ask.is_over:
                return place, ask
        raise AskNotFound

    def _close(self, place: str, ask: OpenAsk) -> None:
        if self._open.get(place) is ask:
            self.put(place, None)

    def _chooser_changed(self, chooser: Chooser | None) -> None:
        self.put("file", None if chooser is None else FileAsk(self._page, new_id(), chooser, self._choosers))

    def _drop_what_is_over(self) -> None:
        over: Mapping[str, OpenAsk] = {place: ask for place, ask in self._open.items() if ask.is_over}
        for place in over:
            self.put(place, None)

    def _tell(self) -> None:
        if not self._page.is_hidden:
            for callback in tuple(self.on_change):
                callback(self._page)
