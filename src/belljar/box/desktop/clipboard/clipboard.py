"""The clipboard and the primary selection: text and pictures, both ways, outliving the program they came from."""

import base64
import binascii
from dataclasses import dataclass, replace

import anyio
from anyio.abc import TaskGroup

from belljar.box.desktop.clipboard.selections import PNG, TEXT_TARGETS, OwnerSilent, Selections, text_offer
from belljar.box.desktop.display_access import Reach
from belljar.box.display import Connection, Display, DisplayError, DisplayState
from belljar.logs import log
from belljar.problems.box import ClipboardFailed, DesktopInvalidAction
from belljar.tasks import Signal
from belljar.wire.desktop import Clipboard as ClipboardContent
from belljar.wire.desktop import ClipboardFormat

# Names of the API, and X's.
SELECTIONS = {"clipboard": "CLIPBOARD", "primary": "PRIMARY"}
_PNG_MAGIC = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Content:
    text: str | None = None
    png: bytes | None = None

    @property
    def is_empty(self) -> bool:
        return self.text is None and self.png is None

    def offer(self) -> dict[str, bytes]:
        return (text_offer(self.text) if self.text is not None else {}) | ({PNG: self.png} if self.png else {})


class Clipboard:
    """Both selections.

    A selection's content lives in the program that owns it and dies with that program.  So each time another
    program becomes the owner, its content is fetched and kept, and offered by us when the owner has gone.
    """

    def __init__(self, display: Display, reach: Reach, tasks: TaskGroup) -> None:
        self._display = display
        self._reach = reach
        self._tasks = tasks
        self._selections: Selections | None = None
        self._opening = anyio.Lock()
        # By X's name; what we would offer if the owner went away.
        self._kept: dict[str, Content] = {}
        # Fires when something else may be in it.
        self.changed = Signal()
        display.listen(self._on_display)

    async def get(self, selection: str, format: ClipboardFormat) -> ClipboardContent:
        async with self._reach.connection(ClipboardFailed) as server:
            name = SELECTIONS.get(selection.lower())
            if name is None:
                return ClipboardContent(text="", selection=selection)
            selections = await self._of(server)
            content = await self._offered(selections, name)
            if content is None:
                try:
                    content, targets = await self._read(selections, name, format)
                except OwnerSilent as error:
                    # It may have gone while it was asked.
                    content = await self._offered(selections, name)
                    if content is None:
                        raise ClipboardFailed(f"The selection could not be read: {error}.") from error
                    targets = list(content.offer())
            else:
                targets = list(content.offer())
        wants_image = format is ClipboardFormat.PNG and content.png is not None
        return ClipboardContent(
            text=content.text or "",
            selection=selection,
            formats=targets,
            image=base64.b64encode(content.png or b"").decode() if wants_image else None,
        )

    async def get_text(self) -> str:
        """What was copied, as text; nothing where it is none."""
        return (await self.get("clipboard", ClipboardFormat.TEXT)).text

    async def set(self, selection: str, text: str | None, image: str | None) -> None:
        name = SELECTIONS.get(selection.lower())
        if name is None:
            raise DesktopInvalidAction("selection must be clipboard or primary.")
        content = Content(_checked_text(text), _png(image))
        async with self._reach.connection(ClipboardFailed) as server:
            selections = await self._of(server)
            self._kept[name] = content
            await selections.own(name, content.offer())
        self.changed.fire()

    async def _offered(self, selections: Selections, name: str) -> Content | None:
        """What we offer; from now on also what is left of an owner that has gone."""
        if selections.offered_by_us(name) is None:
            if name not in self._kept or await selections.owner(name):
                return None
            await self._take_over(selections, name)
        return self._kept.get(name)

    async def _read(self, selections: Selections, name: str, format: ClipboardFormat) -> tuple[Content, list[str]]:
        """What another program offers, and as what; nothing where there is none."""
        if not await selections.owner(name):
            return Content(), []
        content = await _fetch(selections, name, format)
        if name not in self._kept and not content.is_empty:
            # A caller has seen it, so it is kept, even should its owner go before we have asked for all of it.
            self._kept[name] = content
        return content, await selections.targets(name)

    async def _of(self, server: Connection) -> Selections:
        async with self._opening:
            if self._selections is None or self._selections.server is not server:
                selections = Selections(server, self._tasks, self._on_owner)
                await selections.open(tuple(SELECTIONS.values()))
                for name, content in self._kept.items():
                    # The display came back, without what it had.
                    await selections.own(name, content.offer())
                self._selections = selections
            return self._selections

    def _on_display(self, state: DisplayState) -> None:
        if state is DisplayState.READY:
            self._tasks.start_soon(self._watch, name="clipboard")
        elif state is DisplayState.INACTIVE:
            self._kept.clear()
            self._selections = None

    async def _watch(self) -> None:
        try:
            await self._of(await self._display.connection())
        except DisplayError as error:
            log.warning("clipboard.unwatched", error=str(error))

    def _on_owner(self, name: str, owner: int) -> None:
        self.changed.fire()
        if owner > 1:
            self._kept.pop(name, None)
        if owner != 1 and name and self._selections is not None:
            self._tasks.start_soon(self._keep if owner else self._take_over, self._selections, name, name="clipboard")

    async def _keep(self, selections: Selections, name: str) -> None:
        """Another program has become the owner."""
        try:
            content = await _fetch(selections, name, ClipboardFormat.TEXT)
            if not content.is_empty:
                self._kept[name] = content
            if PNG in await selections.targets(name):
                self._kept[name] = replace(content, png=await selections.fetch(name, PNG))
        except (OwnerSilent, DisplayError):
            return

    async def _take_over(self, selections: Selections, name: str) -> None:
        """The owner has gone without a successor."""
        if name in self._kept:
            try:
                await selections.own(name, self._kept[name].offer())
            except DisplayError:
                return


async def _fetch(selections: Selections, name: str, format: ClipboardFormat) -> Content:
    """What another program offers: its text, and its picture where that is wanted."""
    text = None
    for target in TEXT_TARGETS:
        data = await selections.fetch(name, target)
        if data is not None:
            text = data.decode("latin-1") if target == "STRING" else data.decode("utf-8", "replace")
            break
    png = await selections.fetch(name, PNG) if format is ClipboardFormat.PNG else None
    return Content(text, png)


def _checked_text(text: str | None) -> str | None:
    try:
        if text is not None:
            text.encode()
    except UnicodeEncodeError as error:
        raise DesktopInvalidAction("text must be text that UTF-8 can express.") from error
    return text


def _png(image: str | None) -> bytes | None:
    if image is None:
        return None
    try:
        data = base64.b64decode(image, validate=True)
    except binascii.Error as error:
        raise DesktopInvalidAction("image must be a PNG in base64.") from error
    if not data.startswith(_PNG_MAGIC):
        raise DesktopInvalidAction("image must be a PNG in base64.")
    return data
