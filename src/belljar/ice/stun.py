"""STUN (RFC 8489), as far as telling whose a request is: its name, and whether its sender knows the password."""

import hmac
import struct
from collections.abc import Iterator

_HEAD = struct.Struct(">HHI12s")
_MAGIC_COOKIE = 0x2112A442
_BINDING_REQUEST = 0x0001
_USERNAME, _MESSAGE_INTEGRITY = 0x0006, 0x0008
_DIGEST_BYTES = 20
# Longer ones are no connectivity check.
_MOST_BYTES = 1500
# RFC 8445: a fragment has up to 256 characters, and there are two with a colon between them.
_MOST_NAME = 513


def is_request(data: bytes) -> bool:
    """Whether it is a binding request: all that an ICE peer may ask for."""
    if not _HEAD.size <= len(data) <= _MOST_BYTES:
        return False
    kind, length, cookie, _ = _HEAD.unpack_from(data)
    return bool((kind, cookie, length) == (_BINDING_REQUEST, _MAGIC_COOKIE, len(data) - _HEAD.size))


def name_in(request: bytes) -> str | None:
    """Whom a request is for: the first half of its USERNAME."""
    for kind, begin, length in _attributes(request):
        if kind == _USERNAME:
            if length > _MOST_NAME:
                return None
            name, colon, _ = request[begin : begin + length].partition(b":")
            return name.decode("ascii", "replace") if colon else None
    return None


def is_signed(request: bytes, password: bytes) -> bool:
    """Whether its MESSAGE-INTEGRITY was made with `password`."""
    for kind, begin, length in _attributes(request):
        if kind == _MESSAGE_INTEGRITY:
            if length != _DIGEST_BYTES:
                return False
            # What is signed has the length that it had with the signature as its end.
            covered = request[:2] + struct.pack(">H", begin + length - _HEAD.size) + request[4 : begin - 4]
            digest = hmac.digest(password, covered, "sha1")
            return hmac.compare_digest(digest, request[begin : begin + length])
    return False


def _attributes(request: bytes) -> Iterator[tuple[int, int, int]]:
    """Kind, place and length of each; it ends where they do not fit."""
    at = _HEAD.size
    while at + 4 <= len(request):
        kind, length = struct.unpack_from(">HH", request, at)
        if at + 4 + length > len(request):
            return
        yield kind, at + 4, length
        at += 4 + (length + 3 & ~3)
