"""The streamer: turns shared pictures into video, once for all who watch.

Run as `python -I -m belljar.video.program [uid gid]`, with one end of a socket as descriptor 3, and ends with that.
Messages to it are JSON objects:

    {"do": "memory", "width", "height", "slots"}                     with the pictures' memory as a passed descriptor
    {"do": "open", "stream", "codec", "width", "height", "fps", "bits", "area": [x, y, width, height]}
                                                                     `area` of the pictures, coded as width × height
    {"do": "close", "stream"}
    {"do": "frame", "slot", "place", "timestamp", "x", "y", "keys"}  pixels are at `place`, the pointer at x, y; of
                                                                     the streams `keys` it is to be a key frame
    {"do": "cursor", "width", "height", "hot_x", "hot_y"}            with its pixels in a passed descriptor

    {"do": "port", "candidates": [[transport, address, port]...]}    with a bound UDP socket as a passed descriptor, and
                                                                     maybe a TCP one that listens; nothing closes it
    {"do": "relay", "candidates"}                                    with a socket over which its owner relays packets
    {"do": "sound", "codec"}                                         with a pipe of sound as a passed descriptor
    {"do": "peer", "peer", "stream", "codec", "sound", "name", "password"}
                                                                     a WebRTC peer, to be sent that stream, and sound
                                                                     so coded
    {"do": "switch", "peer", "stream"}                               from the next key frame on, that one instead
    {"do": "answer", "peer", "sdp"}, {"do": "drop", "peer"}, {"do": "data", "peer", "data"}

From it come JSON objects: {"is": "ready"} once, {"is": "free", "slot"}, {"is": "failed", "stream", "reason"},
{"is": "key", "stream"}; of peers {"is": "offer", "peer", "sdp"}, "connected", "open" (its data channel),
{"is": "data", "peer", "data"}, {"is": "report", "peer", "lost", "seconds"}, {"is": "switched", "peer", "stream"},
{"is": "gone", "peer", "reason"}.  And encoded frames in pieces: `FIRST` and as much of
the frame as fits, then each time `MORE` and as much again.

It needs no files, no network but the sockets it is given, and no rights, and gives all up once its libraries are
loaded.
"""

import asyncio
import ctypes
import json
import os
import resource
import signal
import socket
import struct
import sys
import threading
from collections.abc import Coroutine
from typing import Any

import av

from belljar.ice import Candidate, OpenPort
from belljar.video.cursor import Cursor
from belljar.video.encoding import CLOCK, Area, Format, Slots, Stream
from belljar.video.ice import Ways
from belljar.video.payloads import payloads_of
from belljar.video.peers import Packets, Peers, prepare
from belljar.video.sound import Listening

# Before a frame's first piece: 1, the stream, whether it is a key frame, bytes of the whole, its time stamp.
FIRST = struct.Struct(">BBBxId")
# Before each further piece.
MORE = b"\x02"
PIECE_BYTES = 60_000
MESSAGE_BYTES = 65536
MEMORY_BYTES = 3 << 30
_CLONE_NEWNET, _CLONE_NEWUSER = 0x40000000, 0x10000000


class Streamer:
    """Does as it is told until the other end closes."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._slots: Slots | None = None
        self._streams: dict[int, Stream] = {}
        self._cursor: Cursor | None = None
        # aiortc's, once there is a port for it; this thread reads and encodes.
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ways = Ways()
        self._peers = Peers(self._ways, self._say)

    def run(self) -> None:
        self._say({"is": "ready"})
        while True:
            data, descriptors, _, _ = socket.recv_fds(self._link, MESSAGE_BYTES, 2)
            if not data:
                return
            try:
                self._take(json.loads(data), descriptors)
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)

    def _take(self, message: dict[str, Any], descriptors: list[int]) -> None:
        match message["do"]:
            case "memory":
                if self._slots is not None:
                    self._slots.close()
                self._slots = Slots(descriptors[0], message["width"], message["height"], message["slots"])
            case "open":
                wanted = Format(*(message[name] for name in ("codec", "width", "height", "fps", "bits")))
                self._open(message["stream"], wanted, Area(*message["area"]))
            case "close":
                self._streams.pop(message["stream"], None)
            case "cursor":
                size = message["width"] * message["height"] * 4
                pixels = os.pread(descriptors[0], size, 0)
                hot = message["hot_x"], message["hot_y"]
                self._cursor = Cursor(message["width"], message["height"], hot, pixels)
            case "frame":
                self._encode(message)
            case "port":
                self._change_port(message["candidates"], descriptors)
            case "relay":
                link = socket.socket(fileno=os.dup(descriptors[0]))
                candidates = [Candidate.read(one) for one in message["candidates"]]
                self._peer_loop.call_soon_threadsafe(self._ways.add_relay, link, candidates)
            case "peer":
                credentials = message["name"], message["password"]
                sound = message["sound"]
                opened = self._peers.open(message["peer"], message["stream"], message["codec"], sound, credentials)
                self._on_loop(opened)
            case "sound" if self._loop is not None:
                self._listen(os.dup(descriptors[0]), message["codec"])
            case "switch" if self._loop is not None:
                self._loop.call_soon_threadsafe(self._peers.switch, message["peer"], message["stream"])
            case "answer":
                self._on_loop(self._peers.answer(message["peer"], message["sdp"]))
            case "drop":
                self._on_loop(self._peers.drop(message["peer"]))
            case "data" if self._loop is not None:
                self._loop.call_soon_threadsafe(self._peers.send, message["peer"], bytes.fromhex(message["data"]))

    def _change_port(self, candidates: list[object], descriptors: list[int]) -> None:
        loop = self._peer_loop
        if not descriptors:
            asyncio.run_coroutine_threadsafe(self._ways.close_own(), loop)
            return
        sockets = [socket.socket(fileno=os.dup(descriptor)) for descriptor in descriptors]
        for one in sockets:
            one.setblocking(False)
        port = OpenPort(sockets[0], sockets[1] if len(sockets) > 1 else None)
        made = [Candidate.read(one) for one in candidates]
        asyncio.run_coroutine_threadsafe(self._ways.open_own(port, made), loop).result(10)

    @property
    def _peer_loop(self) -> asyncio.AbstractEventLoop:
        """Begun when it is first needed."""
        if self._loop is None:
            prepare(self._ways)
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=self._loop.run_forever, name="peers", daemon=True).start()
            asyncio.run_coroutine_threadsafe(self._peers.report(), self._loop)
        return self._loop

    def _listen(self, descriptor: int, codec: str) -> None:
        loop = self._loop
        assert loop is not None

        def deliver(packet: bytes, ticks: int) -> None:
            loop.call_soon_threadsafe(self._peers.deliver_sound, packet, ticks)

        loop.call_soon_threadsafe(self._peers.hear, Listening(descriptor, codec, deliver))

    def _on_loop(self, work: Coroutine[Any, Any, None]) -> None:
        if self._loop is None:
            work.close()
        else:
            asyncio.run_coroutine_threadsafe(work, self._loop)

    def _open(self, number: int, wanted: Format, area: Area) -> None:
        try:
            self._streams[number] = Stream(wanted, area)
        except (ValueError, OSError, av.FFmpegError) as error:
            self._fail(number, error)

    def _encode(self, message: dict[str, Any]) -> None:
        slot, timestamp = message["slot"], message["timestamp"]
        if self._slots is not None and self._streams:
            areas = {stream.area for stream in self._streams.values()}
            at = message["x"], message["y"]
            pictures = self._slots.pictures(message["place"], self._cursor, at, areas)
            # The pictures are copies: the next one may be grabbed while these are encoded.
            self._say({"is": "free", "slot": slot})
            ticks = round(timestamp * CLOCK / 1000)
            for number, stream in list(self._streams.items()):
                try:
                    data, is_key = stream.encode(pictures[stream.area], ticks, is_key=number in message["keys"])
                except (ValueError, OSError, av.FFmpegError) as error:
                    self._fail(number, error)
                    continue
                self._send(number, data, timestamp, is_key=is_key)
                if self._loop is not None:
                    packets = Packets(payloads_of(stream.format.codec, data), ticks, is_key)
                    self._loop.call_soon_threadsafe(self._peers.deliver, number, packets)
        else:
            self._say({"is": "free", "slot": slot})

    def _send(self, number: int, data: bytes, timestamp: float, *, is_key: bool) -> None:
        head = FIRST.pack(1, number, is_key, len(data), timestamp)
        for begin in range(0, max(len(data), 1), PIECE_BYTES):
            self._link.send(head + data[begin : begin + PIECE_BYTES])
            head = MORE

    def _fail(self, number: int, error: Exception) -> None:
        self._streams.pop(number, None)
        self._say({"is": "failed", "stream": number, "reason": f"{type(error).__name__}: {error}"[:300]})

    def _say(self, message: dict[str, Any]) -> None:
        self._link.send(json.dumps(message).encode())


def give_up_rights() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A network namespace of its own, with nothing in it.  Where the host allows none, it just opens no sockets.
    flags = _CLONE_NEWNET if os.geteuid() == 0 else _CLONE_NEWNET | _CLONE_NEWUSER
    ctypes.CDLL(None).unshare(flags)
    if len(sys.argv) == 3 and os.getuid() == 0:
        uid, gid = map(int, sys.argv[1:])
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Loads what encoders need of files, while there are rights to read them.
    for codec in ("h264", "vp8"):
        Stream(Format(codec, 64, 64, 30, 1_000_000))
    give_up_rights()
    with socket.socket(fileno=3) as link:
        try:
            Streamer(link).run()
        except (BrokenPipeError, ConnectionResetError):
            # The server has gone.
            return


if __name__ == "__main__":
    main()
