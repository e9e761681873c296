"""An encoded frame in pieces that fit into RTP packets: made once, sent to every peer."""

from collections.abc import Iterator

# What a packet of 1,200 bytes has room for beside its headers.
MOST_BYTES = 1150
_FU_A = 28


def payloads_of(codec: str, data: bytes) -> list[bytes]:
    return list(_vp8(data) if codec == "vp8" else _h264(data))


def _vp8(data: bytes) -> Iterator[bytes]:
    """RFC 7741, with the shortest descriptor: without a picture id, they are the same for all."""
    for begin in range(0, len(data), MOST_BYTES):
        yield (b"\x10" if begin == 0 else b"\x00") + data[begin : begin + MOST_BYTES]


def _h264(data: bytes) -> Iterator[bytes]:
    """RFC 6184: each NAL unit by itself, or in fragments (FU-A)."""
    for unit in _nal_units(data):
        if len(unit) <= MOST_BYTES:
            yield unit
            continue
        indicator, kind, rest = unit[0] & 0xE0 | _FU_A, unit[0] & 0x1F, unit[1:]
        for begin in range(0, len(rest), MOST_BYTES):
            is_first, is_last = begin == 0, begin + MOST_BYTES >= len(rest)
            header = kind | (0x80 if is_first else 0) | (0x40 if is_last else 0)
            yield bytes((indicator, header)) + rest[begin : begin + MOST_BYTES]


def _nal_units(data: bytes) -> Iterator[bytes]:
    """What stands between start codes, of three bytes or four."""
    begin = data.find(b"\x00\x00\x01")
    while begin != -1:
        begin += 3
        end = data.find(b"\x00\x00\x01", begin)
        unit = data[begin:] if end == -1 else data[begin:end]
        unit = unit.rstrip(b"\x00") if end != -1 else unit
        if unit:
            yield unit
        begin = end
