"""`python -m belljar.egress FD`: the egress proxy as a process of its own, told what to do over descriptor FD.

`python -m belljar.egress /path CEILING` listens there for a box that has no network itself, one connection after
another: a box that was started again, or lost its connection, says anew what it wants.  Nothing goes out that the
policy in the file CEILING would not let out, whatever the box says.
"""

import os
import resource
import signal
import socket
import sys
from pathlib import Path

import anyio

from belljar.egress.channel import Channel
from belljar.egress.policy.ceiling import Ceiling
from belljar.egress.proxy.server import Server


async def main(sock: socket.socket, ceiling: Ceiling | None = None) -> None:
    channel = Channel(sock)
    try:
        await Server(channel, ceiling).run()
    finally:
        channel.close()


async def main_at(listener: socket.socket, ceiling: Ceiling) -> None:
    """Until we are told to end.  Whoever may open the folder may ask; what a box asked for ends with its connection."""
    listener.setblocking(False)
    while True:
        await anyio.wait_readable(listener)
        await main(listener.accept()[0], ceiling)


def _take_all_descriptors() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _name_process() -> None:
    try:
        Path("/proc/self/comm").write_text("belljar-egress")
    except OSError:
        return


def run(descriptor: int) -> None:
    _take_all_descriptors()
    _name_process()
    # A terminal's interrupt is for the box, which closes the channel when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    anyio.run(main, socket.socket(fileno=descriptor), backend_options={"use_uvloop": True})


def run_at(path: str, ceiling: str) -> None:
    _take_all_descriptors()
    _name_process()
    # As the first process of a container nothing would end us otherwise.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    Path(path).unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(path)
        listener.listen(1)
        anyio.run(main_at, listener, Ceiling(Path(ceiling)), backend_options={"use_uvloop": True})


if __name__ == "__main__":
    run_at(*sys.argv[1:3]) if sys.argv[1].startswith("/") else run(int(sys.argv[1]))
