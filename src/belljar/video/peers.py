"""WebRTC peers that are sent what was encoded for all: aiortc connects, encrypts and sends, and never encodes.

aiortc is used unforked, by way of what it calls by name: the encoder it would make (`PassOn` takes its place), what a
peer's request for a key frame ends in, the map of header extensions, and the class of ICE connections (`ice.py`).
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiortc.codecs
import aiortc.rtcrtpsender
import aiortc.rtp
from aiortc import (
    MediaStreamTrack,
    RTCConfiguration,
    RTCDataChannel,
    RTCPeerConnection,
    RTCRtpCodecCapability,
    RTCRtpSender,
    RTCSessionDescription,
)
from aiortc.rtcconfiguration import RTCBundlePolicy
from aiortc.rtcrtpparameters import RTCRtpHeaderExtensionParameters

from belljar.limits import Bucket
from belljar.video.ice import Ways, use, without_candidates
from belljar.video.sound import Listening

# Frames that may wait to be sent to one peer.
_MOST_WAITING = 5
# Pieces of sound that may wait, of 20 ms each.
_MOST_SOUND = 10
# How long a peer may take to connect.
CONNECT_SECONDS = 20.0
# Packets of a peer that it may ask for once more: what is sent in the second or so that a report takes.
_HISTORY = 1024
# How often a peer's reports are looked at.
_REPORT_SECONDS = 1.0
# What one peer may send, and ask for: the server has limits of its own, and is kept from having to use them.
_INPUTS_PER_SECOND = 1000
_KEYS_PER_SECOND = 10
# Larger ones are no input of Neko's.
_MOST_MESSAGE = 64
_PLAYOUT_DELAY = "http://www.webrtc.org/experiments/rtp-hdrext/playout-delay"
# Both tracks of a viewer belong to one stream: clients take what comes under one name together.
_STREAM_ID = "stream"

Say = Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Packets:
    """A frame, ready to be sent."""

    payloads: list[bytes]
    ticks: int
    is_key: bool


class PassOn:
    """Where aiortc would encode."""

    target_bitrate = 0

    def pack(self, frame: Packets) -> tuple[list[bytes], int]:
        return frame.payloads, frame.ticks


class Extensions(aiortc.rtp.HeaderExtensionsMap):
    """With the wish that frames be shown at once: a receiver would hold back 20 to 70 ms to smooth the pace."""

    def __init__(self) -> None:
        super().__init__()
        self._playout_delay = 0

    def configure(self, parameters: Any) -> None:
        super().configure(parameters)
        for extension in parameters.headerExtensions:
            if extension.uri == _PLAYOUT_DELAY:
                self._playout_delay = extension.id

    def set(self, values: Any) -> Any:
        profile, packed = super().set(values)
        if not self._playout_delay:
            return profile, packed
        known = aiortc.rtp.unpack_header_extensions(profile, packed)
        return aiortc.rtp.pack_header_extensions([*known, (self._playout_delay, b"\0\0\0")])


def prepare(ways: Ways) -> None:
    """Have aiortc send what others encoded, by these ways; once, before the first peer."""
    use(ways)
    aiortc.rtcrtpsender.RTP_HISTORY_SIZE = _HISTORY
    logging.getLogger("aiortc").setLevel(logging.CRITICAL)
    logging.getLogger("aioice").setLevel(logging.CRITICAL)
    aiortc.rtcrtpsender.get_encoder = lambda codec: PassOn()
    aiortc.rtp.HeaderExtensionsMap = Extensions
    offered = aiortc.codecs.HEADER_EXTENSIONS["video"]
    if all(extension.uri != _PLAYOUT_DELAY for extension in offered):
        offered.append(RTCRtpHeaderExtensionParameters(id=12, uri=_PLAYOUT_DELAY))


class Track(MediaStreamTrack):
    """Frames for one peer, from a key frame on; where it does not keep up, from the next."""

    kind = "video"

    def __init__(self, want_key: Callable[[], None]) -> None:
        super().__init__()
        self._want_key = want_key
        self._frames: deque[Packets] = deque()
        self._came = asyncio.Event()
        self._awaits_key = True

    def put(self, frame: Packets) -> None:
        if frame.is_key:
            self._awaits_key = False
            self._frames.clear()
        elif self._awaits_key or len(self._frames) >= _MOST_WAITING:
            self._frames.clear()
            self._awaits_key = True
            self._want_key()
            return
        self._frames.append(frame)
        self._came.set()

    async def recv(self) -> Any:
        while not self._frames:
            self._came.clear()
            await self._came.wait()
        return self._frames.popleft()


class SoundTrack(MediaStreamTrack):
    """Sound for one peer; of what it has no time for the oldest goes."""

    kind = "audio"

    def __init__(self) -> None:
        super().__init__()
        self._packets: deque[Packets] = deque(maxlen=_MOST_SOUND)
        self._came = asyncio.Event()

    def put(self, packet: Packets) -> None:
        self._packets.append(packet)
        self._came.set()

    async def recv(self) -> Any:
        while not self._packets:
            self._came.clear()
            await self._came.wait()
        return self._packets.popleft()


class Peer:
    def __init__(self, number: int, stream: int, codec: str, sound: str | None, say: Say) -> None:
        self.number = number
        self.stream = stream
        # The stream that it shall be sent instead, from its next key frame on.
        self._next: int | None = None
        self._say = say
        self.is_connected = False
        self._reported_at: object = None
        self._inputs = Bucket(_INPUTS_PER_SECOND, _INPUTS_PER_SECOND)
        self._keys = Bucket(_KEYS_PER_SECOND, _KEYS_PER_SECOND)
        configuration = RTCConfiguration(iceServers=[], bundlePolicy=RTCBundlePolicy.MAX_BUNDLE)
        self._connection = RTCPeerConnection(configuration)
        self.track = Track(self._want_key)
        transceiver = self._connection.addTransceiver(self.track, direction="sendonly")
        transceiver.setCodecPreferences(_preferred(codec))
        transceiver.sender._stream_id = _STREAM_ID
        transceiver.sender._send_keyframe = self._want_key
        self._sender = transceiver.sender
        # What it hears, where it is to hear anything.
        self.sound: SoundTrack | None = None
        if sound is not None:
            self.sound = SoundTrack()
            heard = self._connection.addTransceiver(self.sound, direction="sendonly")
            known = RTCRtpSender.getCapabilities("audio").codecs
            heard.setCodecPreferences([one for one in known if one.mimeType.lower() == f"audio/{sound}"])
            heard.sender._stream_id = _STREAM_ID
        self._channel: RTCDataChannel = self._connection.createDataChannel("data")
        self._channel.on("message", self._heard)
        self._channel.on("open", lambda: self._tell("open"))
        self._connection.on("connectionstatechange", self._moved)

    async def offer(self) -> str:
        await self._connection.setLocalDescription(await self._connection.createOffer())
        sdp: str = self._connection.localDescription.sdp
        return sdp

    async def answer(self, sdp: str) -> None:
        """Raises what aiortc makes of a description that is none."""
        await self._connection.setRemoteDescription(RTCSessionDescription(without_candidates(sdp), "answer"))

    def send(self, data: bytes) -> None:
        if self._channel.readyState == "open" and self._channel.bufferedAmount < 1 << 20:
            self._channel.send(data)

    async def close(self) -> None:
        await self._connection.close()

    def put(self, stream: int, frame: Packets) -> None:
        if stream == self._next and frame.is_key:
            self.stream, self._next = stream, None
            self._tell("switched", stream=stream)
        if stream == self.stream and self.is_connected:
            self.track.put(frame)

    def switch(self, stream: int) -> None:
        self._next = None if stream == self.stream else stream

    async def report(self) -> None:
        """Say how much of what it was sent did not come, and how long the way there and back is, where it told."""
        for one in (await self._sender.getStats()).values():
            if one.type == "remote-inbound-rtp" and one.timestamp != self._reported_at:
                self._reported_at = one.timestamp
                self._tell("report", lost=one.fractionLost / 256, seconds=one.roundTripTime)

    def _heard(self, data: bytes | str) -> None:
        if isinstance(data, bytes) and len(data) <= _MOST_MESSAGE and self._inputs.take():
            self._tell("data", data=data.hex())

    def _moved(self) -> None:
        state = self._connection.connectionState
        if state == "connected":
            self.is_connected = True
            self._tell("connected")
        elif state in ("failed", "closed"):
            self._tell("gone", reason=f"the connection has {state}")

    def _want_key(self) -> None:
        if self._keys.take():
            self._say({"is": "key", "stream": self.stream})

    def _tell(self, what: str, **more: Any) -> None:
        self._say({"is": what, "peer": self.number, **more})


def _preferred(codec: str) -> list[RTCRtpCodecCapability]:
    known = RTCRtpSender.getCapabilities("video").codecs
    wanted = [
        one
        for one in known
        if one.mimeType.lower() == f"video/{codec}"
        # What our encoder makes; the other profile is not constrained.
        and one.parameters.get("profile-level-id") in (None, "42e01f")
    ]
    return wanted + [one for one in known if one.mimeType.lower() == "video/rtx"]


class Peers:
    """All peers of this process, on one event loop."""

    def __init__(self, ways: Ways, say: Say) -> None:
        self._ways = ways
        self._say = say
        self._peers: dict[int, Peer] = {}
        self._sound: Listening | None = None

    def deliver(self, stream: int, frame: Packets) -> None:
        for peer in self._peers.values():
            peer.put(stream, frame)

    def deliver_sound(self, packet: bytes, ticks: int) -> None:
        # Time stamps are 32 bits, and wrap.
        packets = Packets([packet], ticks & 0xFFFFFFFF, is_key=True)
        for peer in self._peers.values():
            if peer.sound is not None and peer.is_connected:
                peer.sound.put(packets)

    def hear(self, sound: Listening) -> None:
        """There is this to be heard from now on; it is listened to while a peer is to hear it."""
        if self._sound is not None:
            self._sound.end()
        self._sound = sound
        self._listen_or_not()

    def _listen_or_not(self) -> None:
        if self._sound is not None:
            self._sound.hear(is_heard=any(peer.sound is not None for peer in self._peers.values()))

    async def open(self, number: int, stream: int, codec: str, sound: str | None, credentials: tuple[str, str]) -> None:
        async with self._or_gone(number):
            # aiortc makes the connection that takes them while the peer is made.
            self._ways.credentials = credentials
            try:
                peer = self._peers[number] = Peer(number, stream, codec, sound, self._say)
            finally:
                self._ways.credentials = None
            self._listen_or_not()
            self._say({"is": "offer", "peer": number, "sdp": await peer.offer()})
            await asyncio.sleep(CONNECT_SECONDS)
            if self._peers.get(number) is peer and not peer.is_connected:
                raise TimeoutError("it did not connect in time")

    async def answer(self, number: int, sdp: str) -> None:
        async with self._or_gone(number):
            if number in self._peers:
                await self._peers[number].answer(sdp)

    @asynccontextmanager
    async def _or_gone(self, number: int) -> AsyncIterator[None]:
        """A peer with which something does not work is closed: its descriptions are a stranger's."""
        try:
            yield
        except Exception as error:  # noqa: BLE001  # whatever those do to a parser
            self._say({"is": "gone", "peer": number, "reason": f"{type(error).__name__}: {error}"[:300]})
            await self.drop(number)

    def switch(self, number: int, stream: int) -> None:
        if (peer := self._peers.get(number)) is not None:
            peer.switch(stream)

    async def report(self) -> None:
        """Until cancelled."""
        while True:
            await asyncio.sleep(_REPORT_SECONDS)
            for peer in [peer for peer in self._peers.values() if peer.is_connected]:
                await peer.report()

    def send(self, number: int, data: bytes) -> None:
        peer = self._peers.get(number)
        if peer is not None:
            peer.send(data)

    async def drop(self, number: int) -> None:
        peer = self._peers.pop(number, None)
        self._listen_or_not()
        if peer is not None:
            await peer.close()
