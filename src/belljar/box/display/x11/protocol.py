"""The X protocol's shapes, events and errors: python-xlib packs and parses, `connection.py` carries.

Only this folder imports python-xlib.  Its own transport blocks in `select`, so that a stopped X server would stop
us too; its requests are plain descriptions, and those are what is used here.
"""

import importlib.util
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from Xlib import X, error
from Xlib.protocol import event, rq
from Xlib.protocol.display import ConnectionSetupRequest


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

    def __init__(self, active: object) -> None:
        self.active = active
        super().__init__(f"the display is in {active} mode")


# python-xlib's own record of an event: its fields as attributes, `type` among them.
Event = Any


__all__ = [
    "ConnectionSetupRequest",
    "X",
    "error_name",
    "event",
    "pack",
    "parse_event",
    "parse_reply",
    "parse_setup",
    "request",
    "rq",
]


def _when_first_used(name: str) -> ModuleType:
    """A module whose body runs when something of it is asked for: a box without a display never asks."""
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.find_spec(name)
    assert spec is not None and spec.loader is not None
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


if TYPE_CHECKING:
    from Xlib.protocol import request
else:
    # Every request of the protocol is a class: 0.7 MB.
    request = _when_first_used("Xlib.protocol.request")

# X errors by code; extensions have codes of their own, above these.
_ERRORS: dict[int, str] = {code: kind.__name__ for code, kind in error.xerror_class.items()}


def error_name(code: int) -> str:
    return _ERRORS.get(code, f"error {code}")


def pack(kind: Any, fields: dict[str, Any]) -> bytes:
    """The bytes of one request; `kind` is a python-xlib request class."""
    packed: bytes = kind._request.to_binary(**fields)
    return packed


def parse_reply(kind: Any, packet: bytes) -> Any:
    """The reply to `kind`, its fields as attributes.  Resources are plain numbers, not objects."""
    parsed, _ = kind._reply.parse_binary(packet, _Plain)
    return parsed


def parse_setup(body: bytes) -> object:
    """What a server tells about itself once it has let us in."""
    parsed, _ = ConnectionSetupRequest._success_reply.parse_binary(body, _Plain)
    return parsed


def parse_event(kind: Any, packet: bytes) -> Any:
    parsed, _ = kind._fields.parse_binary(packet, _Plain)
    parsed["type"] &= 0x7F
    return parsed


class _Plain:
    """Stands where python-xlib expects its display, which it asks only for classes to wrap ids in."""

    @staticmethod
    def get_resource_class(_name: str, default: object = None) -> object:
        return default
