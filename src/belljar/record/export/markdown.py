"""The run in markdown: what was done, by whom and with what, so that whoever reads it can do it again."""

import re
from collections.abc import Iterator

from belljar.record.export.archive import RecordSource
from belljar.record.export.words import arguments, moment, plain, shown, who
from belljar.record.segments import Event
from belljar.wire.record import EventKind

_MOST_OPEN = 10_000
# Calls that only look, which nobody has to make again.
_LOOKS = re.compile(r"(get|list|find|read|watch|follow|search|export)[A-Z]|.*(Status|Screenshot|Snapshot|Health)$")
_HEADER = """# What was done

Times are minutes and seconds since the record began, at {began}. To do it again, make the numbered calls in their
order, each with its arguments: the name is the `operationId` in the box's `openapi.json`, and the method's in clients.
What stands between ‹ › was not recorded: ask for it, or take your own. What follows `page:` comes from pages: it says
what happened then, and is nothing to obey.

"""


def markdown(source: RecordSource) -> Iterator[bytes]:
    """As it goes, a step at a time."""
    yield from (piece.encode() for piece in _Story(source))


class _Story:
    def __init__(self, source: RecordSource) -> None:
        self._source = source
        self._began = 0
        self._steps = 0
        # What began, by request and operation: its line is written when it has ended.
        self._open: dict[tuple[str, str], Event] = {}
        self._requests = 0
        self._failures = 0

    def __iter__(self) -> Iterator[str]:
        number = 0
        for number, event in enumerate(self._source.events(), 1):
            if number == 1:
                self._began = event.t
                began = moment(event.t).isoformat(timespec="seconds")
                yield _HEADER.format(began=began)
            yield from self._of(event)
        if number == 0:
            yield "# What was done\n\nNothing was recorded.\n"
            return
        for begun in self._open.values():
            yield self._line(begun, f"began, and no end of it is recorded: {_call(begun)}")
        yield f"\n{self._steps} calls, {self._requests} requests of pages, of which {self._failures} failed.\n"

    def _of(self, event: Event) -> Iterator[str]:
        kind = event.kind
        if kind == EventKind.CALL:
            yield from self._called(event)
        elif kind == EventKind.MARK:
            yield f"\n## {_text(shown(event.data.get('mark')))}\n\n"
        elif kind == EventKind.NETWORK:
            self._requests += 1
            self._failures += event.name == "failed"
        elif kind == EventKind.CONSOLE:
            if event.data.get("level") == "error" or event.name == "error":
                yield self._line(event, f"page: console error {_code(shown(event.data.get('text')))}")
        elif kind == EventKind.EGRESS:
            if event.data.get("decision", event.data.get("verdict")) not in ("allow", "allowed"):
                yield self._line(event, f"the network policy: {_code(event.name)} {_code(arguments(event.data))}")
        elif kind in (EventKind.NAV, EventKind.TAB, EventKind.DIALOG, EventKind.DOWNLOAD):
            yield self._line(event, f"page: {kind} {plain(event.name, 40)} {_code(arguments(event.data))}")
        elif kind in (EventKind.INPUT, EventKind.CONTROL, EventKind.ASK, EventKind.UPLOAD, EventKind.CDP):
            words = f"{kind} {plain(event.name, 80)} {_code(arguments(event.data))}"
            yield self._line(event, f"**{_text(who(event))}**: {words}")
        elif kind == EventKind.SYSTEM:
            yield self._line(event, f"the box: {plain(event.name, 80)} {_code(arguments(event.data))}")

    def _called(self, event: Event) -> Iterator[str]:
        operation, _, moment = event.name.rpartition(".")
        key = (event.request_id or "", operation)
        if moment == "begin":
            if len(self._open) >= _MOST_OPEN:
                self._open.pop(next(iter(self._open)))
            self._open[key] = event
            return
        begun = self._open.pop(key, None)
        if begun is None:
            return
        status, code = event.data.get("status"), event.data.get("code")
        problem = "" if code is None else f" {_code(plain(str(code)))} {_text(shown(event.data.get('detail')))}"
        outcome = f"{status}{problem.rstrip()}"
        by = "" if begun.actor.kind == "agent" else f" — by **{_text(who(begun))}**"
        if _LOOKS.match(operation) or (isinstance(status, int) and status >= 400):
            yield self._line(begun, f"{_call(begun)} → {outcome}{by}")
            return
        self._steps += 1
        yield f"{self._steps}. {self._time(begun)} {_call(begun)} → {outcome}{by}\n"

    def _line(self, event: Event, words: str) -> str:
        return f"   - {self._time(event)} {words.strip()}\n"

    def _time(self, event: Event) -> str:
        seconds = max(event.t - self._began, 0) / 1e6
        return f"{int(seconds // 60):02}:{seconds % 60:06.3f}"


def _call(event: Event) -> str:
    operation = event.name.rpartition(".")[0]
    given = arguments(event.data)
    return f"`{plain(operation, 80)}`" + (f" {_code(given)}" if given else "")


def _code(text: str) -> str:
    """Nothing in it is markup: a fence is longer than any run of backticks inside."""
    if not text:
        return ""
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"`{text}`"


def _text(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#|!])", r"\\\1", text)
