"""What one viewer is sent of what is shown: pictures, or video while it wants that and there can be any."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Literal

from belljar.box.live.active_source import ActiveSource
from belljar.box.live.stream import Frame, FrameKind, Hub, Slot, VideoQueue
from belljar.box.live.stream.pace import Pace, Rendition
from belljar.box.live.video import Video, VideoFormat
from belljar.box.live.video.formats import is_small
from belljar.wire.live import FrameViewport, LiveMode, VideoArea, VideoChanged, VideoWish

BY_PEER: Literal["webrtc"] = "webrtc"
VIDEO_KINDS = (FrameKind.H264, FrameKind.VP8)
# Macroblocks of a picture, up to which each level of H.264 goes, at thirty frames a second.
_LEVELS = ((1620, "1e"), (3600, "1f"), (8192, "28"), (36864, "33"))


def codec_string(kind: FrameKind, width: int, height: int) -> str:
    """What WebCodecs calls it."""
    if kind is FrameKind.VP8:
        return "vp8"
    blocks = -(-width // 16) * -(-height // 16)
    return f"avc1.42e0{next((level for most, level in _LEVELS if blocks <= most), '3c')}"


class Feed:
    """A place at the pictures or at a stream of video, one at a time; none while a WebRTC peer brings what is shown.

    `on_ready` is called whenever it is worth looking at `is_ready` again, `on_video` with what frames come as from
    then on, to a viewer that has asked for video.
    """

    def __init__(
        self,
        hub: Hub,
        video: Video,
        source: ActiveSource,
        on_ready: Callable[[], None],
        on_video: Callable[[VideoChanged], None],
    ) -> None:
        self._hub = hub
        self._video = video
        self._source = source
        self._on_ready = on_ready
        self._on_video = on_video
        self._wanted: tuple[FrameKind, ...] = ()
        self._reason: str | None = None
        # Of what is shown, whichever way that comes.
        self._format: VideoFormat | None = None
        # What the viewer's own peer shows, while it is connected.
        self._peer_format: VideoFormat | None = None
        self._is_by_peer = False
        # Of the last picture that it was sent: where it points is meant on that, whatever there is by now.
        self._picture_size: tuple[int, int] | None = None
        self._told: VideoChanged | None = None
        self._wish = VideoWish(type="video", codecs=[])
        self._fps: int | None = None
        self._dropped_before = 0
        self._total_before = 0
        self._watching: AbstractContextManager[Slot | VideoQueue] = hub.watching(on_ready)
        self._place: Slot | VideoQueue = self._watching.__enter__()

    def close(self) -> None:
        self._watching.__exit__(None, None, None)

    @property
    def place(self) -> Slot | VideoQueue:
        return self._place

    @property
    def is_video(self) -> bool:
        return self._format is not None

    @property
    def dropped(self) -> int:
        return self._dropped_before + self._place.dropped

    @property
    def total(self) -> int:
        """Frames sent."""
        return self._total_before + self._place.meter.total

    @property
    def shown(self) -> tuple[int, int] | None:
        """How large what the viewer sees is, in the unit of its input; None while it has seen nothing."""
        if self._format is not None:
            area = self._video.area(self._format)
            return area.width, area.height
        return self._picture_size

    @property
    def corner(self) -> tuple[int, int]:
        """Where on the display what the viewer sees begins."""
        if self._format is None:
            return 0, 0
        area = self._video.area(self._format)
        return area.x, area.y

    def want(self, wish: VideoWish, *, is_binary: bool) -> None:
        """Video in the first of these codecs that is made here; asked again, it begins anew with a key frame."""
        codecs, self._wish = wish.codecs, wish
        self._wanted = tuple(kind for name in codecs for kind in VIDEO_KINDS if name == kind)
        self._reason = None
        if codecs and not self._wanted and BY_PEER not in codecs:
            self._reason = f"of the codecs asked for none is made here; there are {', '.join(VIDEO_KINDS)}"
        elif self._wanted and not is_binary:
            self._wanted, self._reason = (), "video needs the subprotocol belljar.binary"
        if isinstance(self._place, VideoQueue):
            self._place.lost()
        self._told = self._chosen()
        self._tell_surface()
        self._on_video(self._told)
        if not codecs:
            self._told = None

    def peer_moved(self, shown: VideoFormat | None) -> None:
        """What the viewer's own WebRTC peer shows it; None: nothing."""
        self._peer_format = shown
        self.review()

    def review(self) -> None:
        """Look again at what there can be: something else may be shown now."""
        change = self._chosen()
        if self._told not in (None, change):
            self._told = change
            self._on_video(change)

    def _chosen(self) -> VideoChanged:
        """Go where there is what the viewer wants; what its frames are then."""
        wants_peer = BY_PEER in self._wish.codecs
        if wants_peer and self._peer_format is not None and self._reason_against is None:
            self._move(self._peer_format, by_peer=True)
            return self._told_of(BY_PEER, None, self._peer_format)
        reason = self._reason or (self._reason_against if self._wanted or wants_peer else None)
        if reason is not None or not self._wanted:
            self._move(None)
            return VideoChanged(format="jpeg", reason=reason or ("no peer is connected" if wants_peer else None))
        is_cropped = self._wish.crop == "page" and self._source.mode is LiveMode.BROWSER
        wanted = VideoFormat(self._wanted[0], self._rendition(is_cropped=is_cropped), is_cropped)
        self._move(wanted)
        coded = wanted.coded(self._video.area(wanted))
        codec = codec_string(wanted.kind, coded.width, coded.height)
        return self._told_of("h264" if wanted.kind is FrameKind.H264 else "vp8", codec, wanted)

    def _told_of(
        self, format: Literal["h264", "vp8", "webrtc"], codec: str | None, wanted: VideoFormat
    ) -> VideoChanged:
        area = self._video.area(wanted)
        is_whole = area == self._video.area(VideoFormat(wanted.kind))
        return VideoChanged(
            format=format,
            codec=codec,
            viewport=FrameViewport(w=area.width, h=area.height, dpr=round(wanted.coded(area).width / area.width, 2)),
            crop=None if is_whole else VideoArea(x=area.x, y=area.y, w=area.width, h=area.height),
        )

    @property
    def _reason_against(self) -> str | None:
        if self._source.mode is LiveMode.NONE:
            return "nothing is running"
        return self._video.reason_against

    def _rendition(self, *, is_cropped: bool) -> Rendition:
        """The smaller one where the viewer does not keep up with the full one, or shows it no larger."""
        surface = self._wish.surface
        if surface is not None:
            area = self._video.area(VideoFormat(FrameKind.H264, is_cropped=is_cropped))
            if is_small(area, (surface.w, surface.h)):
                return Rendition.SMALL
        return self._place.pace.rendition if isinstance(self._place, VideoQueue) else Rendition.FULL

    def _move(self, wanted: VideoFormat | None, *, by_peer: bool = False) -> None:
        if (wanted, by_peer, self._wish.fps) == (self._format, self._is_by_peer, self._fps):
            return
        pace = self._place.pace if isinstance(self._place, VideoQueue) and wanted is not None else Pace()
        self._dropped_before += self._place.dropped
        self._total_before += self._place.meter.total
        self.close()
        self._format, self._is_by_peer, self._fps = wanted, by_peer, self._wish.fps
        self._watching = self._place_for(wanted)
        self._place = self._watching.__enter__()
        if isinstance(self._place, VideoQueue):
            self._place.pace = pace
        self._tell_surface()

    def _tell_surface(self) -> None:
        """Of video a viewer's surface chooses the rendition; pictures are made as large as somebody shows them."""
        surface = self._wish.surface
        if surface is not None and isinstance(self._place, Slot) and not self._is_by_peer:
            self._hub.show_on(self._place, (surface.w, surface.h))

    def _place_for(self, wanted: VideoFormat | None) -> AbstractContextManager[Slot | VideoQueue]:
        if self._is_by_peer:
            # Into which nobody puts anything.
            return nullcontext(Slot(self._on_ready))
        if wanted is None:
            return self._hub.watching(self._on_ready)
        return self._video.watching(wanted, self._on_ready, self._fps)

    # What goes out.

    @property
    def is_ready(self) -> bool:
        return self._place.is_ready

    async def next(self) -> Frame | None:
        place = self._place
        if isinstance(place, VideoQueue):
            if self._format is None or self._rendition(is_cropped=self._format.is_cropped) is not place.rendition:
                self.review()
                return None
            return place.take()
        frame = await self._hub.next_for(place)
        if frame is not None:
            self._picture_size = frame.width, frame.height
        return frame

    def acked(self, timestamp: float) -> None:
        self._place.acked(timestamp)
