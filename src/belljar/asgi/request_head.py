"""What the head of a request may not say: whatever two readers of it could read in two ways."""

import re
from collections.abc import Sequence
from urllib.parse import unquote

from belljar.problems import InvalidRequest

Pairs = Sequence[tuple[bytes, bytes]]

# A second of these would be believed by one reader and passed over by the next.
_ONCE = frozenset({b"authorization", b"belljar-caller", b"content-length", b"host", b"transfer-encoding", b"upgrade"})
_VERSIONS = frozenset({"1.0", "1.1"})
# As RFC 9112 has them; a space, a control character, a byte beyond ASCII or a fragment is in none.
_TARGET = re.compile(rb'[!"$-~]+')
_LENGTH = re.compile(rb"[0-9]{1,18}")
_ABSOLUTE = re.compile(rb"https?://(?P<host>[^/?#@]+)(?P<path>/.*)", re.IGNORECASE)
_ENCODED = re.compile(rb"%[0-9A-Fa-f]{2}")
# In a path that has been decoded: a byte that ends or divides names somewhere, and what would be one decoded again.
_DIVIDING = re.compile(r"[\x00-\x1f\x7f\\]|%(?:25)*(?:00|2[ef]|5c)", re.IGNORECASE)


def check_head(version: str, target: bytes, headers: Pairs) -> bytes:
    """The path and query that are asked for.  Raises `InvalidRequest`.

    The parser has seen to the grammar; this is about what it lets pass.
    """
    if version not in _VERSIONS:
        raise InvalidRequest("This server speaks HTTP/1.1 and HTTP/1.0.")
    found: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in _ONCE:
            if name in found:
                raise InvalidRequest(f"The request has more than one {name.decode().title()} header.")
            found[name] = value
    _check_framing(version, found)
    if b"host" not in found and version == "1.1":
        raise InvalidRequest("The request has no Host header.")
    return _check_target(target, found.get(b"host", b""))


def check_handshake(version: str, method: str, headers: Pairs) -> None:
    """That a request to become a WebSocket is one.  Raises `InvalidRequest`."""
    keys = [value for name, value in headers if name == b"sec-websocket-key"]
    versions = [value for name, value in headers if name == b"sec-websocket-version"]
    if version != "1.1" or method != "GET" or len(keys) != 1 or versions != [b"13"]:
        raise InvalidRequest("A WebSocket opens with GET in HTTP/1.1, one Sec-WebSocket-Key and the version 13.")


def check_path(raw: bytes) -> None:
    """That the raw path and the decoded one name the same thing, segment by segment, for every reader."""
    if b"%" not in raw and b"\\" not in raw and b"/." not in raw:
        return
    if raw.count(b"%") != len(_ENCODED.findall(raw)):
        raise InvalidRequest("The path has a percent sign that begins no encoded byte.")
    try:
        segments = [unquote(segment.decode("ascii"), errors="strict") for segment in raw.split(b"/")]
    except UnicodeDecodeError:
        raise InvalidRequest("The path is not UTF-8.") from None
    for segment in segments:
        if segment in (".", "..") or "/" in segment or _DIVIDING.search(segment):
            raise InvalidRequest(
                "The path can be read in two ways: it has an encoded slash, a backslash, a control character or a "
                "segment that is only dots."
            )


def _check_framing(version: str, found: dict[bytes, bytes]) -> None:
    coding = found.get(b"transfer-encoding")
    length = found.get(b"content-length")
    if coding is not None and (length is not None or version == "1.0" or coding.strip().lower() != b"chunked"):
        raise InvalidRequest("A body comes with its length or, in HTTP/1.1, with the transfer encoding chunked alone.")
    if length is not None and not _LENGTH.fullmatch(length):
        raise InvalidRequest("The Content-Length is not a number of bytes.")
    if b"upgrade" in found and (coding is not None or int(length or 0)):
        # The parser takes what follows such a head for the other protocol, whether or not anybody speaks it.
        raise InvalidRequest("A request for another protocol has no body.")


def _check_target(target: bytes, host: bytes) -> bytes:
    if not _TARGET.fullmatch(target):
        raise InvalidRequest("The request's target has characters that must be encoded.")
    if not target.startswith(b"/"):
        absolute = _ABSOLUTE.fullmatch(target)
        if absolute is None or absolute["host"].lower() != host.lower():
            raise InvalidRequest("The request's target must be a path, or an address of the Host it names.")
        target = absolute["path"]
    if target.startswith(b"//"):
        # Some would take what follows for a host.
        raise InvalidRequest("The request's path begins with two slashes.")
    check_path(target.partition(b"?")[0])
    return target
