"""What really goes over a network namespace's wires: every first packet of TCP, and every packet of anything else."""

import contextlib
import ctypes
import socket
import struct
import threading
from collections.abc import Iterator
from ipaddress import ip_address

_ALL, _SO_ATTACH_FILTER = 3, 26
# Classic BPF: IPv4 and IPv6, all but TCP that is no SYN.  The kernel counts, so that no flood is missed.
_FILTER = [
    (0x30, 0, 0, 0),  # the version
    (0x54, 0, 0, 0xF0),
    (0x15, 0, 5, 0x40),
    (0x30, 0, 0, 9),  # 4: TCP?
    (0x15, 0, 8, 6),
    (0xB1, 0, 0, 0),
    (0x50, 0, 0, 13),
    (0x05, 0, 0, 3),
    (0x30, 0, 0, 6),  # 6: TCP?
    (0x15, 0, 3, 6),
    (0x30, 0, 0, 53),
    (0x54, 0, 0, 0x12),  # SYN without ACK
    (0x15, 0, 1, 0x02),
    (0x06, 0, 0, 96),
    (0x06, 0, 0, 0),
]

# Protocol, where from, where to, and the ports.
Packet = tuple[str, str, int, str, int]


@contextlib.contextmanager
def counted() -> Iterator[set[Packet]]:
    """Everything seen while the block lasts, once each."""
    seen: set[Packet] = set()
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ALL)) as sock:
        program = b"".join(struct.pack("HBBI", *step) for step in _FILTER)
        buffer = ctypes.create_string_buffer(program)
        sock.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, struct.pack("HL", len(_FILTER), ctypes.addressof(buffer)))
        sock.settimeout(0.2)
        stopping = threading.Event()
        thread = threading.Thread(target=_read, args=(sock, seen, stopping))
        thread.start()
        try:
            yield seen
        finally:
            stopping.set()
            thread.join(10)


def _read(sock: socket.socket, seen: set[Packet], stopping: threading.Event) -> None:
    while not stopping.is_set():
        try:
            seen.add(_packet(sock.recv(96)))
        except TimeoutError:
            continue


def _packet(data: bytes) -> Packet:
    if data[0] >> 4 == 4:
        kind, source, target, rest = data[9], data[12:16], data[16:20], data[(data[0] & 15) * 4 :]
    else:
        kind, source, target, rest = data[6], data[8:24], data[24:40], data[40:]
    name = {6: "tcp", 17: "udp"}.get(kind, str(kind))
    from_port, to_port = struct.unpack(">HH", rest[:4]) if name in ("tcp", "udp") else (0, 0)
    return name, str(ip_address(source)), from_port, str(ip_address(target)), to_port
