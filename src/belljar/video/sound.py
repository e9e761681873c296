"""Sound as it comes out of a pipe, encoded once for all who hear it: Opus or G.722 in pieces of 20 ms."""

import os
import select
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import av
from av.audio.resampler import AudioResampler

RATE = 48_000
PIECE_SECONDS = 0.02
# Two channels of 16 bits.
_PIECE_BYTES = int(RATE * PIECE_SECONDS) * 4
# What was played while nobody listened is not heard late; and a pause of so long is heard as one.
_PAUSE_SECONDS = 0.1


@dataclass(frozen=True)
class Coding:
    encoder: str
    rate: int
    layout: str
    bits: int
    # Ticks a second of its RTP time stamps; G.722's are wrong by its own standard.
    clock: int


CODINGS = {
    "opus": Coding("libopus", 48_000, "stereo", 96_000, 48_000),
    "g722": Coding("g722", 16_000, "mono", 64_000, 8_000),
}


class SoundEncoder:
    def __init__(self, codec: str) -> None:
        self._coding = coding = CODINGS[codec]
        context: Any = av.CodecContext.create(coding.encoder, "w")
        context.sample_rate, context.layout, context.format = coding.rate, coding.layout, "s16"
        context.bit_rate = coding.bits
        context.time_base = Fraction(1, coding.rate)
        if coding.encoder == "libopus":
            context.options = {"application": "lowdelay", "frame_duration": "20"}
        self._context = context
        self._resampler = AudioResampler(format="s16", layout=coding.layout, rate=coding.rate)
        self._samples = 0

    def encode(self, pcm: bytes) -> list[bytes]:
        """What a piece of 20 ms becomes; the first may become nothing yet."""
        frame: Any = av.AudioFrame(format="s16", layout="stereo", samples=len(pcm) // 4)
        frame.planes[0].update(pcm)
        frame.sample_rate = RATE
        frame.pts, frame.time_base = self._samples, Fraction(1, RATE)
        self._samples += frame.samples
        return [bytes(packet) for part in self._resampler.resample(frame) for packet in self._context.encode(part)]

    def ticks(self, seconds: float) -> int:
        return round(seconds * self._coding.clock)


class Listening:
    """Reads a pipe while somebody is to hear it.  `deliver` is called in a thread of its own, with ticks."""

    def __init__(self, descriptor: int, codec: str, deliver: Callable[[bytes, int], None]) -> None:
        self._descriptor = descriptor
        self._encoder = SoundEncoder(codec)
        self._deliver = deliver
        self._is_heard = threading.Event()
        self._has_ended = False
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
        self._thread.start()

    def hear(self, *, is_heard: bool) -> None:
        if is_heard:
            self._is_heard.set()
        else:
            self._is_heard.clear()

    def end(self) -> None:
        self._has_ended = True
        self._is_heard.set()

    def _run(self) -> None:
        while not self._has_ended:
            self._is_heard.wait()
            if not self._listen():
                break
        os.close(self._descriptor)

    def _listen(self) -> bool:
        """Until nobody is to hear it any more; false when there will be no more sound."""
        readable = select.poll()
        readable.register(self._descriptor, select.POLLIN)
        self._read(1 << 20)
        rest, place, began = b"", 0.0, time.monotonic()
        while self._is_heard.is_set() and not self._has_ended:
            if not readable.poll(500):
                continue
            data = self._read(_PIECE_BYTES * 4)
            if data is None:
                return False
            now = time.monotonic() - began
            if now - place > _PAUSE_SECONDS:
                place = now
            rest += data
            while len(rest) >= _PIECE_BYTES:
                piece, rest = rest[:_PIECE_BYTES], rest[_PIECE_BYTES:]
                for packet in self._encoder.encode(piece):
                    self._deliver(packet, self._encoder.ticks(began + place))
                place += PIECE_SECONDS
        return True

    def _read(self, most: int) -> bytes | None:
        try:
            return os.read(self._descriptor, most) or None
        except BlockingIOError:
            return b""
        except OSError:
            return None
