"""Encoded frames in pieces for RTP: what a receiver puts together again is what was encoded."""

import os

import pytest
from aiortc.codecs.h264 import h264_depayload
from aiortc.codecs.vpx import vp8_depayload

from belljar.video.payloads import MOST_BYTES, payloads_of

START = b"\0\0\0\1"


def unit(kind: int, size: int) -> bytes:
    """A NAL unit that contains no start code and does not end in a zero."""
    return bytes([0x60 | kind]) + os.urandom(size).replace(b"\0", b"\1") + b"\x80"


@pytest.mark.parametrize(
    "sizes", [[10], [10, 4, 30], [MOST_BYTES - 2], [MOST_BYTES - 1], [5 * MOST_BYTES], [8, 4, 70_000]]
)
def test_h264_comes_together_again(sizes: list[int]) -> None:
    units = [unit(kind, size) for kind, size in zip((7, 8, 5), sizes, strict=False)]
    pieces = payloads_of("h264", b"".join(START + one for one in units))
    assert all(len(piece) <= MOST_BYTES + 2 for piece in pieces)
    assert b"".join(h264_depayload(piece) for piece in pieces) == b"".join(START + one for one in units)


def test_start_codes_of_three_bytes_count_too() -> None:
    assert payloads_of("h264", b"\0\0\1\x67ab\0\0\0\1\x68c\0\0\1\x65def") == [b"\x67ab", b"\x68c", b"\x65def"]


@pytest.mark.parametrize("size", [1, MOST_BYTES, MOST_BYTES + 1, 100_000])
def test_vp8_comes_together_again(size: int) -> None:
    frame = os.urandom(size)
    pieces = payloads_of("vp8", frame)
    # The first piece says that it is the first.
    assert [piece[0] for piece in pieces] == [0x10] + [0] * (len(pieces) - 1)
    assert b"".join(vp8_depayload(piece) for piece in pieces) == frame


def test_nothing_makes_nothing() -> None:
    assert payloads_of("h264", b"") == payloads_of("vp8", b"") == []
