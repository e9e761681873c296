"""A trace that Playwright's viewer opens: calls as actions, with console, requests, pictures and films at their times.

The format is the viewer's own affair.  Version 9 is read by every viewer since then; a test opens one in the viewer
that we have pinned.
"""

from collections.abc import Iterator

import msgspec

from belljar.record.export.archive import RecordSource, ZipStream
from belljar.record.export.har import har_entry
from belljar.record.export.words import shown, title_of
from belljar.record.segments import Event
from belljar.wire.record import EventKind

_VERSION = 9
# Calls that have begun and not ended, at most: what never ends is forgotten first.
_MOST_OPEN = 10_000
# The viewer reads the whole of a trace at once.
_MOST_LINES = 200_000

_encode = msgspec.json.encode
_LEVELS = {"warn": "warning", "warning": "warning", "error": "error", "debug": "debug", "info": "info"}
# Events that are acts of somebody, without a beginning and an end of their own.
_ACTS = frozenset({EventKind.INPUT, EventKind.CDP, EventKind.MARK, EventKind.ASK, EventKind.CONTROL, EventKind.UPLOAD})
_HAPPENINGS = {
    EventKind.NAV: ("Page", "navigated"),
    EventKind.DIALOG: ("BrowserContext", "dialog"),
    EventKind.DOWNLOAD: ("BrowserContext", "download"),
    EventKind.EGRESS: ("BrowserContext", "egress"),
}


def trace(source: RecordSource) -> Iterator[bytes]:
    """`trace.zip`."""
    stream = ZipStream()
    yield from stream.pieces("trace.trace", _lines(_Trace(source)))
    yield from stream.pieces("trace.network", _network(source))
    yield from stream.content("trace.stacks", b'{"files":[],"stacks":[]}')
    pictures = source.folder / "pictures"
    for picture in sorted(pictures.glob("*.jpg")):
        yield from stream.file(f"resources/{picture.name}", picture, is_packed=True)
    for film in source.films:
        yield from stream.file(f"resources/{film.name}", film, is_packed=True)
    yield from stream.end()


class _Trace:
    """One pass over a record."""

    def __init__(self, source: RecordSource) -> None:
        self._source = source
        self._began = 0
        # Calls by request and operation, as the viewer knows them.
        self._open: dict[tuple[str, str], str] = {}
        self._pages: set[str] = set()
        self._films: dict[str, dict[str, object]] = {}

    def __iter__(self) -> Iterator[dict[str, object]]:
        for number, event in enumerate(self._source.events()):
            if number == 0:
                self._began = event.t
                yield self._context(event)
            if number >= _MOST_LINES:
                return
            if event.tab_id is not None and event.tab_id not in self._pages:
                self._pages.add(event.tab_id)
                params = {"pageId": event.tab_id}
                yield {
                    "type": "event",
                    "class": "BrowserContext",
                    "method": "page",
                    "params": params,
                    **self._at(event),
                }
            yield from self._of(event)

    def _context(self, event: Event) -> dict[str, object]:
        return {
            "version": _VERSION,
            "type": "context-options",
            "origin": "library",
            "browserName": "chromium",
            "playwrightVersion": "",
            "options": {},
            "platform": "linux",
            "wallTime": event.t / 1000,
            "monotonicTime": self._time(event.t),
            "sdkLanguage": "python",
            "title": "Belljar",
            "contextId": "belljar",
        }

    def _of(self, event: Event) -> Iterator[dict[str, object]]:
        if event.kind == EventKind.CALL:
            yield from self._call(event)
        elif event.kind in _ACTS:
            yield from self._act(event)
        elif event.kind == EventKind.CONSOLE:
            yield self._console(event)
        elif event.kind == EventKind.SCREEN:
            yield from self._picture(event)
        elif event.kind == EventKind.FILM:
            yield from self._film(event)
        elif event.kind in _HAPPENINGS:
            kind, method = _HAPPENINGS[EventKind(event.kind)]
            params = {"name": event.name, **event.data}
            yield {"type": "event", "class": kind, "method": method, "params": params, **self._at(event)}

    def _call(self, event: Event) -> Iterator[dict[str, object]]:
        operation, _, moment = event.name.rpartition(".")
        key = (event.request_id or "", operation)
        if moment == "begin":
            if len(self._open) >= _MOST_OPEN:
                self._open.pop(next(iter(self._open)))
            self._open[key] = id = f"call@{event.seq}"
            yield self._before(event, id, operation)
        elif key in self._open:
            # Of a call whose beginning is not here the viewer would not know what to end.
            after: dict[str, object] = {"type": "after", "callId": self._open.pop(key), "endTime": self._time(event.t)}
            if code := event.data.get("code"):
                after["error"] = {"name": str(code), "message": f"{code}: {shown(event.data.get('detail'))}"}
            else:
                after["result"] = event.data
            yield after

    def _act(self, event: Event) -> Iterator[dict[str, object]]:
        id = f"call@{event.seq}"
        yield self._before(event, id, event.name)
        point = event.data.get("x"), event.data.get("y")
        if all(isinstance(one, (int, float)) for one in point):
            yield {"type": "input", "callId": id, "point": {"x": point[0], "y": point[1]}}
        yield {"type": "after", "callId": id, "endTime": self._time(event.t) + 1}

    def _before(self, event: Event, id: str, method: str) -> dict[str, object]:
        made = {
            "type": "before",
            "callId": id,
            "startTime": self._time(event.t),
            "title": title_of(event),
            "class": "Belljar",
            "method": method,
            "params": event.data,
            "stepId": id,
        }
        return made if event.tab_id is None else {**made, "pageId": event.tab_id}

    def _console(self, event: Event) -> dict[str, object]:
        url, line = event.data.get("url"), event.data.get("line")
        location = {
            "url": url if isinstance(url, str) else "",
            "lineNumber": line if isinstance(line, int) else 0,
            "columnNumber": 0,
        }
        return {
            "type": "console",
            "messageType": _LEVELS.get(str(event.data.get("level") or event.name), "log"),
            "text": shown(event.data.get("text")),
            "args": [],
            "location": location,
            **self._at(event),
        }

    def _picture(self, event: Event) -> Iterator[dict[str, object]]:
        name = event.data.get("sha256")
        if isinstance(name, str) and len(name) == 64 and name.isalnum():
            size = {"width": event.data.get("width", 0), "height": event.data.get("height", 0)}
            frame = {"type": "screencast-frame", "pageId": event.tab_id or "screen", "file": f"resources/{name}.jpg"}
            yield {**frame, **size, "timestamp": self._time(event.t)}

    def _film(self, event: Event) -> Iterator[dict[str, object]]:
        """Its first frame's time is known only once it is there; how large it is, before."""
        id = str(event.data.get("recordingId"))
        if event.name == "started":
            if len(self._films) < _MOST_OPEN:
                self._films[id] = event.data
        elif event.name == "first_frame" and any(film.stem == id for film in self._source.films):
            shape = self._films.get(id, {})
            size = {"width": shape.get("width", 1280), "height": shape.get("height", 720)}
            video = {"type": "video", "pageId": event.tab_id or "screen", "file": f"resources/{id}.mp4"}
            yield {**video, **size, "timestamp": self._time(event.t)}

    def _at(self, event: Event) -> dict[str, object]:
        time: dict[str, object] = {"time": self._time(event.t)}
        return time if event.tab_id is None else {**time, "pageId": event.tab_id}

    def _time(self, t: int) -> float:
        """Milliseconds since a second before the record's beginning: 0 means none to the viewer."""
        return (t - self._began) / 1000 + 1000


def _network(source: RecordSource) -> Iterator[bytes]:
    began: int | None = None
    for event in source.events():
        began = event.t if began is None else began
        entry = har_entry(event)
        if entry is not None:
            entry["_monotonicTime"] = (event.t - began) / 1000 + 1000 - entry["time"]
            yield _encode({"type": "resource-snapshot", "snapshot": entry}) + b"\n"


def _lines(entries: _Trace) -> Iterator[bytes]:
    for entry in entries:
        yield _encode(entry) + b"\n"
