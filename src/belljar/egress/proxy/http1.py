"""Heads and bodies of HTTP/1: strictly read, so that no two readers of a message can disagree about it."""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from belljar.egress.policy.addresses import BadHost, Host, split_authority

MAX_HEAD = 64 * 1024
MAX_HEADERS = 200

_TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(rb"[\t\x20-\x7e\x80-\xff]*")
_TARGET = re.compile(rb"[\x21-\x7e\x80-\xff]+")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?")
_HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"upgrade",
        b"x-belljar-egress",
    }
)


class BadMessage(Exception):
    """Not HTTP as we take it; `status` is the answer."""

    def __init__(self, reason: str, status: int = 400) -> None:
        super().__init__(reason)
        self.status = status


@dataclass
class Head:
    """A request's or an answer's first line, and its headers in order."""

    first: bytes
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)

    def all(self, name: bytes) -> list[bytes]:
        return [value for key, value in self.headers if key.lower() == name]

    def has_word(self, name: bytes, word: bytes) -> bool:
        return any(word == part.strip().lower() for value in self.all(name) for part in value.split(b","))


@dataclass
class RequestHead:
    method: bytes
    host: Host
    port: int
    # As written: an authority for CONNECT, a path for the rest.
    target: bytes
    version: bytes
    head: Head

    @property
    def is_upgrade(self) -> bool:
        return self.head.has_word(b"connection", b"upgrade") and bool(self.head.all(b"upgrade"))

    @property
    def is_for_a_script(self) -> bool:
        """Whether a page asks for a part of itself.  Browsers say so to what they trust, loopback among it."""
        mode = self.head.all(b"sec-fetch-mode")
        return bool(mode) and mode[0] != b"navigate"

    @property
    def keeps_alive(self) -> bool:
        if self.head.has_word(b"connection", b"close") or self.head.has_word(b"proxy-connection", b"close"):
            return False
        return self.version == b"HTTP/1.1" or self.head.has_word(b"proxy-connection", b"keep-alive")


def parse_head(data: bytes) -> Head:
    first, *lines = data.lstrip(b"\r\n").split(b"\r\n")
    if len(lines) > MAX_HEADERS:
        raise BadMessage("too many headers", 431)
    head = Head(first)
    for line in lines:
        name, colon, value = line.partition(b":")
        value = value.strip(b" \t")
        if not colon or not _TOKEN.fullmatch(name) or not _VALUE.fullmatch(value):
            raise BadMessage("malformed header")
        head.headers.append((name, value))
    return head


def parse_request(data: bytes) -> RequestHead:
    head = parse_head(data)
    parts = head.first.split(b" ")
    if len(parts) != 3 or not _TOKEN.fullmatch(parts[0]) or not _TARGET.fullmatch(parts[1]):
        raise BadMessage("malformed request line")
    method, target, version = parts
    if version not in (b"HTTP/1.1", b"HTTP/1.0"):
        raise BadMessage("only HTTP/1.0 and 1.1 are spoken here", 505)
    try:
        if method == b"CONNECT":
            host, port = split_authority(target.decode("latin-1"), None)
            return RequestHead(method, host, port, target, version, head)
        scheme, separator, rest = target.partition(b"://")
        if not separator:
            raise BadMessage("this is a proxy: it wants the whole URL, or CONNECT")
        if scheme.lower() not in (b"http", b"ws"):
            raise BadMessage("only http:// URLs are carried; others come through CONNECT", 501)
        end = re.search(rb"[/?#]", rest)
        authority, path = (rest[: end.start()], rest[end.start() :]) if end else (rest, b"")
        host, port = split_authority(authority.rpartition(b"@")[2].decode("latin-1"), 80)
    except BadHost as error:
        raise BadMessage(str(error)) from None
    path = path.partition(b"#")[0]
    return RequestHead(method, host, port, path if path.startswith(b"/") else b"/" + path, version, head)


def status_of(head: Head) -> int:
    match = re.fullmatch(rb"HTTP/1\.[01] ([1-5][0-9][0-9])(?: .*)?", head.first, re.DOTALL)
    if not match:
        raise BadMessage("the answer is not HTTP", 502)
    return int(match[1])


def write_head(first: bytes, head: Head, connection: bytes, *, host: bytes | None = None, extra: bytes = b"") -> bytes:
    """The head as it goes on: hop-by-hop headers replaced by our own, `Host` by the one that was checked."""
    named = {part.strip().lower() for value in head.all(b"connection") for part in value.split(b",")}
    dropped = _HOP_BY_HOP | (named - {b"transfer-encoding", b"content-length", b"host"})
    lines = [first]
    if host is not None:
        lines.append(b"Host: " + host)
        dropped = dropped | {b"host"}
    lines += [name + b": " + value for name, value in head.headers if name.lower() not in dropped]
    lines.append(b"Connection: " + connection)
    if connection == b"Upgrade":
        lines += [b"Upgrade: " + value for value in head.all(b"upgrade")]
    return b"\r\n".join(lines) + b"\r\n" + extra + b"\r\n"


class Body(ABC):
    """Finds the end of a body in the bytes that pass."""

    ends_with_connection = False
    is_complete = False

    @abstractmethod
    def feed(self, piece: memoryview) -> int:
        """How many of these bytes belong to the body."""

    @abstractmethod
    def sure(self) -> int:
        """How many bytes more belong to it whatever they are, so that nobody needs to look at them."""

    @abstractmethod
    def passed(self, count: int) -> None:
        """So many of those have gone by unseen."""


class NoBody(Body):
    is_complete = True

    def feed(self, piece: memoryview) -> int:
        return 0

    def sure(self) -> int:
        return 0

    def passed(self, count: int) -> None:
        return


class Rest(Body):
    """Everything until the connection ends."""

    ends_with_connection = True

    def feed(self, piece: memoryview) -> int:
        return len(piece)

    def sure(self) -> int:
        return 1 << 30

    def passed(self, count: int) -> None:
        return


class Length(Body):
    def __init__(self, length: int) -> None:
        self._left = length
        self.is_complete = length == 0

    def feed(self, piece: memoryview) -> int:
        used = min(self._left, len(piece))
        self.passed(used)
        return used

    def sure(self) -> int:
        return self._left

    def passed(self, count: int) -> None:
        self._left -= count
        self.is_complete = self._left == 0


class Chunked(Body):
    """Walks over sizes and chunks; the bytes themselves go on as they are."""

    def __init__(self) -> None:
        self._skip = 0  # bytes of a chunk, with its line end, still to pass
        self._line = bytearray()  # a size or trailer line begun
        self._in_trailer = False
        self._trailer = 0

    def feed(self, piece: memoryview) -> int:
        at = 0
        while at < len(piece) and not self.is_complete:
            if self._skip:
                step = min(self._skip, len(piece) - at)
                self._skip -= step
                at += step
                continue
            found = bytes(piece[at : at + 4096]).find(b"\n")
            end = at + found + 1 if found >= 0 else min(len(piece), at + 4096)
            self._line += piece[at:end]
            at = end
            if found >= 0:
                self._take_line()
            elif len(self._line) > 4096:
                raise BadMessage("a chunk's line is too long", 502)
        return at

    def sure(self) -> int:
        return self._skip

    def passed(self, count: int) -> None:
        self._skip -= count

    def _take_line(self) -> None:
        line = bytes(self._line)
        self._line.clear()
        if not line.endswith(b"\r\n"):
            raise BadMessage("malformed chunk", 502)
        line = line[:-2]
        if self._in_trailer:
            self._trailer += len(line)
            if self._trailer > MAX_HEAD:
                raise BadMessage("the trailer is too long", 502)
            self.is_complete = not line
            return
        match = _CHUNK.fullmatch(line)
        if not match:
            raise BadMessage("malformed chunk", 502)
        size = int(match[1], 16)
        if size:
            self._skip = size + 2
        else:
            self._in_trailer = True


def request_body(request: RequestHead) -> Body:
    return _framed(request.head, request.version) or NoBody()


def answer_body(head: Head, method: bytes, status: int) -> Body:
    if method == b"HEAD" or status in (204, 304) or status < 200:
        return NoBody()
    return _framed(head, head.first[:8]) or Rest()


def _framed(head: Head, version: bytes) -> Body | None:
    encodings = head.all(b"transfer-encoding")
    lengths = {value for line in head.all(b"content-length") for value in (part.strip() for part in line.split(b","))}
    if encodings:
        if [value.lower() for value in encodings] != [b"chunked"] or lengths or version != b"HTTP/1.1":
            raise BadMessage("the length of the body is ambiguous")
        return Chunked()
    if not lengths:
        return None
    value = lengths.pop()
    if lengths or not value.isdigit() or len(value) > 18:
        raise BadMessage("the length of the body is ambiguous")
    return Length(int(value))
