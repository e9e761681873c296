"""`python -m belljar.egress FD`: the egress proxy as a process of its own, told what to do over descriptor FD."""

import resource
import signal
import socket
import sys
from pathlib import Path

import anyio

from belljar.egress.channel import Channel
from belljar.egress.proxy.server import Server


async def main(sock: socket.socket) -> None:
    channel = Channel(sock)
    try:
        await Server(channel).run()
    finally:
        channel.close()


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


if __name__ == "__main__":
    run(int(sys.argv[1]))
