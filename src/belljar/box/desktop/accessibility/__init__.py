"""What a screen reader would be told of the programs on the desktop."""

import re
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import unquote

import anyio

from belljar.wire.desktop import AccessibilityTree

# For the whole tree, however large.
TREE_TIMEOUT = 15.0

NO_BUS = "This desktop has no session bus: dbus is not installed (belljar install desktop --yes brings it)."
BROWSER = "In browser mode there is no accessibility bus; /v1/browser/snapshot has the page's own tree."
NO_ATSPI = "at-spi2-core is not installed on this host (belljar install desktop --yes brings it)."
LOST = (
    "The accessibility bus does not answer. A server that runs as root needs the jail for it (--jail auto), where "
    "programs have an account; without one the bus takes no connections."
)
_SERVICE = Path("/usr/share/dbus-1/services/org.a11y.Bus.service")

Dial = Callable[[str], Awaitable[socket.socket]]


async def read_tree(session_bus: str, dial: Dial) -> AccessibilityTree:
    """The tree of the desktop whose session bus has this address; `dial` connects to a socket as programs see it."""
    # Read here and not above: nobody pays for D-Bus who does not use it.
    from belljar.box.desktop.accessibility.bus import BusError, open_bus
    from belljar.box.desktop.accessibility.tree import Walk

    try:
        with anyio.fail_after(TREE_TIMEOUT):
            async with open_bus(await dial(socket_of(session_bus))) as session:
                # The first question starts the bus.
                question = ("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
                (address,) = await session.call(*question, timeout=TREE_TIMEOUT)
            async with open_bus(await dial(socket_of(address))) as bus:
                walk = Walk(bus)
                applications = await walk.applications()
                return AccessibilityTree(available=True, applications=applications, truncated=walk.is_cut)
    except (BusError, OSError, TimeoutError, ValueError):
        return AccessibilityTree(available=False, reason=_why())


def _why() -> str:
    return LOST if _SERVICE.exists() else NO_ATSPI


def socket_of(address: str) -> str:
    """The path in a D-Bus address; an abstract name begins with a NUL.  Raises ValueError."""
    found = re.search(r"unix:(?:[^;]*,)?(path|abstract)=([^,;]+)", address)
    if found is None:
        raise ValueError("not the address of a Unix socket")
    return ("\0" if found[1] == "abstract" else "") + unquote(found[2])
