"""What a page may do only if somebody allows it, and what it wants printed: a person who has control is asked.

A script in the page's own world holds such calls back and says which; that is all it can do.  Whose they are Chromium
says, and only an answer sets anything, for the site that the tab shows: frames act by its leave.  Where nobody is there
to be asked it is as ever: denied.
"""

from dataclasses import dataclass, field
from weakref import WeakSet

from belljar.box.browser.asking.asks import Asks, new_id
from belljar.box.browser.asking.sign_ins import Attendance
from belljar.box.browser.cdp import CdpError, CdpGone, Session
from belljar.box.browser.cdp.events import BindingCalled
from belljar.box.browser.page.frames import Frame, library
from belljar.box.browser.page.page import Page, Part
from belljar.box.browser.reading.console import Flood
from belljar.logs import log
from belljar.problems import InvalidRequest
from belljar.problems.browser import AskNotFound
from belljar.wire.browser.asks import AnswerRequest, Ask, Permission, PermissionDecision

PLACE = "permission"
PRINT_PLACE = "print"
# What the script tells with; it takes it away from the page.
_BINDING = "belljarAsks"
_PRINT = "print"
_NAMES: dict[str, Permission] = {name.value: name for name in Permission}
# Frames that are known to wait for the same answer.
_MOST_FRAMES = 20
# So often a person says no to a site, or to printing in a document; then they are not asked again.
_MOST_REFUSALS = 3
_LONGEST = 500
# What Chromium knows a permission by: browser context, site, and which.
_Key = tuple[str | None, str, Permission]


@dataclass
class SiteAnswers:
    """What people answered, for all tabs, until Chromium ends."""

    allowed: set[_Key] = field(default_factory=set)
    refusals: dict[_Key, int] = field(default_factory=dict)
    # Where a site was told that the browser is: latitude, longitude, accuracy.
    positions: dict[tuple[str | None, str], tuple[float, float, float]] = field(default_factory=dict)
    # Of every tab: what is set for a site answers all of them.
    tabs: WeakSet["Permissions"] = field(default_factory=WeakSet)


@dataclass(frozen=True)
class _Waiting:
    """A document that waits for an answer; a frame in a process of its own goes with its session."""

    frame: Frame
    loader: str
    session: Session

    @classmethod
    def of(cls, frame: Frame) -> "_Waiting":
        return cls(frame, frame.loader_id, frame.session)

    @property
    def is_gone(self) -> bool:
        return self.frame.is_detached or self.session.is_gone or self.frame.loader_id != self.loader


class PermissionAsk:
    def __init__(self, permissions: "Permissions", name: Permission, frame: Frame, waiting: int, id: str) -> None:
        self._permissions = permissions
        self.name = name
        self.document = _Waiting.of(frame)
        self._is_answered = False
        page = permissions.page
        self.site = page.main.origin
        self.info = Ask(
            id=id,
            tab_id=page.id,
            kind="permission",
            permission=name,
            origin=frame.origin[:_LONGEST],
            site=self.site[:_LONGEST],
            waiting=waiting or None,
            position_needed=(name is Permission.GEOLOCATION and page.emulation.geolocation is None) or None,
        )

    @property
    def is_over(self) -> bool:
        # What a person was shown is what they answer.
        return self._is_answered or self.document.is_gone or self._permissions.page.main.origin != self.site

    async def answer(self, given: AnswerRequest) -> None:
        if given.decision is None:
            raise InvalidRequest("decision: say once, site or deny.")
        is_allowed = given.decision is not PermissionDecision.DENY
        if is_allowed and self.info.position_needed and given.position is None:
            raise InvalidRequest("position: say where the browser is; nothing else here knows.")
        # Of two answers the first counts.
        self._is_answered = True
        await self._permissions.decide(self.name, given)

    async def cancel(self) -> None:
        self._is_answered = True
        await self._permissions.decide(self.name, AnswerRequest(id=self.info.id, decision=PermissionDecision.DENY))


class PrintAsk:
    def __init__(self, page: Page, frame: Frame) -> None:
        self._document = _Waiting.of(frame)
        self.info = Ask(
            id=new_id(),
            tab_id=page.id,
            kind="print",
            origin=frame.origin[:_LONGEST],
            site=page.main.origin[:_LONGEST],
        )

    @property
    def is_over(self) -> bool:
        return self._document.is_gone

    async def answer(self, given: AnswerRequest) -> None:
        """A person gets the page as PDF by the call of that name; the page waits for nothing."""

    async def cancel(self) -> None:
        pass


@dataclass(frozen=True)
class _Passing:
    setting: str
    is_persons: bool


class Permissions:
    """Of one page: a watcher.  There is one question for each permission at most, and one is put at a time."""

    def __init__(self, page: Page, asks: Asks, attendance: Attendance) -> None:
        self.page = page
        self._asks = asks
        self._attendance = attendance
        self._sessions: list[Session] = []
        self._armed: set[Session] = set()
        # Who waits, oldest first.
        self._waiting: dict[Permission, list[_Waiting]] = {}
        # What was set for the document that is shown and goes with it.
        self._passing: dict[_Key, _Passing] = {}
        self._prints = 0
        self._shown = ""
        self._position: tuple[float, float, float] | None = None
        page.frames.on_navigated.append(self._navigated)
        page.frames.on_removed.append(lambda _: self._review())

    @property
    def _answers(self) -> SiteAnswers:
        return self._attendance.of(self.page.session.connection, SiteAnswers)

    def attach(self, session: Session, part: Part) -> None:
        if part is Part.WORKER:
            return
        self._sessions.append(session)
        session.on_gone.append(lambda: self._left(session))
        flood = Flood(session, lambda what_is_done: log.warning("page.asks_flood", tab=self.page.id, done=what_is_done))
        session.on(BindingCalled, lambda event: self._called(session, flood, event))
        self._answers.tabs.add(self)
        if self._attendance.has_person:
            self._arm(session)

    def attended(self) -> None:
        """A person has taken control, or has it no more: then what waits is denied."""
        if self._attendance.has_person:
            for session in tuple(self._sessions):
                self._arm(session)
            self._forget(by_person=False)
            return
        for name in tuple(self._waiting):
            self._deny_unasked(name)
        self._asks.put(PLACE, None)
        self._asks.put(PRINT_PLACE, None)

    async def decide(self, name: Permission, given: AnswerRequest) -> None:
        """Raises `AskNotFound` when the page has gone."""
        key, answers = self._key(name), self._answers
        is_allowed = given.decision is not PermissionDecision.DENY
        setting = "granted" if is_allowed else "denied"
        self._waiting.pop(name, None)
        self._put_next()
        if is_allowed and given.position is not None:
            place = (given.position.latitude, given.position.longitude, given.position.accuracy)
            if given.decision is PermissionDecision.SITE:
                answers.positions[key[:2]] = place
            self._be_at(place)
        if given.decision is PermissionDecision.SITE:
            answers.allowed.add(key)
        else:
            answers.allowed.discard(key)
            self._passing[key] = _Passing(setting, is_persons=True)
        if not is_allowed:
            answers.refusals[key] = answers.refusals.get(key, 0) + 1
        self._tell_other_tabs(key)
        try:
            await self.page.session.connection.browser.send("Browser.setPermission", **_as_told(key, setting))
        except (CdpError, CdpGone) as error:
            raise AskNotFound from error
        log.info("page.permission", tab=self.page.id, permission=name.value, decision=given.decision)

    def _arm(self, session: Session) -> None:
        if session in self._armed or self.page.is_hidden:
            return
        self._armed.add(session)
        session.tell("Runtime.addBinding", name=_BINDING)
        source = library("permissions").source
        session.tell("Page.addScriptToEvaluateOnNewDocument", source=source, runImmediately=True)

    def _left(self, session: Session) -> None:
        self._sessions.remove(session)
        self._armed.discard(session)
        self._review()
        if session is self.page.session:
            self._forget()

    def _called(self, session: Session, flood: Flood, event: BindingCalled) -> None:
        """The page may say whatever it likes, and is slowed down or ended like one that floods its console."""
        if event.name != _BINDING or self.page.is_hidden or not flood.is_heard():
            return
        frame = self.page.frames.of_context(session, event.execution_context_id)
        name = _NAMES.get(event.payload)
        if frame is None:
            return
        self._shown = self.page.main.loader_id
        if event.payload == _PRINT:
            self._ask_to_print(frame)
        elif name is not None:
            self._ask(name, frame)

    def _ask_to_print(self, frame: Frame) -> None:
        before = self._asks.get(PRINT_PLACE)
        is_open = before is not None and not before.is_over
        if is_open or not self._attendance.has_person or self._prints >= _MOST_REFUSALS:
            return
        self._prints += 1
        self._asks.put(PRINT_PLACE, PrintAsk(self.page, frame))

    def _ask(self, name: Permission, frame: Frame) -> None:
        here, known = _Waiting.of(frame), self._waiting.get(name)
        if known is not None:
            if here not in known and len(known) < _MOST_FRAMES:
                known.append(here)
            return
        key = self._key(name)
        if not self._attendance.has_person or self._answers.refusals.get(key, 0) >= _MOST_REFUSALS:
            self._deny_unasked(name)
        elif (standing := self._standing(key)) is not None:
            # It was answered while the page asked once more.
            self._set(key, standing)
        else:
            self._waiting[name] = [here]
            self._put_next()

    def _standing(self, key: _Key) -> str | None:
        """What a person has said of it."""
        if key in self._passing:
            return self._passing[key].setting
        return "granted" if key in self._answers.allowed else None

    def _deny_unasked(self, name: Permission) -> None:
        key = self._key(name)
        self._waiting.pop(name, None)
        self._passing[key] = _Passing("denied", is_persons=False)
        self._set(key, "denied")
        self._tell_other_tabs(key)

    def _tell_other_tabs(self, key: _Key) -> None:
        """Chromium tells their pages itself: there is nothing to ask any more."""
        for tab in tuple(self._answers.tabs):
            if tab is not self and key[2] in tab._waiting and tab._key(key[2]) == key:
                del tab._waiting[key[2]]
                tab._put_next()

    def _put_next(self) -> None:
        """The oldest that still waits, with how many come after it."""
        before = self._asks.get(PLACE)
        name = next(iter(self._waiting), None)
        if name is None:
            self._asks.put(PLACE, None)
            return
        document, waiting = self._waiting[name][0], len(self._waiting) - 1
        is_same = isinstance(before, PermissionAsk) and (before.name, before.document) == (name, document)
        id = before.info.id if is_same and before is not None and not before.is_over else new_id()
        ask = PermissionAsk(self, name, document.frame, waiting, id)
        if before is None or before.is_over or ask.info != before.info:
            self._asks.put(PLACE, ask)

    def _review(self) -> None:
        """A document has gone, and what it alone waited for."""
        if self._waiting:
            left = {name: [one for one in known if not one.is_gone] for name, known in self._waiting.items()}
            self._waiting = {name: known for name, known in left.items() if known}
            self._put_next()

    def _navigated(self, frame: Frame) -> None:
        if frame is not self.page.main:
            self._review()
            return
        if frame.loader_id == self._shown:
            return
        self._shown, self._prints = frame.loader_id, 0
        self._waiting.clear()
        self._forget()
        self._put_next()
        self._be_at(self._answers.positions.get((self.page.context_id, frame.origin)))

    def _forget(self, *, by_person: bool = True) -> None:
        """What was set for one document alone; `by_person` also what a person said."""
        for key, passing in tuple(self._passing.items()):
            if by_person or not passing.is_persons:
                del self._passing[key]
                self._set(key, "granted" if key in self._answers.allowed else "prompt")

    def _be_at(self, place: tuple[float, float, float] | None) -> None:
        """For the tab, or with None as everywhere."""
        if place == self._position or self.page.session.is_gone:
            return
        self._position = place
        shown = place or self.page.emulation.geolocation
        if shown is None:
            self.page.session.tell("Emulation.clearGeolocationOverride")
        else:
            about = dict(zip(("latitude", "longitude", "accuracy"), shown, strict=True))
            self.page.session.tell("Emulation.setGeolocationOverride", **about)

    def _set(self, key: _Key, setting: str) -> None:
        browser = self.page.session.connection.browser
        if not browser.is_gone and not self.page.session.connection.is_closed:
            browser.tell("Browser.setPermission", **_as_told(key, setting))

    def _key(self, name: Permission) -> _Key:
        return self.page.context_id, self.page.main.origin, name


def _as_told(key: _Key, setting: str) -> dict[str, object]:
    context, site, name = key
    where = {} if context is None else {"browserContextId": context}
    return {"permission": {"name": name.value}, "setting": setting, "origin": site, **where}
