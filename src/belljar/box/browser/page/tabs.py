"""The tabs: attached to as they appear, one of them active, never none of them."""

from collections.abc import Callable
from contextlib import suppress

import anyio
from anyio.abc import TaskGroup

from belljar.box.browser.cdp import CdpError, CdpGone, Connection, Session
from belljar.box.browser.cdp.events import AttachedToTarget, TargetInfoChanged
from belljar.box.browser.cdp.replies import TargetCreated, TargetInfo, Targets
from belljar.box.browser.page.emulation import Emulation
from belljar.box.browser.page.frames import Frame
from belljar.box.browser.page.page import Page, Watching
from belljar.box.browser.page.partitions import Partition, Partitions
from belljar.box.record.bus import Cause, current_cause
from belljar.logs import log
from belljar.problems import InvalidRequest, Problem
from belljar.problems.browser import TabNotFound
from belljar.tasks import Signal
from belljar.wire.browser.common import DialogType

# Chromium's own surfaces (the omnibox's popup, the tab strip) are targets too, and nobody's tabs.
_TARGETS = [
    {"type": "browser", "exclude": True},
    {"type": "tab", "exclude": True},
    {"type": "browser_ui", "exclude": True},
    {},
]
# Where windows that no person should see are put.
_OFF_SCREEN = {"left": -4000, "top": -4000, "width": 1280, "height": 900}
# How long a tab may take to close before it is asked again.
_CLOSE_PATIENCE = 0.5
# Sites that are remembered.
_MOST_VISITED = 200
# Seconds without an answer after which another tab's dialog is taken for the reason.
_DIALOG_PATIENCE = 0.5
# How long a reopened tab is waited for.
_REOPEN_PATIENCE = 10.0
# How long a tab that is only opened to see whether that works may take on a busy host, and how often one may crash.
_TRIAL_PATIENCE = 10.0
_TRIAL_PAUSE = 1.0
_MOST_TRIALS = 3


class Tabs:
    """Only tabs of the default browser context are listed; others belong to the CDP client that made theirs."""

    def __init__(self, connection: Connection, tasks: TaskGroup, watching: Watching) -> None:
        self.connection = connection
        self._tasks = tasks
        self._watching = watching
        # What every tab is told; `emulate` changes it.
        self.emulation = Emulation()
        # Every attached page, of every context, by target id.
        self.pages: dict[str, Page] = {}
        # Ids of listed tabs in the order they were last active, the active one last.
        self._recent: list[str] = []
        self._default_context: str | None = None
        # Addresses of sites that tabs, closed ones too, have been at: a page there can ask for what the site stored.
        self.visited: dict[str, None] = {}
        # Ids that tabs had before Chromium was started again, and which tab that is now.
        self.aliases: dict[str, str] = {}
        self.partitions = Partitions(connection.browser)
        # Hidden tabs asked for and not yet known by id: until then a new tab is not made active.
        self._hidden_coming = 0
        self._undecided: list[Page] = []
        # Chromium is being ended: a last tab that closes needs no successor.
        self.is_ending = False
        self.changed = Signal()
        # Called with every page that is attached to, of whatever context; and with tabs that open and close.
        self.on_attached: list[Callable[[Page], None]] = []
        self.on_opened: list[Callable[[Page], None]] = []
        self.on_closed: list[Callable[[Page], None]] = []
        # Called with the tab that is the active one from now on.
        self.on_activated: list[Callable[[Page], None]] = []
        # Called when somebody asks for a tab; what each returns, with its id (None for none) and for whom.
        self.on_asked: list[Callable[[], Callable[[str | None, Cause], None]]] = []

    async def begin(self) -> None:
        """Attach to every tab there is and will be; return when the first one is ready."""
        browser = self.connection.browser
        browser.on(AttachedToTarget, self._attached)
        browser.on(TargetInfoChanged, self._described)
        browser.tell("Target.setDiscoverTargets", discover=True, filter=[{"type": "page"}])
        await browser.send(
            "Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True, filter=_TARGETS
        )
        await self.changed.until(lambda: self.connection.is_closed or bool(self._recent))
        await self.active.ready()

    @property
    def active(self) -> Page:
        """The tab that receives what names no tab."""
        if not self._recent:
            raise TabNotFound("")
        return self.pages[self._recent[-1]]

    @property
    def active_or_none(self) -> Page | None:
        return self.pages[self._recent[-1]] if self._recent else None

    def list(self) -> list[Page]:
        """The tabs, in the order they were opened."""
        return [page for page in self.pages.values() if page.id in self._recent]

    def in_partition(self, partition: Partition) -> tuple[Page, ...]:
        """Its tabs, without the spare one."""
        pages = (page for page in self.pages.values() if page.context_id == partition.context_id)
        spare = partition.spare.page if partition.spare is not None else None
        return tuple(page for page in pages if page is not spare)

    def get(self, id: str | None) -> Page:
        """The tab of this id, hidden ones too; without an id the active one.  Raises `TabNotFound`."""
        if id is None:
            return self.active
        page = self.pages.get(self.aliases.get(id, id))
        if page is None or not self._is_ours(page):
            raise TabNotFound(id)
        return page

    def is_hidden(self, frame_id: str) -> bool:
        """Whether the frame is in a hidden page."""
        return any(page.is_hidden and page.frames.get(frame_id) is not None for page in self.pages.values())

    async def create(self, *, is_hidden: bool = False, partition: Partition | None = None) -> Page:
        """A new blank tab, active; or with `is_hidden` a page in a window off screen that is never listed.

        A hidden page is its maker's to close.  A partition's tabs are in windows off screen too, and never active; its
        spare one is taken where it has one.
        """
        if partition is not None:
            return await self._take_spare(partition) or await self._open_in(partition)
        return await self._open({"newWindow": True, "background": True, **_OFF_SCREEN} if is_hidden else {}, is_hidden)

    async def _open_in(self, partition: Partition) -> Page:
        where = {"browserContextId": partition.context_id, "background": True}
        return await self._open(where | {"newWindow": True, **_OFF_SCREEN})

    async def _open(self, window: dict[str, object], is_hidden: bool = False) -> Page:
        self._hidden_coming += is_hidden
        made = self.asked()
        id: str | None = None
        try:
            opening = self.connection.browser.send_as(TargetCreated, "Target.createTarget", url="about:blank", **window)
            id = (await opening).target_id
            await self.changed.until(lambda: self.connection.is_closed or id in self.pages)
            page = self.pages[id]
            page.is_hidden = is_hidden
        finally:
            self._hidden_coming -= is_hidden
            self._decide()
            made(id, current_cause())
        await page.ready()
        return page

    def asked(self) -> Callable[[str | None, Cause], None]:
        """Somebody asks for a tab.  Returns how to say which it is, and who that was."""
        callbacks = [callback() for callback in self.on_asked]

        def made(id: str | None, by: Cause) -> None:
            for callback in callbacks:
                callback(id, by)

        return made

    async def can_open(self) -> bool:
        """Whether Chromium still has processes to give to pages: it may have lost what makes them."""
        with anyio.move_on_after(_TRIAL_PATIENCE):
            # More than once: where memory is short, what is new goes first.
            for pause in (0.0, *[_TRIAL_PAUSE] * (_MOST_TRIALS - 1)):
                await anyio.sleep(pause)
                if self.connection.is_closed or await self._can_open():
                    return True
        return False

    async def _can_open(self) -> bool:
        known = set(self.pages)
        try:
            page = await self.create(is_hidden=True)
            await page.session.send("Runtime.evaluate", expression="0")
            return True
        except (CdpError, CdpGone, Problem):
            return False
        finally:
            for page in tuple(self.pages.values()):
                if page.is_hidden and page.id not in known:
                    self.close_soon(page)

    async def activate(self, page: Page) -> None:
        """Bring a tab to the front; it is the active one from now on."""
        await self.connection.browser.send("Target.activateTarget", targetId=page.id)
        self._make_active(page)

    def chosen(self, page: Page) -> None:
        """A person has brought the tab to the front."""
        self._make_active(page)

    async def _take_spare(self, partition: Partition) -> Page | None:
        page = await partition.spare.take() if partition.spare is not None else None
        if page is None:
            return None
        if page.domains == partition.domains and page.emulation == partition.emulation(self.emulation):
            return page
        await self._close(page)
        return None

    async def drop_spare(self, partition: Partition) -> None:
        page = await partition.spare.take() if partition.spare is not None else None
        if page is not None:
            await self._close(page)

    def close_soon(self, page: Page) -> None:
        """Close a tab whose dialogs nobody waits for, after the caller has gone on."""

        async def close() -> None:
            with anyio.move_on_after(_REOPEN_PATIENCE), suppress(CdpError, CdpGone, Problem):
                await self.close(page)

        self._tasks.start_soon(close, name="a tab that is left")

    async def close(self, page: Page) -> None:
        """Close a tab.  Closing the last one leaves a blank one; closing the active one activates the one before."""
        partition = self.partitions.of(page.context_id)
        if partition is not None and partition.spare is not None and not page.is_closed:
            # Before its window goes: a tab in one that is there takes half the time of a new one.
            where = {"browserContextId": partition.context_id, "background": True}
            await partition.spare.lay_in(lambda: self._open(where))
        await self._close(page)

    async def _close(self, page: Page) -> None:
        if not page.is_hidden and self._recent == [page.id]:
            await self.create()
        was_active = self._recent[-1:] == [page.id]
        if page.dialog is not None and page.dialog.type is not DialogType.BEFOREUNLOAD:
            page.ignore_dialogs()
            await page.changed.until(lambda: page.is_closed or page.dialog is None)
        page.closed_by = current_cause()
        # Chromium forgets a close that meets the page changing its process, so it is asked again.
        while not page.is_closed and page.dialog is None:
            self.connection.browser.tell("Target.closeTarget", targetId=page.id)
            with anyio.move_on_after(_CLOSE_PATIENCE):
                await page.changed.until(lambda: page.is_closed or page.dialog is not None)
        if was_active and page.is_closed and self._recent:
            await self.activate(self.active)

    async def emulate(self, emulation: Emulation) -> None:
        """Change what every tab is told, those to come included.  Raises `InvalidRequest` for what Chromium refuses."""
        browser = self.connection.browser
        try:
            if emulation.permissions != self.emulation.permissions:
                await browser.send("Browser.resetPermissions")
                for name in emulation.permissions:
                    await browser.send("Browser.setPermission", permission={"name": name}, setting="granted")
            for page in tuple(self.pages.values()):
                if page.context_id == self._default_context and not page.is_closed:
                    await page.emulate(emulation)
        except CdpError as error:
            raise InvalidRequest(f"Chromium does not take this: {error.message}.") from error
        self.emulation = emulation

    def _attached(self, event: AttachedToTarget) -> None:
        target = event.target_info
        browser = self.connection.browser
        if target.type == "browser":
            # An outside client's own session, made by its relay.
            return
        session = self.connection.adopt(event.session_id, target, browser)
        if target.type != "page":
            session.tell("Runtime.runIfWaitingForDebugger")
            browser.tell("Target.detachFromTarget", sessionId=event.session_id)
            return
        self._default_context = self._default_context or target.browser_context_id
        page = self._page(session, target)
        if page.context_id == self._default_context:
            page.frames.on_navigated.append(self._note_visit)
        self.pages[page.id] = page
        session.on_gone.append(lambda: self._gone(page))
        page.on_dialog.append(lambda _: self._dialog_opened(page))
        for callback in self.on_attached:
            callback(page)
        self._undecided.append(page)
        if not self._hidden_coming:
            self._decide()
        self.changed.fire()

    def _page(self, session: Session, target: TargetInfo) -> Page:
        partition = self.partitions.of(target.browser_context_id)
        if partition is None:
            page = Page(session, target, self.emulation, self._watching)
        else:
            page = Page(session, target, partition.emulation(self.emulation), self._watching, partition.domains)
        opener = self.pages.get(page.opener_id or "")
        page.dismisses_dialogs = opener is not None and opener.dismisses_dialogs
        return page

    def _is_ours(self, page: Page) -> bool:
        """Not of a context that an outside CDP client made for itself."""
        return page.context_id == self._default_context or self.partitions.of(page.context_id) is not None

    def _dialog_opened(self, page: Page) -> None:
        self._tasks.start_soon(self._find_stopped, page, name="a dialog's reach")

    async def _find_stopped(self, asking: Page) -> None:
        """Tell the tabs that live in the process of the one that asks, and so do not answer either."""

        async def try_out(page: Page) -> None:
            with anyio.move_on_after(_DIALOG_PATIENCE), suppress(CdpError, CdpGone, Problem):
                await page.session.send("Runtime.evaluate", expression="0")
                return
            if asking.dialog is not None and not page.is_closed and page.dialog is None:
                page.stopped_by(asking)

        async with anyio.create_task_group() as tasks:
            for page in tuple(self.pages.values()):
                if page is not asking and page.is_ready and page.dialog is None:
                    tasks.start_soon(try_out, page)

    def _decide(self) -> None:
        """Make the new tabs that are not hidden active, in the order they came."""
        pages, self._undecided = self._undecided, []
        for page in pages:
            if page.is_hidden or page.is_closed or page.context_id != self._default_context:
                continue
            self._make_active(page)
            for callback in tuple(self.on_opened):
                callback(page)

    def _make_active(self, page: Page) -> None:
        if page.id in self._recent:
            self._recent.remove(page.id)
        self._recent.append(page.id)
        for callback in tuple(self.on_activated):
            callback(page)
        self.changed.fire()

    def _note_visit(self, frame: Frame) -> None:
        scheme, _, rest = frame.url.partition("://")
        if scheme in ("http", "https"):
            self.visited[f"{scheme}://{rest.partition('/')[0]}/"] = None
            if len(self.visited) > _MOST_VISITED:
                del self.visited[next(iter(self.visited))]

    def _described(self, event: TargetInfoChanged) -> None:
        page = self.pages.get(event.target_info.target_id)
        if page is not None:
            page.title = event.target_info.title

    def refresh_titles(self) -> None:
        """Ask for titles that changed without Chromium's saying so; `changed` tells when one did."""

        def answered(targets: Targets) -> None:
            for target in targets.target_infos:
                page = self.pages.get(target.target_id)
                if page is not None and page.title != target.title:
                    page.title = target.title
                    self.changed.fire()

        self.connection.browser.ask(Targets, "Target.getTargets", answered)

    def _gone(self, page: Page) -> None:
        page.closed()
        if self.connection.is_closed:
            # Chromium died: the tabs are kept as they were, to be opened again.
            self.changed.fire()
            return
        self.pages.pop(page.id, None)
        was_listed = page.id in self._recent
        if was_listed:
            self._recent.remove(page.id)
        self.changed.fire()
        for callback in tuple(self.on_closed):
            callback(page)
        if self.partitions.of(page.context_id) is not None:
            # Nobody would ever find the tabs that it opened.
            for other in tuple(self.pages.values()):
                if other.opener_id == page.id:
                    self.connection.browser.tell("Target.closeTarget", targetId=other.id)
        if was_listed and not self._recent and not self.is_ending:
            self._tasks.start_soon(self._replace_last, name="the last tab's successor")

    async def replace(self, page: Page) -> None:
        """Open the address of a tab that nothing brings back in another one, which goes by the same id too."""
        log.warning("tab.replaced", tab=page.id)
        was_active = not page.is_hidden and page.id in self._recent and self.active is page
        with anyio.move_on_after(_REOPEN_PATIENCE), suppress(CdpError, CdpGone, Problem):
            other = await self.create(is_hidden=page.is_hidden, partition=self.partitions.of(page.context_id))
            for alias, id in tuple(self.aliases.items()):
                if id == page.id:
                    self.aliases[alias] = other.id
            self.aliases[page.id] = other.id
            self.connection.browser.tell("Target.closeTarget", targetId=page.id)
            await _go_back_to(other, page.url)
            if not was_active and self._recent[-2:-1]:
                await self.activate(self.pages[self._recent[-2]])

    async def reopen(self, before: "Tabs") -> None:
        """Open the tabs of a Chromium that died, at the addresses where they were, under their old ids too."""
        blank: Page | None = self.active
        active: Page | None = None
        going: list[tuple[Page, str]] = []
        for old in before.list():
            page = blank or await self.create()
            blank = None
            for alias, id in before.aliases.items():
                if id == old.id:
                    self.aliases[alias] = page.id
            self.aliases[old.id] = page.id
            if old.url and old.url != "about:blank":
                going.append((page, old.url))
            if old is before.active:
                active = page
        async with anyio.create_task_group() as tasks:
            for page, url in going:
                tasks.start_soon(_go_back_to, page, url)
        if active is not None:
            await self.activate(active)

    async def _replace_last(self) -> None:
        """The last tab closed itself, or a person closed it: there is always one."""
        with anyio.move_on_after(10):
            try:
                await self.create()
            except (CdpError, CdpGone) as error:
                log.info("browser.no_tab_left", error=str(error))


async def _go_back_to(page: Page, url: str) -> None:
    """As far as the new document, so that the next call does not lose it; what does not load says so by itself."""
    before = page.main.loader_id
    with anyio.move_on_after(_REOPEN_PATIENCE), suppress(CdpError, CdpGone, Problem):
        await page.session.send("Page.navigate", url=url)
        await page.until(lambda: page.main.loader_id != before and "DOMContentLoaded" in page.main.lifecycle)
