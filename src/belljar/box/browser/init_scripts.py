"""The caller's scripts that run in every document before its own."""

from typing import Any

from belljar.box.browser.cdp import Session


class InitScripts:
    """Those of one session.  Nothing waits: Chromium takes commands in order."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._sources: tuple[str, ...] = ()
        # What Chromium calls them, once it has said so; scripts that were taken back meanwhile are of an earlier turn.
        self._ids: list[str] = []
        self._turn = 0

    def set(self, sources: tuple[str, ...]) -> None:
        """Have these scripts, from the next document on; those that are there already stay."""
        if sources[: len(self._sources)] != self._sources:
            self._take_back()
        for source in sources[len(self._sources) :]:
            self._add(source)
        self._sources = sources

    def _add(self, source: str) -> None:
        turn = self._turn

        def added(reply: dict[str, Any]) -> None:
            if turn == self._turn:
                self._ids.append(reply["identifier"])
            else:
                self._remove(reply["identifier"])

        self._session.ask("Page.addScriptToEvaluateOnNewDocument", added, source=source)

    def _take_back(self) -> None:
        self._turn += 1
        ids, self._ids, self._sources = self._ids, [], ()
        for id in ids:
            self._remove(id)

    def _remove(self, id: str) -> None:
        self._session.tell("Page.removeScriptToEvaluateOnNewDocument", identifier=id)
