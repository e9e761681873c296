"""A viewer of video, as a test needs it: what it was sent, decoded by FFmpeg, and the process that made it."""

import os
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av

from tests.box.live.client import PATIENCE, LiveClient
from tests.servers import RunningBox

KINDS = {2: "h264", 3: "vp8"}


@dataclass(frozen=True)
class VideoFrame:
    kind: str
    is_small: bool
    is_key: bool
    w: int
    h: int
    timestamp: float
    data: bytes
    # How many of its own pixels there are for each of those that it shows.
    scale: float = 1.0


class VideoClient:
    """Reads frames and events; acknowledges what it decodes."""

    def __init__(self, live: LiveClient, *codecs: str, **wish: Any) -> None:
        self._live = live
        self._decoder: Any = None
        self.events: list[dict[str, Any]] = []
        self.frames: list[VideoFrame] = []
        # Seconds between two acknowledgements; 0 for one for each frame.
        self.acks_every = 0.0
        self._acked_at = 0.0
        self._unacked: list[float] = []
        live.send({"type": "video", "codecs": list(codecs), **wish})

    def event(self, is_right: Callable[[dict[str, Any]], bool] = bool, name: str = "video") -> dict[str, Any]:
        """The next event of that name that is right, among frames of any kind."""
        end = time.monotonic() + PATIENCE
        while (found := self._live.kept(name, is_right)) is None:
            self.read(max(0.01, end - time.monotonic()))
        return found

    def read(self, timeout: float = PATIENCE) -> VideoFrame | None:
        """The next frame of video; None for any other message."""
        try:
            data = self._live.socket.recv(min(timeout, self.acks_every or timeout))
        except TimeoutError:
            if not self.acks_every:
                raise
            self._ack()
            return None
        if isinstance(data, str) or data[0] not in KINDS:
            self._live.take(data)
            return None
        kind, flags, w, h, dpr, timestamp = struct.unpack(">BBHHHd", data[:16])
        frame = VideoFrame(KINDS[kind], bool(flags & 1), bool(flags & 2), w, h, timestamp, data[16:], dpr / 100)
        assert frame.is_small or frame.scale == 1
        self.frames.append(frame)
        self._unacked.append(timestamp)
        self._ack()
        return frame

    def _ack(self) -> None:
        now = time.monotonic()
        if self._unacked and now - self._acked_at >= self.acks_every:
            self._acked_at = now
            self._live.send({"type": "ack", "timestamp": self._unacked.pop(0)})

    def frame(self, timeout: float = PATIENCE) -> VideoFrame:
        end = time.monotonic() + timeout
        while (frame := self.read(max(0.01, end - time.monotonic()))) is None:
            pass
        return frame

    def picture(self, is_right: Callable[[Any], bool] = lambda image: True) -> Any:
        """Decode on until a picture is right; as an image."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            frame = self.frame()
            if self._decoder is None:
                assert frame.is_key
                self._decoder = av.CodecContext.create(frame.kind, "r")
            for picture in self._decoder.decode(av.Packet(frame.data)):
                image = picture.to_image()
                if is_right(image):
                    return image
        raise AssertionError("the right picture never came")

    def sees(self, x: int, y: int, colour: tuple[int, int, int]) -> None:
        self.picture(lambda image: is_near(image.getpixel((x, y)), colour))


def is_near(pixel: tuple[int, ...], colour: tuple[int, int, int]) -> bool:
    return all(abs(a - b) < 40 for a, b in zip(pixel, colour, strict=True))


def streamers(box: RunningBox) -> list[int]:
    """The processes of `box` that make video."""
    return streamers_below(box.process.pid)


def streamers_below(pid: int) -> list[int]:
    return [one for one in _below(pid) if b"belljar.video.program" in _command(one)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _below(pid: int) -> list[int]:
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parent = int(Path(f"/proc/{entry}/stat").read_text().rpartition(") ")[2].split()[1])
            except OSError:
                continue
            if parent == pid:
                found += [int(entry), *_below(int(entry))]
    return found
