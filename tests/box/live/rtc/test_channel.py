"""What Neko's clients send over the data channel, of both versions, and what is none of it."""

import os
import struct

import pytest

from belljar.box.live.rtc.channel import Button, Key, Move, Ping, Scroll, pong, read_message


@pytest.mark.parametrize(
    ("data", "meaning"),
    [
        ("01 0004 0140 00f0", Move(320, 240)),
        ("02 0005 fff6 0001 00", Scroll(-10, 1)),
        ("02 0004 0000 0064", Scroll(0, 100)),
        ("03 0004 00000041", Key(0x41, is_down=True)),
        ("04 0004 0000ff0d", Key(0xFF0D, is_down=False)),
        # A Latin letter named by its code point; others keep theirs.
        ("03 0004 010000e9", Key(0xE9, is_down=True)),
        ("03 0004 010020ac", Key(0x010020AC, is_down=True)),
        ("03 0008 0000000000000041", Key(0x41, is_down=True)),
        ("05 0004 00000001", Button(1, is_down=True)),
        ("06 0004 00000003", Button(3, is_down=False)),
        ("07 0008 0000000100000002", Ping(bytes.fromhex("0000000100000002"))),
        # The second version: little-endian, keys of eight bytes, of which those below eight are buttons.
        ("01 0400 4001 f000", Move(320, 240)),
        ("03 0800 4100000000000000", Key(0x41, is_down=True)),
        ("04 0800 0100000000000000", Button(1, is_down=False)),
        ("03 0800 0100000000000000", Button(1, is_down=True)),
    ],
)
def test_input_is_read(data: str, meaning: object) -> None:
    assert read_message(bytes.fromhex(data)) == meaning


@pytest.mark.parametrize(
    "data",
    ["", "01", "0100", "010004", "01 0004 0140", "01 0005 0140 00f0", "ff 0004 00000000", "03 0004 00000000"]
    + ["03 0004 ffffffff", "03 0008 ffffffffffffffff", "00 0000", "07 0004 00000000", "05 0002 0001"],
)
def test_what_is_none_means_nothing(data: str) -> None:
    assert read_message(bytes.fromhex(data)) is None


def test_no_bytes_at_all_do_any_harm() -> None:
    for size in range(40):
        for _ in range(50):
            read_message(os.urandom(size))


def test_a_ping_is_answered_with_both_clocks() -> None:
    answer = pong(Ping(b"\0\0\1\x8f\0\0\0\7"), 1_794_800_000_000)
    code, length, *_ = struct.unpack(">BH", answer[:3])
    assert (code, length, len(answer), answer[3:11]) == (3, 19, 19, b"\0\0\1\x8f\0\0\0\7")
    high, low = struct.unpack(">II", answer[11:])
    assert high * 0xFFFFFFFF + low == 1_794_800_000_000
