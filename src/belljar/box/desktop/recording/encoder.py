"""The encoder: a program of its own that turns shared frames into a film.  Imports little of ours.

Run as `python -I encoder.py`, with one end of a socket as descriptor 3.  Each message is a JSON object.  To it:

    {"do": "start", "path", "width", "height", "fps", "rate", "slots"}
                                                                 `rate` is ticks a second; with the frames' memory as a
                                                                 passed descriptor, where there are to be frames;
                                                                 with "ring": {"seconds"} `path` is a folder, which
                                                                 keeps the last of them
    {"do": "frame", "slot", "tick", "x", "y", "key"}             pixels are in `slot`; the pointer is at x, y; `key`
                                                                 where what was written last was encoded elsewhere
    {"do": "packets", "slot", "packets": [[bytes, seconds, is_key]]}
                                                                 H.264 that was encoded elsewhere, as `Stream` would, is
                                                                 in a passed descriptor, one after another
    {"do": "picture", "slot", "tick", "bytes"}                   a JPEG is in a passed descriptor
    {"do": "cursor", "width", "height", "hot_x", "hot_y"}        with its pixels in a passed descriptor
    {"do": "ping"}                                               to be answered
    {"do": "stop", "chapters": [{"ms", "title"}]}                chapters begin so long after the first frame
    {"do": "index", "path", "ms", "chapters"}                    give a film of fragments, so long, its index

From it: {"is": "pong"}, {"is": "free", "slot", "bytes"}, {"is": "stopped", "bytes", "duration"}, {"is": "indexed"},
{"is": "failed", "reason", …}.

While it runs the file is a fragmented MP4, written out every second, so that whatever kills us leaves a film that
plays.  When it is stopped the same packets are put into an ordinary MP4 with its index in front.
"""

import errno
import json
import os
import socket
import sys
from fractions import Fraction
from typing import Any

import av

from belljar.record.film_ring import RingWriter
from belljar.video.cursor import Cursor
from belljar.video.encoding import CLOCK, Area, Format, Slots, Stream
from belljar.video.rates import full_bits

# Every second a fragment is complete and written out.
FRAGMENT_MICROSECONDS = 1_000_000
MESSAGE_BYTES = 65536
# A film can be entered so often, in seconds, where it is encoded here.
KEY_SECONDS = 2
# Nothing is scaled; the cheapest way of choosing pixels halves the time of the colour conversion.
SCALER = "POINT"


class Film:
    """One recording being made."""

    def __init__(self, wanted: dict[str, Any], memory: int | None) -> None:
        self.path: str = wanted["path"]
        self.width, self.height, self.fps = wanted["width"], wanted["height"], wanted["fps"]
        self.rate: int = wanted["rate"]
        self.cursor: Cursor | None = None
        self.last_ticks = -1
        self._last_key = 0
        self._slots: Slots | None = None
        if memory is not None:
            self._slots = Slots(memory, self.width, self.height, wanted["slots"])
            os.close(memory)
        self._area = Area(0, 0, self.width, self.height)
        # Video in 4:2:0 has even sides: an odd screen gets a black line more.
        self._coded = self.width + self.width % 2, self.height + self.height % 2
        self._encoder = Stream(Format("h264", *self._coded, self.fps, full_bits(*self._coded)))
        options = {
            # The head comes with the first fragment: it is made of what the first frame says of itself.
            "movflags": "frag_keyframe+empty_moov+delay_moov+default_base_moof",
            "flush_packets": "1",
        }
        ring = wanted.get("ring")
        self._ring = None if ring is None else RingWriter(self.path, ring["seconds"])
        if ring is None:
            # In a ring each fragment begins with a picture of its own.
            options["frag_duration"] = str(FRAGMENT_MICROSECONDS)
        self._file: Any = av.open(self._ring or self.path, "w", format="mp4", options=options)
        self._stream: Any = None
        self._scaler = av.video.reformatter.VideoReformatter()

    @property
    def seconds(self) -> float:
        """How long it is."""
        return (self.last_ticks + CLOCK // self.rate) / CLOCK if self.last_ticks >= 0 else 0.0

    def add(self, slot: int, tick: int, at: tuple[int, int], *, is_key: bool) -> None:
        assert self._slots is not None
        (picture,) = self._slots.pictures(slot, self.cursor, at, [self._area]).values()
        self._encode(self._fitted(picture), tick, is_key=is_key)

    def add_picture(self, jpeg: bytes, tick: int) -> None:
        """One that cannot be read is left out: the film goes on with the next."""
        try:
            (frame,) = av.CodecContext.create("mjpeg", "r").decode(av.Packet(jpeg))
        except (ValueError, av.FFmpegError):
            return
        self._encode(self._fitted(frame), tick)

    def add_packet(self, data: bytes, seconds: float, *, is_key: bool) -> None:
        """Each needs those before it, so none is left out."""
        self._mux(data, max(self.last_ticks + 1, round(seconds * CLOCK)), is_key=is_key)

    def _encode(self, frame: Any, tick: int, *, is_key: bool = False) -> None:
        ticks = tick * CLOCK // self.rate
        if ticks <= self.last_ticks:
            return
        is_due = ticks - self._last_key >= KEY_SECONDS * CLOCK
        data, is_key = self._encoder.encode(frame, ticks, is_key=is_key or is_due)
        self._mux(data, ticks, is_key=is_key)

    def _mux(self, data: bytes, ticks: int, *, is_key: bool) -> None:
        if self._stream is None:
            self._stream = self._file.add_mux_stream("h264", rate=self.fps, width=self._coded[0], height=self._coded[1])
            self._stream.time_base = Fraction(1, CLOCK)
        packet = av.Packet(data)
        packet.stream, packet.time_base = self._stream, Fraction(1, CLOCK)
        packet.pts = packet.dts = ticks
        packet.duration = CLOCK // self.rate
        packet.is_keyframe = is_key
        self._file.mux(packet)
        self.last_ticks = ticks
        if is_key:
            self._last_key = ticks

    def finish(self, chapters: list[dict[str, Any]] | None = None) -> None:
        """Write what is left, and turn the fragments into an ordinary file with chapters."""
        self._file.close()
        self._forget_frames()
        if self._ring is None:
            put_index_in_front(self.path, chapters or [], round(self.seconds * 1000))

    @property
    def bytes(self) -> int:
        return os.path.getsize(self.path) if self._ring is None else self._ring.bytes

    def give_up(self) -> None:
        """Close what can be closed; what is whole on the disk stays."""
        try:
            self._file.close()
        except (OSError, ValueError, av.FFmpegError):
            # The disk is full: closing wanted to write.
            return
        finally:
            self._forget_frames()
            if self._ring is None:
                _cut_to_whole_fragments(self.path)

    def _forget_frames(self) -> None:
        if self._slots is not None:
            self._slots.close()

    def _fitted(self, picture: Any) -> Any:
        """A picture of another size than the film's is made smaller where it must be, and has black around it."""
        width, height = self._coded
        if (picture.width, picture.height, picture.format.name) == (width, height, "yuv420p"):
            return picture
        scale = min(1.0, width / picture.width, height / picture.height)
        size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
        small = self._scaler.reformat(
            picture,
            width=size[0],
            height=size[1],
            format="yuv420p",
            # A JPEG has all of a byte's values, a film fewer.
            dst_color_range="MPEG",
            interpolation=SCALER if scale == 1 else "BILINEAR",
        )
        if size == (width, height):
            return small
        whole = av.VideoFrame(width, height, "yuv420p")
        # Colour is kept for blocks of two by two.
        left, top = (width - size[0]) // 4 * 2, (height - size[1]) // 4 * 2
        for number, (source, target) in enumerate(zip(small.planes, whole.planes, strict=True)):
            half = 2 if number else 1
            black = b"\x80" if number else b"\x10"
            pixels = memoryview(target).cast("B")
            pixels[:] = black * len(pixels)
            row = -(-size[0] // half)
            rows = memoryview(source).cast("B")
            for y in range(-(-size[1] // half)):
                begin = (y + top // half) * target.line_size + left // half
                pixels[begin : begin + row] = rows[y * source.line_size : y * source.line_size + row]
        return whole


def put_index_in_front(path: str, chapters: list[dict[str, Any]], length: int) -> None:
    """Turn fragments into an ordinary file, `length` milliseconds long."""
    whole = f"{path}.whole"
    try:
        with (
            av.open(path) as source,
            av.open(whole, "w", format="mp4", options={"movflags": "faststart"}) as out,
        ):
            film = source.streams.video[0]
            stream: Any = out.add_stream_from_template(film)
            out.set_chapters(_chapters(chapters, length))
            for packet in source.demux(film):
                if packet.dts is not None:
                    packet.stream = stream
                    out.mux(packet)
        os.replace(whole, path)
    except OSError:
        # No room for a second copy: the fragments play as well.
        if os.path.exists(whole):
            os.unlink(whole)


def _chapters(given: list[dict[str, Any]], end: int) -> list[Any]:
    """As the container wants them: the first begins with the film, each ends where the next begins."""
    if not given:
        return []
    begins = sorted((min(one["ms"], end), one["title"]) for one in given)
    if begins[0][0] > 0:
        begins.insert(0, (0, "Start"))
    ends = [start for start, _ in begins[1:]] + [end]
    common = {"time_base": Fraction(1, 1000)}
    return [
        common | {"id": id, "start": start, "end": stop, "metadata": {"title": title}}
        for id, ((start, title), stop) in enumerate(zip(begins, ends, strict=True))
    ]


class Encoder:
    """Does as it is told until the other end closes."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._film: Film | None = None

    def run(self) -> None:
        while True:
            data, descriptors, _, _ = socket.recv_fds(self._link, MESSAGE_BYTES, 1)
            if not data:
                if self._film is not None:
                    self._film.finish()
                return
            self._take(json.loads(data), descriptors)

    def _take(self, message: dict[str, Any], descriptors: list[int]) -> None:
        try:
            match message["do"]:
                case "ping":
                    self._say({"is": "pong"})
                case "start":
                    self._film = Film(message, descriptors[0] if descriptors else None)
                case "frame" if self._film is not None:
                    at = message["x"], message["y"]
                    self._film.add(message["slot"], message["tick"], at, is_key=message["key"])
                    self._say({"is": "free", "slot": message["slot"], "bytes": self._bytes()})
                case "packets" if self._film is not None:
                    data = _read_all(descriptors[0], sum(size for size, _, _ in message["packets"]))
                    for size, seconds, is_key in message["packets"]:
                        packet, data = data[:size], data[size:]
                        self._film.add_packet(packet, seconds, is_key=is_key)
                    self._say({"is": "free", "slot": message["slot"], "bytes": self._bytes()})
                case "picture" if self._film is not None:
                    self._film.add_picture(_read_all(descriptors[0], message["bytes"]), message["tick"])
                    self._say({"is": "free", "slot": message["slot"], "bytes": self._bytes()})
                case "cursor" if self._film is not None:
                    self._film.cursor = _read_cursor(message, descriptors[0])
                case "stop" if self._film is not None:
                    film, self._film = self._film, None
                    film.finish(message["chapters"])
                    self._say({"is": "stopped", "bytes": film.bytes, "duration": film.seconds})
                case "index":
                    put_index_in_front(message["path"], message["chapters"], message["ms"])
                    self._say({"is": "indexed"})
        except (OSError, ValueError, av.FFmpegError) as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        film, self._film = self._film, None
        if film is not None:
            film.give_up()
        is_full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        reason = "the disk is full" if is_full else "the film could not be written"
        self._say({"is": "failed", "reason": reason, "duration": film.seconds if film else 0})

    def _bytes(self) -> int:
        return self._film.bytes if self._film is not None else 0

    def _say(self, message: dict[str, object]) -> None:
        try:
            self._link.send(json.dumps(message).encode())
        except OSError:
            # The other end has gone; the next read tells.
            return


def _cut_to_whole_fragments(path: str) -> None:
    """Half a fragment at the end keeps some players from opening the file at all."""
    size = os.path.getsize(path)
    with open(path, "r+b") as file:
        place = whole = 0
        while place + 8 <= size:
            file.seek(place)
            head = file.read(8)
            length = int.from_bytes(head[:4], "big")
            if length < 8 or place + length > size:
                break
            place += length
            # A fragment is two boxes: its index, and what that is of.
            if head[4:] != b"moof":
                whole = place
        if 0 < whole < size:
            file.truncate(whole)


def _read_cursor(message: dict[str, Any], descriptor: int) -> Cursor:
    pixels = _read_all(descriptor, message["width"] * message["height"] * 4)
    return Cursor(message["width"], message["height"], (message["hot_x"], message["hot_y"]), pixels)


def _read_all(descriptor: int, size: int) -> bytes:
    data = os.pread(descriptor, size, 0)
    os.close(descriptor)
    return data


if __name__ == "__main__":
    # What a film shows is for nobody else on this host.
    os.umask(0o077)
    Encoder(socket.socket(fileno=3)).run()
    sys.exit(0)
