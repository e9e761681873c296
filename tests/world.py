"""A network of our own to be attacked: `run_inside` gives a test file a namespace with addresses, names and a victim.

Everything here has addresses that look public, private or magic, and none of it leaves the namespace: it has no
interface but loopback.
"""

import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

import pytest

SITE, SECOND, PRIVATE, HOME, SHARED = "45.33.32.10", "45.33.32.11", "10.9.8.7", "192.168.77.7", "100.64.1.1"
METADATA, AZURE = "169.254.169.254", "168.63.129.16"
SITE6, PRIVATE6, MAPPED = "2600:3c01::10", "fd00::7", "::ffff:10.9.8.7"
ADDRESSES = (SITE, SECOND, PRIVATE, HOME, SHARED, METADATA, AZURE, SITE6, PRIVATE6)

NAMES = {
    "site.test": [SITE],
    "second.test": [SECOND],
    "six.test": [SITE6],
    "private.test": [PRIVATE],
    "private6.test": [PRIVATE6],
    "loop.test": ["127.0.0.1"],
    "loop6.test": ["::1"],
    "any.test": ["0.0.0.0"],
    "meta.test": [METADATA],
    "azure.test": [AZURE],
    "shared.test": [SHARED],
    "mapped.test": [MAPPED],
    "nat64.test": ["64:ff9b::a09:807"],
    "sixtofour.test": ["2002:a09:807::1"],
    "both.test": [SITE, PRIVATE],
    "both-reversed.test": [PRIVATE, SITE],
    "metadata.google.internal": [METADATA],
}
PATIENCE = 240.0
_SCRIPT = """
set -e
ip link set lo up
for a in {addresses}; do ip addr add "$a" dev lo; done
mount --bind {resolv} /etc/resolv.conf
exec {python} -m pytest -q -p no:cacheprovider --no-header -m "$@"
"""


def run_inside(path: Path, folder: Path, chosen: str = "not soak and not engines") -> None:
    """Run the tests of a file that have such marks in such a network, and fail with their output.

    Skips, aloud, where none can be made.
    """
    unshare = ["unshare", "--net", "--mount", "--propagation", "private"]
    if os.geteuid() != 0:
        unshare += ["--user", "--map-root-user"]
    if not shutil.which("ip"):
        pytest.skip("iproute2 is not installed: nothing is known about what gets out")
    if not shutil.which("unshare") or subprocess.run([*unshare, "true"], capture_output=True).returncode:
        pytest.skip("this machine cannot make network namespaces: nothing is known about what gets out")
    resolv = folder / "resolv.conf"
    resolv.write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    script = _SCRIPT.format(addresses=" ".join(ADDRESSES), resolv=resolv, python=sys.executable)
    done = subprocess.run(
        [*unshare, "sh", "-c", script, "sh", chosen, str(path)], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout + done.stderr


def is_inside() -> bool:
    """Whether this process is in such a network, so that a file run by hand outside harms nobody."""
    try:
        with socket.socket() as sock:
            sock.bind((PRIVATE, 0))
    except OSError:
        return False
    return True


@dataclass
class Names:
    """A DNS server; names with several lists of answers give one after the other."""

    flips: dict[str, list[list[str]]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def answer(self, name: str) -> list[str]:
        self.asked.append(name)
        if name in self.flips:
            lists = self.flips[name]
            return lists.pop(0) if len(lists) > 1 else lists[0]
        return NAMES.get(name, [])


@contextmanager
def name_server() -> Iterator[Names]:
    names = Names()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 53))
        thread = threading.Thread(target=_serve_names, args=(sock, names))
        thread.start()
        try:
            yield names
        finally:
            # Wakes the thread: an empty question means stop.
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
                last.sendto(b"stop", ("127.0.0.1", 53))
            thread.join(10)


def _serve_names(sock: socket.socket, names: Names) -> None:
    # A flip counts once for a lookup, which asks for A and AAAA.
    answers: dict[str, list[str]] = {}
    halves: set[tuple[str, int]] = set()
    while True:
        data, peer = sock.recvfrom(1024)
        if data == b"stop":
            return
        labels, at = [], 12
        while data[at]:
            labels.append(data[at + 1 : at + 1 + data[at]].decode())
            at += 1 + data[at]
        name, kind = ".".join(labels).lower(), int.from_bytes(data[at + 1 : at + 3], "big")
        if (name, kind) in halves or name not in answers:
            answers[name] = names.answer(name)
            halves = {half for half in halves if half[0] != name}
        halves.add((name, kind))
        found = [ip_address(text) for text in answers[name]]
        packed = [a.packed for a in found if (a.version == 4) == (kind == 1)] if kind in (1, 28) else []
        question = data[12 : at + 5]
        code = b"\x81\x80" if found else b"\x81\x83"
        header = data[:2] + code + b"\x00\x01" + len(packed).to_bytes(2, "big") + b"\x00\x00\x00\x00"
        rows = b"".join(
            b"\xc0\x0c" + kind.to_bytes(2, "big") + b"\x00\x01\x00\x00\x00\x00" + len(p).to_bytes(2, "big") + p
            for p in packed
        )
        sock.sendto(header + question + rows, peer)
