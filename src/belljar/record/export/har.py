"""Requests as an HTTP archive (HAR 1.2): what tools that read those show, and Playwright's `routeFromHAR` replays.

The record has no bodies and no headers but the type: what replays it gets each status with that, and nothing in it.
Values of queries are not in it either, so an address that has some is not found again.
"""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from belljar import __version__
from belljar.record.export.words import moment
from belljar.record.segments import Event
from belljar.wire.record import EventKind

_encode = msgspec.json.encode
_MOST = 1e12


def har(events: Iterable[Event], again: Iterable[Event]) -> Iterator[bytes]:
    """The same events twice: pages come before entries, and neither is ever held whole."""
    creator = {"name": "Belljar", "version": __version__}
    yield b'{"log":{"version":"1.2","creator":' + _encode(creator) + b',"pages":['
    yield from _separated(map(_encode, _pages(events)))
    yield b'],"entries":['
    yield from _separated(_encode(entry) for entry in map(har_entry, again) if entry is not None)
    yield b"]}}"


def har_entry(event: Event) -> dict[str, Any] | None:
    """A request that is over, as an entry; None for any other event."""
    data = event.data
    if event.kind != EventKind.NETWORK or not isinstance(data.get("url"), str):
        return None
    took = max(_number(data.get("ms")), 0.0)
    url, status = data["url"], int(_number(data.get("status")))
    mime = data.get("mimeType") if isinstance(data.get("mimeType"), str) else ""
    body, wire = int(_number(data.get("bodyBytes"))), int(_number(data.get("wireBytes")))
    request = {
        "method": str(data.get("method") or "GET"),
        "url": url,
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": [],
        "queryString": [{"name": name, "value": value} for name, value in _query(url)],
        "headersSize": -1,
        "bodySize": -1,
    }
    response = {
        "status": status,
        "statusText": _phrase(status),
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": [{"name": "content-type", "value": mime}] if mime else [],
        "content": {"size": body, "mimeType": mime or "x-unknown"},
        "redirectURL": "",
        "headersSize": -1,
        "bodySize": wire or -1,
    }
    entry: dict[str, Any] = {
        "startedDateTime": _iso(event.t - round(took * 1000)),
        "time": took,
        "request": request,
        "response": response,
        "cache": {},
        "timings": {"send": 0, "wait": took, "receive": 0},
        "_resourceType": data.get("resourceType"),
    }
    if event.tab_id is not None:
        entry["pageref"] = event.tab_id
    failure = data.get("netError") or data.get("error")
    if isinstance(failure, str):
        response["_failureText"] = f"net::{failure}" if failure.startswith("ERR_") else failure
    return entry


def _pages(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """A tab is a page of the archive: entries name it, wherever it goes and wherever the record begins."""
    seen: set[str] = set()
    for event in events:
        if event.tab_id is None or event.tab_id in seen:
            continue
        seen.add(event.tab_id)
        title = event.data.get("url")
        yield {
            "startedDateTime": _iso(event.t),
            "id": event.tab_id,
            "title": title if isinstance(title, str) else "",
            "pageTimings": {"onContentLoad": -1, "onLoad": -1},
        }


def _separated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    is_first = True
    for piece in pieces:
        yield piece if is_first else b"," + piece
        is_first = False


def _query(url: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(urlsplit(url).query, keep_blank_values=True)
    except ValueError:
        return []


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _number(value: Any) -> float:
    """Within what every reader of JSON can count, whatever somebody has put into a record."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0.0
    return float(min(max(value, -_MOST), _MOST))


def _iso(t: int) -> str:
    """Microseconds since 1970, to the millisecond."""
    return moment(t).isoformat(timespec="milliseconds").replace("+00:00", "Z")
