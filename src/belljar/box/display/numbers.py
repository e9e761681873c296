"""Choose a display number that nobody uses, and keep it ours."""

import socket
from dataclasses import dataclass
from pathlib import Path

from belljar.box.display.errors import DisplayStartFailed

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
