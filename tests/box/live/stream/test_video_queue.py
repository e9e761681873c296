"""One viewer's place at a stream of video: nothing that cannot be decoded, and never much that waits."""

from belljar.box.live.outbox import as_bytes
from belljar.box.live.stream import Frame, FrameKind, VideoQueue
from belljar.box.live.stream.pace import Rendition
from belljar.box.live.stream.video_queue import MAX_UNACKED, MAX_WAITING


def piece(number: int, *, is_key: bool = False, kind: FrameKind = FrameKind.H264) -> Frame:
    return Frame(1280, 720, 1, float(number), raw=b"video", kind=kind, is_key=is_key)


class Place(VideoQueue):
    """Counts how often a key frame was asked for."""

    def __init__(self) -> None:
        self.keys = 0
        super().__init__(lambda: None, self._count, Rendition.FULL)

    def _count(self) -> None:
        self.keys += 1

    def sends(self) -> list[float]:
        """What goes out now."""
        stamps = []
        while self.is_ready and (frame := self.take()) is not None:
            self.sending(frame)
            self.sent(frame, 0.001)
            stamps.append(frame.timestamp)
        return stamps


def test_it_begins_with_a_key_frame_and_keeps_the_order() -> None:
    place = Place()
    place.put(piece(1))
    assert (place.sends(), place.dropped) == ([], 1)
    for number in range(2, 6):
        place.put(piece(number, is_key=number == 2))
    assert place.sends() == [2, 3, 4, 5]


def test_who_does_not_keep_up_goes_on_with_the_next_key_frame() -> None:
    place = Place()
    place.put(piece(0, is_key=True))
    for number in range(1, MAX_WAITING + 5):
        place.put(piece(number))
    # Nothing of what waited is sent late, and nothing that builds on it.
    assert (place.sends(), place.dropped) == ([], MAX_WAITING + 5)
    assert place.keys > 0
    place.put(piece(100, is_key=True))
    place.put(piece(101))
    assert place.sends() == [100, 101]


def test_a_viewer_that_acknowledges_is_never_a_second_behind_and_has_no_key_frames_made_meanwhile() -> None:
    place = Place()
    place.put(piece(0, is_key=True))
    assert place.sends() == [0]
    place.acked(0)
    sent = []
    for number in range(1, MAX_UNACKED + MAX_WAITING + 10):
        place.put(piece(number))
        sent += place.sends()
    assert (len(sent), place.keys) == (MAX_UNACKED, 0)
    # Once it says something again, it can be helped.
    place.acked(sent[-1])
    assert (place.sends(), place.keys) == ([], 1)
    place.put(piece(1000, is_key=True))
    assert place.sends() == [1000]


def test_a_decoder_that_failed_gets_a_key_frame() -> None:
    place = Place()
    place.put(piece(0, is_key=True))
    place.put(piece(1))
    place.lost()
    assert place.keys == 1
    place.put(piece(2))
    assert place.sends() == []


def test_frames_say_what_they_are() -> None:
    assert as_bytes(piece(1, is_key=True))[:8] == bytes([2, 2]) + (1280).to_bytes(2) + (720).to_bytes(2) + bytes(
        [0, 100]
    )
    assert as_bytes(piece(2))[:2] == bytes([2, 0])
    assert as_bytes(piece(3, is_key=True, kind=FrameKind.VP8))[:2] == bytes([3, 2])
