"""Input events packed for the XTEST extension."""

import struct

EXTENSION = "XTEST"

KEY_PRESS, KEY_RELEASE, BUTTON_PRESS, BUTTON_RELEASE, MOTION = 2, 3, 4, 5, 6
_FAKE_INPUT = struct.Struct("=BBHBB2xII8xhh8x")


def fake_input(opcode: int, kind: int, detail: int = 0, x: int = 0, y: int = 0) -> bytes:
    """One event.  Packed here and not by python-xlib, which takes ten times as long: text is made of these."""
    return _FAKE_INPUT.pack(opcode, 2, _FAKE_INPUT.size // 4, kind, detail, 0, 0, x, y)
