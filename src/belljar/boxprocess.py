"""A `belljar box` as a child process, started in one way by the SDK, the launcher of local boxes, and tests."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from socket import AF_UNIX
from socket import socket as Socket
from typing import BinaryIO

# Longer paths do not fit into a socket's address.
_MAX_SOCKET_PATH = 100
# Whoever connects before the box is up waits here.
_WAITING_CONNECTIONS = 2048


def start_box(
    flags: Sequence[str],
    *,
    socket: Path,
    secrets: Mapping[str, str],
    temporary: Path,
    log: BinaryIO,
    ends_with_us: bool = False,
) -> "subprocess.Popen[bytes]":
    """Start a box on a Unix socket that listens when this returns, so that nobody need ask again and again.

    `secrets` are by the flag that takes each: they reach the box by descriptors, and are in no argument, variable or
    file.  With `ends_with_us` the box holds a descriptor of this process and ends with it, however it ends.  Raises
    `OSError`.
    """
    with ExitStack() as stack:
        handed = {"socket": stack.enter_context(_listen(socket)).fileno()}
        for flag, secret in secrets.items():
            handed[flag] = _in_memory(secret)
            stack.callback(os.close, handed[flag])
        if ends_with_us:
            handed["lifeline"] = os.pidfd_open(os.getpid())
            stack.callback(os.close, handed["lifeline"])
        return subprocess.Popen(
            box_command(*(f"--{flag}=fd:{fd}" for flag, fd in handed.items()), *flags),
            cwd="/",
            env=inherited_environment({"TMPDIR": str(temporary)}),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=tuple(handed.values()),
            # Ctrl-C is for this process, which then ends the box in order.
            start_new_session=True,
        )


def box_command(*flags: str, python: str | None = None) -> list[str]:
    """The arguments of a box whose log a program can read, run by our own interpreter or another."""
    return [python or sys.executable, "-m", "belljar", "box", "--log-format", "json", *flags]


def inherited_environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Our own environment, without what was said to us, and without the keys to a store of artifacts."""
    ours = ("BELLJAR_", "AWS_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)} | dict(more or {})


def _listen(path: Path) -> Socket:
    directory = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    listener = Socket(AF_UNIX)
    try:
        listener.bind(f"/proc/self/fd/{directory}/{path.name}" if len(str(path)) > _MAX_SOCKET_PATH else str(path))
        listener.listen(_WAITING_CONNECTIONS)
    except OSError:
        listener.close()
        raise
    finally:
        os.close(directory)
    return listener


def _in_memory(secret: str) -> int:
    descriptor = os.memfd_create("belljar-secret")
    os.write(descriptor, secret.encode())
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
