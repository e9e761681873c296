"""A line between two network namespaces of a test's own: packets go through a program that delays, loses and blocks.

Two TUN devices, one in each namespace, and between them this file run as a program.  Loopback and the host's networks
have no part in it.
"""

import ctypes
import fcntl
import heapq
import json
import os
import random
import select
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

HERE, THERE = "10.77.0.2", "10.77.0.1"
_CLONE_NEWNET = 0x40000000
_TUNSETIFF, _IFF_TUN, _IFF_NO_PI = 0x400454CA, 0x0001, 0x1000
_PROTOCOLS = {"tcp": 6, "udp": 17}


@dataclass
class Line:
    """`inside` before a command runs it at the other end."""

    program: subprocess.Popen[str]
    inside: tuple[str, ...]

    def be(self, *, loss: float = 0.0, delay: float = 0.0, blocked: tuple[str, ...] = ()) -> None:
        """From now on.  `delay` seconds are from there to here; `blocked` has names such as udp or tcp:3478."""
        assert self.program.stdin is not None
        self.program.stdin.write(json.dumps({"loss": loss, "delay": delay, "blocked": blocked}) + "\n")
        self.program.stdin.flush()


@contextmanager
def own_line() -> Iterator[Line]:
    """For a thread that is to have a network of its own from now on: `HERE` is its end, `THERE` the other."""
    there = _new_end(THERE, HERE)
    namespace = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    here = _new_end(HERE, THERE)
    program = subprocess.Popen(
        [sys.executable, __file__, str(here), str(there)], pass_fds=[here, there], stdin=subprocess.PIPE, text=True
    )
    try:
        yield Line(program, ("nsenter", f"--net=/proc/{os.getpid()}/fd/{namespace}"))
    finally:
        program.kill()
        program.communicate()
        for descriptor in (here, there, namespace):
            os.close(descriptor)


def _new_end(own: str, other: str) -> int:
    """A namespace of this thread's own with one end of the line; its device's descriptor."""
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "no network of its own")
    device = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(device, _TUNSETIFF, struct.pack("16sH22x", b"line0", _IFF_TUN | _IFF_NO_PI))
    for command in (
        "ip link set lo up",
        f"ip addr add {own} peer {other} dev line0",
        "ip link set line0 up",
        "ip route add default dev line0",
    ):
        subprocess.run(command.split(), check=True, timeout=20)
    return device


def _run(here: int, there: int) -> None:
    """Until standard input closes."""
    state: dict[str, Any] = {"loss": 0.0, "delay": 0.0, "blocked": []}
    chance = random.Random(17)
    waiting: list[tuple[float, int, bytes]] = []
    number = 0
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            os.write(here, heapq.heappop(waiting)[2])
        patience = max(0.0, waiting[0][0] - now) if waiting else 1.0
        readable, _, _ = select.select([here, there, 0], [], [], patience)
        for descriptor in readable:
            if descriptor == 0:
                command = sys.stdin.readline()
                if not command:
                    return
                state = json.loads(command)
                continue
            packet = os.read(descriptor, 65536)
            if chance.random() < state["loss"] or _is_blocked(packet, state["blocked"]):
                continue
            if descriptor == here:
                os.write(there, packet)
            elif not state["delay"]:
                os.write(here, packet)
            else:
                number += 1
                heapq.heappush(waiting, (time.monotonic() + state["delay"], number, packet))


def _is_blocked(packet: bytes, blocked: list[str]) -> bool:
    if len(packet) < 24 or packet[0] >> 4 != 4:
        return False
    at = (packet[0] & 15) * 4
    ports = struct.unpack_from(">HH", packet, at)
    for one in blocked:
        name, _, port = one.partition(":")
        if packet[9] == _PROTOCOLS[name] and (not port or int(port) in ports):
            return True
    return False


if __name__ == "__main__":
    _run(int(sys.argv[1]), int(sys.argv[2]))
