"""Pixels in, encoded frames out: the colours converted once for all, and one encoder for each codec and size."""

import ctypes
import mmap
from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import av
from av.video.frame import PictureType
from av.video.reformatter import Interpolation, VideoReformatter

from belljar.video.cursor import Cursor

# Ticks a second of the time stamps given to encoders: RTP's.
CLOCK = 90_000
# No key frame but those asked for.
_NEVER = "1000000"


@dataclass(frozen=True)
class Format:
    """What a stream is made as.  `bits` a second are the most it may take, not what it aims at."""

    codec: str
    width: int
    height: int
    fps: int
    bits: int


@dataclass(frozen=True)
class Area:
    """A part of a picture; its width and height are even."""

    x: int
    y: int
    width: int
    height: int


class Stream:
    """One encoder, of an area of the pictures.  Frames go in with growing time stamps."""

    def __init__(self, wanted: Format, area: Area | None = None) -> None:
        self.format = wanted
        self.area = area or Area(0, 0, wanted.width, wanted.height)
        name, options = _encoder_of(wanted)
        context: Any = av.CodecContext.create(name, "w")
        context.width, context.height = wanted.width, wanted.height
        context.pix_fmt = "yuv420p"
        context.time_base = Fraction(1, CLOCK)
        context.framerate = Fraction(wanted.fps, 1)
        context.bit_rate = wanted.bits if wanted.codec == "vp8" else 0
        context.thread_count = 1
        context.options = options
        self._context = context
        self._scaler = VideoReformatter()

    def encode(self, picture: av.VideoFrame, ticks: int, *, is_key: bool) -> tuple[bytes, bool]:
        """The encoded frame, and whether it stands for itself."""
        wanted = self.format
        if (picture.width, picture.height) != (wanted.width, wanted.height):
            picture = self._scaler.reformat(
                picture, wanted.width, wanted.height, interpolation=Interpolation.FAST_BILINEAR
            )
        picture.pts, picture.time_base = ticks, Fraction(1, CLOCK)
        picture.pict_type = PictureType.I if is_key else PictureType.NONE
        packets = self._context.encode(picture)
        return b"".join(bytes(packet) for packet in packets), any(packet.is_keyframe for packet in packets)


def _encoder_of(wanted: Format) -> tuple[str, dict[str, str]]:
    kilobits = wanted.bits // 1000
    if wanted.codec == "h264":
        # The colours are those of our conversion; unsaid, a decoder would take a large picture's for BT.709.
        colours = "colorprim=smpte170m:transfer=smpte170m:colormatrix=smpte170m"
        return "libx264", {
            "preset": "ultrafast",
            "tune": "zerolatency",
            "profile": "baseline",
            "crf": "24",
            "maxrate": f"{kilobits}k",
            "bufsize": f"{kilobits // 2}k",
            "g": _NEVER,
            "forced-idr": "1",
            "x264-params": f"scenecut=0:repeat-headers=1:{colours}",
        }
    return "libvpx", {
        "deadline": "realtime",
        # In real time a negative speed is fixed, a positive one adapts to the load.
        "cpu-used": "-12",
        "lag-in-frames": "0",
        "auto-alt-ref": "0",
        "error-resilient": "default",
        "static-thresh": "100",
        "crf": "12",
        "qmin": "4",
        "qmax": "48",
        "undershoot-pct": "95",
        "bufsize": f"{kilobits // 2}k",
        "g": _NEVER,
    }


class Slots:
    """Memory shared with whoever grabs: as many pictures of one size, blue, green, red and nothing for each pixel."""

    def __init__(self, descriptor: int, width: int, height: int, slots: int) -> None:
        self.width, self.height = width, height
        self._size = width * height * 4
        self._memory = mmap.mmap(descriptor, self._size * slots)
        self._convert = _libyuv() or _swscale(VideoReformatter())

    def pictures(
        self, slot: int, cursor: Cursor | None, at: tuple[int, int], areas: Collection[Area]
    ) -> dict[Area, av.VideoFrame]:
        """These areas of the picture in `slot`, with the pointer drawn into it there, in the colours of encoders.

        Raises `ValueError` for one that is not within it.
        """
        if cursor is not None:
            with memoryview(self._memory) as whole, whole[slot * self._size : (slot + 1) * self._size] as pixels:
                cursor.draw(pixels, self.width * 4, (self.width, self.height), at)
        return {area: self._part(slot, area) for area in areas}

    def _part(self, slot: int, area: Area) -> av.VideoFrame:
        is_across = 0 <= area.x <= area.x + area.width <= self.width
        if not is_across or not 0 <= area.y <= area.y + area.height <= self.height:
            raise ValueError("an area that is not of the picture")
        begin = slot * self._size + (area.y * self.width + area.x) * 4
        return self._convert(self._memory, begin, self.width * 4, area.width, area.height)

    def close(self) -> None:
        self._memory.close()


# From where in the memory, bytes from a line to the next, width and height.
Convert = Callable[[mmap.mmap, int, int, int, int], av.VideoFrame]


def _swscale(scaler: VideoReformatter) -> Convert:
    def convert(memory: mmap.mmap, offset: int, line: int, width: int, height: int) -> av.VideoFrame:
        frame = av.VideoFrame(width, height, "bgr0")
        plane = frame.planes[0]
        row = width * 4
        with memoryview(plane).cast("B") as target, memoryview(memory) as source:
            for y in range(height):
                begin = offset + y * line
                target[y * plane.line_size : y * plane.line_size + row] = source[begin : begin + row]
        # Nothing is scaled; the cheapest way of choosing pixels halves the time.
        return scaler.reformat(frame, format="yuv420p", interpolation=Interpolation.POINT)

    return convert


def _libyuv() -> Convert | None:
    """Ten times as fast, where the host has it: Debian's Chromium brings it along."""
    try:
        to_i420 = ctypes.CDLL("libyuv.so.0").ARGBToI420
    except (OSError, AttributeError):
        return None
    pointer, number = ctypes.c_void_p, ctypes.c_int
    to_i420.argtypes = [pointer, number, pointer, number, pointer, number, pointer, number, number, number]

    def convert(memory: mmap.mmap, offset: int, line: int, width: int, height: int) -> av.VideoFrame:
        frame = av.VideoFrame(width, height, "yuv420p")
        source = ctypes.c_char.from_buffer(memory, offset)
        planes = [part for plane in frame.planes for part in (plane.buffer_ptr, plane.line_size)]
        to_i420(ctypes.addressof(source), line, *planes, width, height)
        return frame

    return convert
