"""A page: one tab, with its frames in all their processes, its dialog, and whose turn it is to act on it."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

import anyio

from belljar.box.browser.cdp import Session, TargetCrashed
from belljar.box.browser.cdp.events import (
    AttachedToTarget,
    AuthRequired,
    DialogClosed,
    DialogOpening,
    FrameStartedLoading,
    FrameStoppedLoading,
    LoadingFailed,
    RendererCrashed,
    RequestWillBeSent,
    ResponseReceived,
)
from belljar.box.browser.cdp.replies import FrameTreeReply, NavigationHistory, TargetInfo
from belljar.box.browser.page.dialogs import Dialog
from belljar.box.browser.page.document_rules import InitScripts, answer_servers, keep_to
from belljar.box.browser.page.emulation import Emulation
from belljar.box.browser.page.frames import SIGNAL, WORLD_NAME, Frame
from belljar.box.browser.page.tree import FrameTree, Refs
from belljar.box.record.bus import Cause, current_cause
from belljar.logs import log
from belljar.problems.browser import BrowserNotActive, DialogOpen, TabClosed, TabCrashed, TabOutOfMemory
from belljar.wire.browser.common import DialogType

# A page that asks this often, each time at once after an answer, would go on for ever; seconds that are at once.
_INSISTENT = 3
_AT_ONCE = 0.5
# Not by `document.title`, for which a picture of that name can stand in.
_TITLE = "Object.getOwnPropertyDescriptor(Document.prototype, 'title').get.call(document)"
# Characters at which Chromium's own process cuts a title.
_LONGEST_KNOWN_TITLE = 4096


class Part(StrEnum):
    """What kind of target a session of a page belongs to."""

    PAGE = "page"
    IFRAME = "iframe"
    WORKER = "worker"


class Watcher(Protocol):
    """Something that listens to a page from its first moment on: its console, its network.

    `attach` is called with every session of the page before anything runs in it; it subscribes with `session.on`
    and enables domains with `session.tell`.  It must not wait.
    """

    def attach(self, session: Session, part: Part) -> None: ...


WatcherType = TypeVar("WatcherType", bound=Watcher)
Result = TypeVar("Result")
Item = TypeVar("Item")
# Makes a page's watchers when the page appears.
Watching = Callable[["Page"], Sequence[Watcher]]


@dataclass(frozen=True)
class Response:
    """The answer that brought a document."""

    status: int
    url: str
    mime_type: str
    # The egress proxy's own word, where the answer is not the server's; the proxy lets no server's through.
    egress: str | None = None


class Page:
    """Made by `Tabs` when Chromium announces a tab.  `id` is CDP's target id."""

    def __init__(
        self,
        session: Session,
        target: TargetInfo,
        emulation: Emulation,
        watching: Watching,
        domains: tuple[str, ...] | None = None,
    ) -> None:
        self.id = target.target_id
        self.opener_id = target.opener_id
        self.context_id = target.browser_context_id
        self.session = session
        self.title = target.title
        self.frames = FrameTree(self.id, session, self.check_can_run)
        self.frames.main.url = target.url
        # The names that snapshots give to elements.
        self.refs = Refs(self.frames)
        # Fires with every change a wait on the page may depend on.
        self.changed = self.frames.changed
        self.dialog: Dialog | None = None
        # The dialog that a call which wanted to leave was refused for.
        self._refused_for: Dialog | None = None
        # Dialogs that came at once after the one before was answered.
        self._dialogs_in_a_row = 0
        self._dialog_left_at = 0.0
        # The document that a navigation wants to leave, and one whose dialogs nobody wants, by their loaders.
        self._leaving: str | None = None
        self._unheard: str | None = None
        # How many of those it has shown.
        self.unheard_dialogs = 0
        # The document that was asked for last, by its loader.
        self.asked = ""
        # It, while its server has not answered.
        self._awaited: str | None = None
        # The document that is shown, by its loader, and whether it has moved within itself.
        self._shown = ""
        self._has_moved_within = False
        # A tab in the same process whose dialog stops this one too.
        self._stopped_by: Page | None = None
        self.is_closed = False
        self.is_crashed = False
        # Whether its renderer was ended because memory ran out; and who knows, set by whoever watches the page.
        self.is_out_of_memory = False
        self.was_short_of_memory: Callable[[], bool] = lambda: False
        # How often its renderer has gone.
        self.crashes = 0
        # Not so from a crash until there is another document, even where that crash is forgotten.
        self.has_renderer = True
        # Its renderer is being ended on purpose.
        self.is_given_up = False
        self.attached_at = anyio.current_time()
        # Whether its document, or what that is made of, is on its way; and how often that was stopped.
        self.is_loading = False
        self.stops = 0
        # Known to Chromium and to us, with its frame tree: calls can be made.
        self.is_ready = False
        # Actions hold it: one after another, in the order they came.  Reads do not.
        self.turn = anyio.Lock()
        # Pictures are taken one after another.
        self.picture_turn = anyio.Lock()
        # A tab of a crawl or a tool: never listed, never active.
        self.is_hidden = False
        # Nobody answers its dialogs: they are cancelled as they open, and no call notices.
        self.dismisses_dialogs = False
        # Whose documents its frames may show; None for all.
        self.domains = domains
        self.emulation = emulation
        self.sessions: list[Session] = []
        self._init_scripts: dict[Session, InitScripts] = {}
        self.on_dialog: list[Callable[[Dialog], None]] = []
        # Called with the dialog, and whether it was accepted.
        self.on_dialog_closed: list[Callable[[Dialog, bool], None]] = []
        # Who answers the open dialog, and who closes the tab, where that is known.
        self.answered_by: Cause | None = None
        self.closed_by: Cause | None = None
        self.on_crash: list[Callable[[Page], None]] = []
        # Called when a server asks for a password that is not set; whether a person is asked for it.
        self.ask_for_credentials: Callable[[Session, AuthRequired], bool] | None = None
        self._watchers = tuple(watching(self))
        # By loader id, of the last documents.
        self._responses: dict[str, Response] = {}
        self._failures: dict[str, str] = {}
        self.frames.on_navigated.append(self._navigated)
        self._begin(session, Part.PAGE)

    @property
    def main(self) -> Frame:
        return self.frames.main

    @property
    def url(self) -> str:
        return self.main.url

    def watcher(self, kind: type[WatcherType]) -> WatcherType:
        """The page's watcher of this kind."""
        return next(watcher for watcher in self._watchers if isinstance(watcher, kind))

    def check_open(self) -> None:
        if self.session.connection.is_closed:
            raise BrowserNotActive.meanwhile()
        if self.is_closed:
            raise TabClosed(self.id)
        if self.is_crashed:
            raise TabOutOfMemory(self.id) if self.is_out_of_memory else TabCrashed(self.id)

    def check_can_run(self) -> None:
        """Raise the problem that keeps script from running in this page now."""
        self.check_open()
        stopper = self._stopper
        if stopper is not None and stopper.dialog is not None:
            raise DialogOpen(stopper.dialog.body(), stopper.id)

    @property
    def open_dialog(self) -> Dialog | None:
        """The dialog that keeps this page from running, its own or another tab's."""
        return self._stopper.dialog if self._stopper is not None else None

    @property
    def _stopper(self) -> "Page | None":
        if self.dialog is not None:
            return self
        return self._stopped_by if self._stopped_by is not None and self._stopped_by.dialog is not None else None

    def stopped_by(self, other: "Page") -> None:
        """Another tab's dialog holds the process that both live in: nothing of this page answers until it is gone."""
        self._stopped_by = other
        for session in self.sessions:
            session.interrupt(self._dialog_problem)
        self.changed.fire()

    def _dialog_problem(self) -> Exception:
        stopper = self._stopper
        if stopper is None or stopper.dialog is None:
            return TabClosed(self.id)
        return DialogOpen(stopper.dialog.body(), stopper.id)

    async def unless_dialog(self, work: Awaitable[Result]) -> Result:
        """The result of `work`, unless a dialog opens before it is there: then `DialogOpen`, and it is given up."""
        with anyio.CancelScope() as scope:
            stop = _append(self.on_dialog, lambda _: scope.cancel())
            try:
                return await work
            finally:
                stop()
        self.check_can_run()
        raise TabClosed(self.id)

    @property
    def is_being_left(self) -> bool:
        """Whether a navigation waits for its next document."""
        return self._leaving is not None and self._leaving == self.main.loader_id and self.dialog is None

    @property
    def awaits_server(self) -> bool:
        """Whether its next document has been asked for and not begun to come.  Chromium hands scripts on only then."""
        return self._awaited is not None

    @contextmanager
    def leaving(self) -> Iterator[None]:
        """For a navigation: what the document that it leaves does is nobody's interest any more."""
        self._leaving = self.main.loader_id
        try:
            yield
        finally:
            self._leaving = None
            if self.is_crashed and not self.is_closed:
                self._tell_of_crash()

    @property
    def is_insistent(self) -> bool:
        """Whether it asks again and again, each time at once after an answer."""
        return self._dialogs_in_a_row >= _INSISTENT

    def refuse_for(self, dialog: Dialog) -> None:
        """Raise `DialogOpen`, the first time that somebody who wants to leave meets this dialog."""
        if self._refused_for is not dialog:
            self._refused_for = dialog
            self.check_can_run()

    def ignore_dialogs(self) -> None:
        """Cancel the open dialog and those to come of this document, but for the question whether to leave it."""
        self._unheard = self.main.loader_id
        self.answered_by = current_cause()
        self.session.tell("Page.handleJavaScriptDialog", accept=False)

    async def until(self, is_true: Callable[[], bool]) -> None:
        """Wait until something about the page is true; `TabClosed` or `TabCrashed` when it can no longer be."""

        def look() -> bool:
            self.check_open()
            return is_true()

        await self.changed.until(look)

    async def ready(self) -> None:
        await self.until(lambda: self.is_ready)

    async def read_title(self) -> str:
        """The title as it is this moment.

        Chromium's own process knows it: the page, which has just come and is to be painted, need not be asked.  But it
        knows one for each entry in history, and not the end of a long one.
        """
        history = await self.session.send_as(NavigationHistory, "Page.getNavigationHistory")
        self.title = history.current.title
        if self._has_moved_within or len(self.title.encode("utf-16-le")) // 2 >= _LONGEST_KNOWN_TITLE:
            self.title = await self.main.evaluate(_TITLE, str, retry=True)
        return self.title

    def response_of(self, loader_id: str) -> Response | None:
        """What the server answered for a document; None for one that came from no server."""
        return self._responses.get(loader_id)

    def failure_of(self, loader_id: str) -> str | None:
        """Why a document could not be fetched, in Chromium's words."""
        return self._failures.get(loader_id)

    async def emulate(self, emulation: Emulation) -> None:
        """Change what the page is told; `CdpError` for what Chromium does not take."""
        before, self.emulation = self.emulation, emulation
        for session in tuple(self.sessions):
            scripts = self._init_scripts.get(session)
            # Workers have none.
            if scripts is not None:
                scripts.set(emulation.init_scripts)
                for method, params in emulation.commands(before, is_main=session is self.session):
                    await session.send(method, **params)

    def forget_crash(self) -> None:
        """Something else is about to be loaded."""
        self.is_crashed = False

    async def crash(self) -> None:
        """End its renderer, which does not end its script, for somebody who leaves it: nobody else is told."""
        self.is_given_up = True
        try:
            self.session.tell("Page.crash")
            await self.changed.until(lambda: self.is_crashed or self.is_closed)
            self.forget_crash()
        finally:
            self.is_given_up = False

    def closed(self) -> None:
        """Chromium says that the tab is gone."""
        self.is_closed = True
        self.changed.fire()

    def _begin(self, session: Session, part: Part) -> None:
        """Equip a session.  Nothing waits: commands are taken in order, the last one lets the target run."""
        self.sessions.append(session)
        session.on_gone.append(lambda: self._left(session))
        self.frames.follow(session)
        session.on(AttachedToTarget, lambda event: self._attached(session, event))
        session.on(DialogOpening, self._dialog_opened)
        session.on(DialogClosed, self._dialog_closed)
        session.on(RendererCrashed, lambda _: self._crashed(session))
        session.on(RequestWillBeSent, self._requested)
        session.on(ResponseReceived, self._responded)
        session.on(LoadingFailed, self._failed)
        session.on(FrameStartedLoading, lambda event: self._loads(event.frame_id, is_loading=True))
        session.on(FrameStoppedLoading, lambda event: self._loads(event.frame_id, is_loading=False))
        session.tell("Page.enable")
        session.ask(FrameTreeReply, "Page.getFrameTree", lambda reply: self._loaded(session, reply))
        session.tell("Page.setLifecycleEventsEnabled", enabled=True)
        session.tell("Runtime.enable")
        session.tell("Page.addScriptToEvaluateOnNewDocument", source="", worldName=WORLD_NAME, runImmediately=True)
        session.tell("Runtime.addBinding", name=SIGNAL, executionContextName=WORLD_NAME)
        session.tell("Network.enable", maxTotalBufferSize=64 << 20, maxResourceBufferSize=16 << 20)
        session.tell("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        session.tell("Emulation.setFocusEmulationEnabled", enabled=True)
        # A native file dialog would wait for a person; files are given by `upload`.
        session.tell("Page.setInterceptFileChooserDialog", enabled=True, cancel=True)
        answer_servers(session, lambda: self.emulation.credentials, lambda event: self._ask_person(session, event))
        if self.domains is not None:
            keep_to(session, self.domains)
        self._init_scripts[session] = scripts = InitScripts(session)
        scripts.set(self.emulation.init_scripts)
        for method, params in self.emulation.commands(is_main=part is Part.PAGE):
            session.tell(method, **params)
        for watcher in self._watchers:
            watcher.attach(session, part)
        session.tell("Runtime.runIfWaitingForDebugger")

    def _ask_person(self, session: Session, event: AuthRequired) -> bool:
        return self.ask_for_credentials is not None and self.ask_for_credentials(session, event)

    def stop_loading(self) -> None:
        """As with a browser's Stop: what has come stays, and whoever waits for the rest goes on."""
        self.session.tell("Page.stopLoading")
        self.stops += 1
        self.changed.fire()

    def _loads(self, frame_id: str, *, is_loading: bool) -> None:
        if frame_id == self.id:
            self.is_loading = is_loading

    def _loaded(self, session: Session, reply: FrameTreeReply) -> None:
        self.frames.load(session, reply.frame_tree)
        if session is self.session:
            self.is_ready = True
            self.changed.fire()

    def _attached(self, parent: Session, event: AttachedToTarget) -> None:
        target = event.target_info
        session = parent.connection.adopt(event.session_id, target, parent)
        if target.type == "iframe":
            self.frames.move(target.target_id, target.parent_frame_id, session)
            self._begin(session, Part.IFRAME)
            return
        self.sessions.append(session)
        session.on_gone.append(lambda: self._left(session))
        session.on(AttachedToTarget, lambda event: self._attached(session, event))
        session.tell("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        for method, commands in self.emulation.worker_commands():
            session.tell(method, **commands)
        for watcher in self._watchers:
            watcher.attach(session, Part.WORKER)
        session.tell("Runtime.runIfWaitingForDebugger")

    def _left(self, session: Session) -> None:
        if session in self.sessions:
            self.sessions.remove(session)
        self._init_scripts.pop(session, None)
        if session is self.session:
            self.closed()
        else:
            self.frames.left(session)

    def _dialog_opened(self, event: DialogOpening) -> None:
        if self.dismisses_dialogs:
            # Leaving a page that asks whether to is what whoever navigates wants.
            self.session.tell("Page.handleJavaScriptDialog", accept=event.type is DialogType.BEFOREUNLOAD)
            return
        if self._unheard == self.main.loader_id and event.type is not DialogType.BEFOREUNLOAD:
            self.unheard_dialogs += 1
            self.session.tell("Page.handleJavaScriptDialog", accept=False)
            return
        self.dialog = dialog = Dialog.from_event(event)
        is_next = anyio.current_time() - self._dialog_left_at < _AT_ONCE
        self._dialogs_in_a_row = self._dialogs_in_a_row + 1 if is_next else 1
        log.info("page.dialog_opened", tab=self.id, type=dialog.type)
        for session in self.sessions:
            session.interrupt(self._dialog_problem)
        for callback in tuple(self.on_dialog):
            callback(dialog)
        self.changed.fire()

    def _dialog_closed(self, event: DialogClosed) -> None:
        dialog, self.dialog, self._dialog_left_at = self.dialog, None, anyio.current_time()
        if dialog is not None:
            for callback in tuple(self.on_dialog_closed):
                callback(dialog, event.result)
        self.changed.fire()

    def _crashed(self, session: Session) -> None:
        is_short = self.was_short_of_memory()
        session.fail(lambda: TargetCrashed("the renderer crashed", is_out_of_memory=is_short))
        self.frames.left(session)
        if session is not self.session:
            return
        self.is_out_of_memory = is_short
        log.warning("page.crashed", tab=self.id, out_of_memory=is_short)
        self.crashes += 1
        self.is_crashed, self.has_renderer, self.dialog = True, False, None
        self.changed.fire()
        # Whoever is about to leave it goes on; loading it again would only be in the way.
        if not self.is_given_up and not self.is_being_left:
            self._tell_of_crash()

    def _tell_of_crash(self) -> None:
        for callback in tuple(self.on_crash):
            callback(self)

    def _navigated(self, frame: Frame) -> None:
        if frame is self.main:
            self.is_crashed, self.has_renderer, self._dialogs_in_a_row, self._awaited = False, True, 0, None
            self._has_moved_within, self._shown = frame.loader_id == self._shown, frame.loader_id

    def _requested(self, event: RequestWillBeSent) -> None:
        if event.frame_id == self.id and event.request_id == event.loader_id:
            self.asked = self._awaited = event.loader_id

    def _responded(self, event: ResponseReceived) -> None:
        if event.type != "Document":
            return
        if event.loader_id == self._awaited:
            self._awaited = None
        response = event.response
        headers = {name.lower(): value for name, value in response.headers.items()}
        egress = headers.get("x-belljar-egress") if response.url.startswith("http:") else None
        found = Response(response.status, response.url, response.mime_type, egress)
        _remember(self._responses, event.loader_id, found)

    def _failed(self, event: LoadingFailed) -> None:
        if event.type == "Document":
            if event.request_id == self._awaited:
                self._awaited = None
            _remember(self._failures, event.request_id, event.error_text)


def _remember(known: dict[str, Item], key: str, value: Item) -> None:
    known[key] = value
    while len(known) > 100:
        del known[next(iter(known))]


def _append(items: list[Item], item: Item) -> Callable[[], None]:
    items.append(item)
    return lambda: items.remove(item)
