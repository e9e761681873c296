"""What can go wrong between us and an X server, in X's own words."""

from typing import Any

from belljar.box.display.protocol import error_name


class DisplayError(Exception):
    """Anything that keeps a request from being answered by the X server."""


class XError(DisplayError):
    """The X server refused one request: `name` is X's word (`BadWindow`), `resource` what it was about."""

    def __init__(self, packet: bytes) -> None:
        self.code = packet[1]
        self.name = error_name(packet[1])
        self.resource = int.from_bytes(packet[4:8], "little")
        self.minor_opcode = int.from_bytes(packet[8:10], "little")
        self.major_opcode = packet[10]
        super().__init__(f"{self.name} (request {self.major_opcode}.{self.minor_opcode}, resource {self.resource:#x})")


class XClosed(DisplayError):
    """The X server is gone, or was never there."""


class XTimeout(DisplayError):
    """The X server holds the connection and does not answer."""


class DisplayInactive(DisplayError):
    """No display has been started."""


class DisplayStartFailed(DisplayError):
    """Xvfb could not be brought up; the message says why, as far as Xvfb told."""


class ModeTaken(DisplayError):
    """The display is running in the other mode, `active`."""

    def __init__(self, active: Any) -> None:
        self.active = active
        super().__init__(f"the display is in {active} mode")
