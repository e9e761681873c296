"""The secret that opens a display, and the Xauthority file that carries it to the display's clients."""

import os
import secrets
import struct
from pathlib import Path

from belljar.box.display.handshake import COOKIE_KIND

# Matches any address, so that the entry holds wherever the display's socket is bound to.
_FAMILY_WILD = 65535


def new_cookie() -> bytes:
    return secrets.token_bytes(16)


def write_xauthority(path: Path, cookie: bytes, owner: tuple[int, int] | None) -> None:
    """Write `cookie` for any display number, readable by `owner` alone (uid, gid; None: by us)."""
    entry = struct.pack(">H", _FAMILY_WILD) + b"".join(
        struct.pack(">H", len(part)) + part for part in (b"", b"", COOKIE_KIND, cookie)
    )
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        if owner is not None:
            os.fchown(descriptor, *owner)
        os.write(descriptor, entry)
    finally:
        os.close(descriptor)
