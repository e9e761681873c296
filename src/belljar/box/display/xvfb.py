"""Xvfb as a child: its number, its secret, its command line, and the pipe on which it announces itself."""

import os
import secrets
import socket
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import anyio

from belljar.box.display.x11.handshake import COOKIE_KIND
from belljar.box.display.x11.protocol import DisplayStartFailed
from belljar.box.process import Process, Processes, Program
from belljar.wire.processes import ProcessOwner, RestartPolicy

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


# How far from the wished-for number to look.
_RANGE = 2000


@dataclass(frozen=True)
class Claim:
    """A display number that is ours until `release`.

    It is held by binding the abstract socket name that belongs to the number, without listening on it: the kernel
    gives the name to one process only and takes it back if we die, other X servers respect it, and nobody else on
    the host can pose as this display to clients that try the abstract name before the path.
    """

    number: int
    _name: socket.socket

    def release(self) -> None:
        self._name.close()


def claim_number(wished: int) -> Claim:
    """The first number from `wished` upwards that no X server holds."""
    for number in range(wished, wished + _RANGE):
        if _leaves_traces(number):
            continue
        name = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            name.bind(f"\0/tmp/.X11-unix/X{number}")
        except OSError:
            name.close()
            continue
        return Claim(number, name)
    raise DisplayStartFailed(f"no free display number between {wished} and {wished + _RANGE - 1}")


def _leaves_traces(number: int) -> bool:
    """A lock or socket file, be it of a dead server: it may belong to a user whose files ours cannot replace."""
    return Path(f"/tmp/.X{number}-lock").exists() or Path(f"/tmp/.X11-unix/X{number}").exists()


# The child's number for the pipe it writes its display number to when it is ready.
_ANNOUNCE = 3


def xvfb_program(number: int, width: int, height: int, dpi: int, authority: Path) -> Program:
    return Program(
        command="Xvfb",
        args=(
            f":{number}",
            *("-screen", "0", f"{width}x{height}x24"),
            *("-dpi", str(dpi)),
            *("-nolisten", "tcp"),
            # No abstract socket: it ignores file permissions, and reaches into every mount namespace.
            *("-nolisten", "local"),
            *("-auth", str(authority)),
            *("-displayfd", str(_ANNOUNCE)),
            # Without it the server forgets modes and keyboard when its last client leaves.
            "-noreset",
        ),
        owner=ProcessOwner.DESKTOP,
        restart=RestartPolicy.ALWAYS,
    )


class Announcements:
    """The pipe of `-displayfd`.  It outlives the child, so a restarted Xvfb announces itself by a further line."""

    def __init__(self) -> None:
        self._read_end, self._write_end = os.pipe()
        os.set_blocking(self._read_end, False)

    async def start(self, processes: Processes, program: Program) -> Process:
        return await processes.start(program, descriptors={_ANNOUNCE: self._write_end})

    async def lines(self) -> AsyncIterator[str]:
        """One line per start.  Xvfb writes the number and the newline apart: only a whole line counts."""
        pending = b""
        while True:
            await anyio.wait_readable(self._read_end)
            pending += os.read(self._read_end, 4096)
            *lines, pending = pending.split(b"\n")
            for line in lines:
                yield line.decode("ascii", "replace").strip()

    def close(self) -> None:
        os.close(self._read_end)
        os.close(self._write_end)
