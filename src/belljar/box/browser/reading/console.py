"""A tab's console: what its scripts logged, what they threw, and what Chromium itself had to say."""

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

from belljar.box.browser.cdp import Session
from belljar.box.browser.cdp.events import ConsoleCalled, Event, ExceptionThrown, FrameNavigated, LogEntryAdded
from belljar.box.browser.cdp.messages import ABSENT, decode_value
from belljar.box.browser.cdp.replies import ObjectPreview, PropertyPreview, RemoteObject
from belljar.box.browser.cdp.replies import Part as Anything
from belljar.box.browser.events import Ring
from belljar.box.browser.page.page import Page, Part
from belljar.logs import log
from belljar.wire.browser.reading import ConsoleLevel

Happened = TypeVar("Happened", bound=Event)

# Characters kept of one message.
MOST_TEXT = 10_000
# Messages with objects after which Chromium is told to let go of these.
OBJECTS_KEPT = 50
_LEVELS = {
    "assert": ConsoleLevel.ERROR,
    "debug": ConsoleLevel.DEBUG,
    "error": ConsoleLevel.ERROR,
    "info": ConsoleLevel.INFO,
    "verbose": ConsoleLevel.DEBUG,
    "warning": ConsoleLevel.WARN,
}
_PLACEHOLDER = re.compile(r"%[sdifoOc%]")


# Messages in so many seconds after which a page is slowed down: passing them on keeps Chromium's one browser process
# busy, and with it every other tab.
MOST_MESSAGES = 3000
WINDOW = 3.0
# How many times slower, for how many seconds at first and at most.
SLOWER = 20
SLOW_SECONDS = 5.0
MOST_SLOW_SECONDS = 60.0
# Seconds that a page with too many messages may leave a question unanswered, until its script is ended; and from an
# answer to the next question.
ENDLESS_SECONDS = 3.0
ASK_SECONDS = 0.5


@dataclass(frozen=True)
class Message:
    level: ConsoleLevel
    text: str
    # Seconds since 1970.
    at: float
    url: str | None = None
    line: int | None = None
    number: int = 0


class Console:
    """Listens from a tab's first moment on.  Uncaught exceptions and unhandled rejections are errors."""

    def __init__(self, page: Page) -> None:
        self.ring: Ring[Message] = Ring()
        self.on_message: list[Callable[[Message], None]] = []
        self._count = 0
        self._with_objects = 0
        # Workers that tell of their messages themselves.
        self._workers: set[str] = set()

    def attach(self, session: Session, part: Part) -> None:
        flood = Flood(session, self._tell_of_flood)
        flood.on(ConsoleCalled, lambda event: self._called(session, event))
        flood.on(ExceptionThrown, self._thrown)
        flood.on(LogEntryAdded, self._logged)
        session.tell("Log.enable")
        if part is Part.WORKER:
            assert session.target is not None
            worker = session.target.target_id
            self._workers.add(worker)
            session.on_gone.append(lambda: self._workers.discard(worker))
            session.tell("Runtime.enable")
        if part is Part.PAGE:
            session.on_gone.append(self.ring.close)

    def _called(self, session: Session, event: ConsoleCalled) -> None:
        place = event.stack_trace.call_frames[0] if event.stack_trace and event.stack_trace.call_frames else None
        self._put(
            _LEVELS.get(event.type, ConsoleLevel.LOG),
            formatted(event.args),
            event.timestamp / 1000,
            place.url if place is not None else None,
            place.line_number + 1 if place is not None else None,
        )
        # Each object that was logged stays alive in the page until it is let go of.
        self._with_objects += any(one.object_id is not None for one in event.args)
        if self._with_objects > OBJECTS_KEPT:
            self._with_objects = 0
            session.tell("Runtime.discardConsoleEntries")
            session.tell("Runtime.releaseObjectGroup", objectGroup="console")

    def _thrown(self, event: ExceptionThrown) -> None:
        details, thrown = event.exception_details, event.exception_details.exception
        words = thrown.description or formatted([thrown]) if thrown is not None else ""
        text = f"{details.text or 'Uncaught'} {words}".strip()
        place = (
            details.stack_trace.call_frames[0] if details.stack_trace and details.stack_trace.call_frames else details
        )
        line = place.line_number + 1 if place.line_number is not None else None
        self._put(ConsoleLevel.ERROR, text, event.timestamp / 1000, place.url or details.url, line)

    def _logged(self, event: LogEntryAdded) -> None:
        entry = event.entry
        if entry.source == "worker" and entry.worker_id in self._workers:
            # The page's own echo, which knows no level but `info`.
            return
        if entry.source == "network" and _path(entry.url) == "/favicon.ico":
            # Chromium asked for it, not the page: that a site has none is nobody's error.
            return
        level = _LEVELS.get(entry.level, ConsoleLevel.LOG)
        line = entry.line_number + 1 if entry.line_number is not None else None
        self._put(level, entry.text, entry.timestamp / 1000, entry.url, line)

    def _tell_of_flood(self, what_is_done: str) -> None:
        words = f"More than {MOST_MESSAGES} messages in {WINDOW:.0f} s: {what_is_done}, and the rest left out."
        self._put(ConsoleLevel.WARN, words, time.time(), None, None)

    def _put(self, level: ConsoleLevel, text: str, at: float, url: str | None, line: int | None) -> None:
        self._count += 1
        text = text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"
        message = Message(level, text, at, url or None, line, self._count)
        self.ring.put(self._count, message)
        for callback in self.on_message:
            callback(message)


class Flood:
    """Counts the messages of one session, and does something about the page when they are too many.

    Not listening would not help: Chromium's browser process takes every message from the page all the same, and faster
    where nobody listens.  So the page is asked for an answer.  One that gives it pauses between its messages, and its
    thread is slowed down; a script that never pauses would not hear of that, nor of anything else, and is ended.
    """

    def __init__(self, session: Session, on_flood: Callable[[str], None]) -> None:
        self._session = session
        self._on_flood = on_flood
        self._since = 0.0
        self._count = 0
        self._slow_since: float | None = None
        self._slow_for = SLOW_SECONDS
        # When the page was asked for the answer that is awaited, and when it gave the last one.
        self._asked_at: float | None = None
        self._answered_at = 0.0
        self._questions = 0
        session.on(FrameNavigated, self._navigated)

    def on(self, kind: type[Happened], take: Callable[[Happened], None]) -> None:
        self._session.on(kind, lambda event: take(event) if self.is_heard() else None)

    def is_heard(self) -> bool:
        """Of each message: whether there were not too many before it."""
        now = time.monotonic()
        if now - self._since > WINDOW:
            if self._count <= MOST_MESSAGES:
                # A question of an earlier flood says nothing of the next one.
                self._asked_at = None
            self._since, self._count = now, 0
        self._count += 1
        if self._count <= MOST_MESSAGES:
            return True
        if self._session.is_gone:
            return False
        if self._asked_at is None:
            if now - self._answered_at > ASK_SECONDS:
                self._ask(now)
        elif now - self._asked_at > ENDLESS_SECONDS:
            self._end()
        return False

    def _ask(self, now: float) -> None:
        self._asked_at = now
        self._questions += 1
        question = self._questions
        self._session.ask(Anything, "Runtime.evaluate", lambda _: self._answered(question), expression="0")

    def _answered(self, question: int) -> None:
        if question == self._questions and self._asked_at is not None:
            self._asked_at, self._answered_at = None, time.monotonic()
            if self._slow_since is None:
                self._slow(self._answered_at)

    def _end(self) -> None:
        log.warning("page.flood_ended", target=self._session.target and self._session.target.target_id)
        self._asked_at = None
        self._on_flood("the script, which does not pause, was ended")
        self._session.tell("Runtime.terminateExecution")
        # Ended in its place, should the script have paused just now: V8 ends whatever runs next.
        self._session.tell("Runtime.evaluate", expression="0")
        # It may have paused after all: on a busy machine an answer is late behind so many messages, every time.
        if self._slow_since is None:
            self._slow(time.monotonic())

    def _slow(self, now: float) -> None:
        self._slow_since = now
        self._on_flood("the page is slowed down")
        self._session.tell("Emulation.setCPUThrottlingRate", rate=SLOWER)
        asyncio.get_running_loop().call_later(self._slow_for, self._free)
        # A page that goes on as before is slow for most of the time.
        self._slow_for = min(self._slow_for * 2, MOST_SLOW_SECONDS)

    def _navigated(self, event: FrameNavigated) -> None:
        if event.frame.parent_id is None:
            self._slow_for = SLOW_SECONDS
            # The question went with the page.
            self._asked_at = None
            self._free()

    def _free(self) -> None:
        if self._slow_since is not None and not self._session.is_gone:
            self._slow_since = None
            self._session.tell("Emulation.setCPUThrottlingRate", rate=1)


def formatted(args: Sequence[RemoteObject]) -> str:
    """The arguments of a console call as a console shows them, `%s` and its like filled in."""
    words = [_described(one) for one in args]
    if args and args[0].type == "string" and "%" in words[0]:
        rest = iter(words[1:])
        words = [_PLACEHOLDER.sub(lambda found: _filled(found.group(), rest), words[0]), *rest]
    return " ".join(words)


def _filled(placeholder: str, rest: Iterator[str]) -> str:
    if placeholder == "%%":
        return "%"
    word = next(rest, None)
    if word is None:
        return placeholder
    # Style for the words that follow.
    return "" if placeholder == "%c" else word


def _described(one: RemoteObject) -> str:
    """One logged value: as text where it is text, otherwise as a glance into it."""
    if one.type == "string":
        return str(decode_value(object, one.value) or "")
    if one.preview is not None:
        return _previewed(one.preview)
    if one.unserializable_value is not None:
        return one.unserializable_value
    if one.value is not ABSENT:
        value = decode_value(object, one.value)
        return str(value) if one.type == "number" else json.dumps(value)
    return one.description or one.type


def _previewed(preview: ObjectPreview) -> str:
    if preview.subtype in ("error", "node", "date", "regexp") or preview.type == "function":
        return preview.description or ""
    more = ", …" if preview.overflow else ""
    shown = preview.properties
    if preview.subtype in ("array", "typedarray"):
        return f"[{', '.join(_property(one) for one in shown)}{more}]"
    name = preview.description if preview.description is not None else "Object"
    inner = ", ".join(f"{one.name}: {_property(one)}" for one in shown)
    return f"{'' if name == 'Object' else name + ' '}{{{inner}{more}}}"


def _property(one: PropertyPreview) -> str:
    if one.type == "string":
        return f'"{one.value or ""}"'
    return one.value or one.subtype or one.type


def _path(url: str) -> str:
    """Pages make requests to what is no address, too."""
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
