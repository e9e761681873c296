"""A server asks for a name and a password, and a person who has control is asked for them.

Where nobody is there to be asked, and while credentials are set for the browser, it is as ever: nothing is asked.
"""

from dataclasses import dataclass, field
from typing import TypeVar
from weakref import WeakKeyDictionary

from belljar.box.browser.asking.asks import Asks, new_id
from belljar.box.browser.cdp import Session
from belljar.box.browser.cdp.connection import Connection
from belljar.box.browser.cdp.events import AuthRequired, RequestPaused
from belljar.box.browser.page.page import Page, Part
from belljar.problems import InvalidRequest
from belljar.problems.browser import AskNotFound
from belljar.wire.browser.asks import AnswerRequest, Ask

PLACE = "auth"
Said = TypeVar("Said")
_LONGEST = 500
# Chromium asks only about requests that are intercepted: while a person is there, documents are.
_DOCUMENTS = [{"urlPattern": "*", "resourceType": "Document"}]


@dataclass
class Attendance:
    """Whether a person has control of the browser now, and what people said that holds as long as Chromium runs."""

    has_person: bool = False
    _said: WeakKeyDictionary[Connection, object] = field(default_factory=WeakKeyDictionary)

    def of(self, connection: Connection, kind: type[Said]) -> Said:
        said = self._said.get(connection)
        if not isinstance(said, kind):
            said = self._said[connection] = kind()
        return said


class AuthAsk:
    def __init__(self, page: Page, session: Session, event: AuthRequired) -> None:
        self._session = session
        self._request = event.request_id
        self._is_answered = False
        origin = event.auth_challenge.origin[:_LONGEST]
        self.info = Ask(
            id=new_id(), tab_id=page.id, kind="auth", origin=origin, label=event.auth_challenge.realm[:_LONGEST]
        )

    @property
    def is_over(self) -> bool:
        return self._session.is_gone

    async def answer(self, given: AnswerRequest) -> None:
        if given.username is None or given.password is None:
            raise InvalidRequest("username, password: say both; either may be empty.")
        self._tell({"response": "ProvideCredentials", "username": given.username, "password": given.password})

    async def cancel(self) -> None:
        self.call_off()

    def call_off(self) -> None:
        """The page shows what the server says to those who have no password."""
        if not self._session.is_gone:
            self._tell({"response": "CancelAuth"})

    def _tell(self, answer: dict[str, str]) -> None:
        if self._session.is_gone:
            raise AskNotFound
        if not self._is_answered:
            self._is_answered = True
            self._session.tell("Fetch.continueWithAuth", requestId=self._request, authChallengeResponse=answer)


class SignIns:
    """Of one page: a watcher."""

    def __init__(self, page: Page, asks: Asks, attendance: Attendance) -> None:
        self._page = page
        self._asks = asks
        self._attendance = attendance
        self._sessions: list[Session] = []
        page.ask_for_credentials = self._asked

    def attach(self, session: Session, part: Part) -> None:
        if part is Part.WORKER:
            return
        self._sessions.append(session)
        session.on_gone.append(lambda: self._sessions.remove(session))
        session.on(RequestPaused, lambda event: self._paused(session, event))
        if self._attendance.has_person:
            self._watch(session)

    def attended(self) -> None:
        """A person has taken control, or has it no more: then nobody answers."""
        if not self._attendance.has_person and isinstance(left := self._asks.get(PLACE), AuthAsk):
            left.call_off()
            self._asks.put(PLACE, None)
        for session in tuple(self._sessions):
            self._watch(session)

    @property
    def _is_ours(self) -> bool:
        """Whether requests are intercepted for this alone: those of a hidden page are somebody else's to answer."""
        page = self._page
        return not page.is_hidden and page.emulation.credentials is None and page.domains is None

    def _watch(self, session: Session) -> None:
        if not self._is_ours:
            return
        if self._attendance.has_person:
            session.tell("Fetch.enable", patterns=_DOCUMENTS, handleAuthRequests=True)
        else:
            session.tell("Fetch.disable")

    def _paused(self, session: Session, event: RequestPaused) -> None:
        if self._is_ours:
            session.tell("Fetch.continueRequest", requestId=event.request_id)

    def _asked(self, session: Session, event: AuthRequired) -> bool:
        """Whether a person is asked; a question that is open is called off for the newer one."""
        if not self._attendance.has_person or not self._is_ours:
            return False
        if isinstance(before := self._asks.get(PLACE), AuthAsk):
            before.call_off()
        self._asks.put(PLACE, AuthAsk(self._page, session, event))
        return True
