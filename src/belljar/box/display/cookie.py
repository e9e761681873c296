"""The secret that opens a display, and the Xauthority file that carries it to the display's clients."""

import os
import secrets
import socket
import struct
from pathlib import Path

from belljar.box.display.handshake import COOKIE_KIND

# Matches any address, so that the entry holds wherever the display's socket is bound to, under any host name.
_FAMILY_WILD = 65535
# This host by its name: some clients, python-xlib's among them, look for nothing else.
_FAMILY_LOCAL = 256


# What programs in a jail believe their host is called.
JAIL_HOST = b"box"


def new_cookie() -> bytes:
    return secrets.token_bytes(16)


def write_xauthority(path: Path, cookie: bytes, owner: tuple[int, int] | None) -> None:
    """Write `cookie` for any display number, readable by `owner` alone (uid, gid; None: by us)."""
    hosts = dict.fromkeys((socket.gethostname().encode(), JAIL_HOST))
    entries = b"".join(_entry(_FAMILY_LOCAL, host, cookie) for host in hosts) + _entry(_FAMILY_WILD, b"", cookie)
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        if owner is not None:
            os.fchown(descriptor, *owner)
        os.write(descriptor, entries)
    finally:
        os.close(descriptor)


def _entry(family: int, address: bytes, cookie: bytes) -> bytes:
    """One entry, for any display number."""
    parts = (address, b"", COOKIE_KIND, cookie)
    return struct.pack(">H", family) + b"".join(struct.pack(">H", len(part)) + part for part in parts)
