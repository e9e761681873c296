"""The ring of a film's last minutes: what is kept, how it is joined, on a full disk too, and what a killed box left."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import av
import pytest

from belljar.record import film_ring
from belljar.record.film_ring import RingWriter

SECONDS = 30


def film(folder: Path, seconds: int, keep: float, noise: int = 0) -> RingWriter:
    """A film of one frame a tenth of a second, with a key frame every second, into a ring."""
    writer = RingWriter(str(folder), keep)
    with av.open(writer, "w", format="mp4", options={"movflags": "frag_keyframe+empty_moov+default_base_moof"}) as out:
        stream = out.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 64, "yuv420p"
        stream.codec_context.options = {"g": "10", "bf": "0", "sc_threshold": "0", "preset": "ultrafast", "crf": "1"}
        for n in range(seconds * 10):
            frame = av.VideoFrame(64, 64, "yuv420p")
            for plane in frame.planes:
                plane.update(os.urandom(plane.buffer_size) if noise else bytes([n % 256]) * plane.buffer_size)
            frame.pts = n
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return writer


def lasts(path: Path) -> tuple[float, int]:
    with av.open(str(path), "r") as opened:
        times = [frame.time for frame in opened.decode(video=0) if frame.time is not None]
    assert times[0] == 0
    return times[-1], len(times)


def test_the_last_seconds_are_kept_and_no_more(tmp_path: Path) -> None:
    writer = film(tmp_path / "ring", SECONDS, keep=5)
    pieces = sorted((tmp_path / "ring").glob("piece-*.m4s"))
    assert len(pieces) == 6 and writer.bytes == sum(piece.stat().st_size for piece in pieces)
    joined = film_ring.join(tmp_path / "ring", tmp_path / "film.mp4")
    assert joined is not None and (joined.began, round(joined.ended, 3)) == (SECONDS - 6, SECONDS)
    last, count = lasts(tmp_path / "film.mp4")
    assert (round(last, 3), count) == (5.9, 60)
    assert (tmp_path / "film.mp4").stat().st_mode & 0o777 == 0o600


def test_it_is_bounded_in_bytes_too(tmp_path: Path) -> None:
    writer = RingWriter(str(tmp_path / "ring"), 1000, max_bytes=100)
    writer._timescale = 1000
    for n in range(50):
        writer._add(n, b"x" * 40)
    assert writer.bytes == 80 and len(list((tmp_path / "ring").glob("piece-*.m4s"))) == 2


def test_what_a_killed_box_left_becomes_a_film_with_its_time(tmp_path: Path) -> None:
    film(tmp_path / "ring", SECONDS, keep=5)
    (tmp_path / "rec_4.mp4").touch()
    film_ring.note(tmp_path / "ring", {"fps": 10, "first_frame": {"t": 1_000_000_000, "mono": 5}})
    # Half of something, and something that is not ours.
    (tmp_path / "ring" / "piece-00000000000000999999.part").write_bytes(b"half")
    assert film_ring.recover(tmp_path) == "rec_5"
    assert lasts(tmp_path / "rec_5.mp4")[1] == 60
    note = json.loads((tmp_path / "rec_5.json").read_text())
    assert note["first_frame"] == {
        "t": 1_000_000_000 + (SECONDS - 6) * 1_000_000,
        "mono": 5 + (SECONDS - 6) * 1_000_000,
    }
    assert (note["number"], note["status"], note["duration_ms"]) == (5, "failed", 6000)
    assert not (tmp_path / "ring").exists() and film_ring.recover(tmp_path) is None


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("needs to mount a small disk")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(tmp_path)], check=True, timeout=20)
    try:
        yield tmp_path
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True, timeout=20)


def test_on_a_full_disk_the_oldest_is_given_up_for_the_rest(small_disk: Path) -> None:
    film(small_disk / "ring", 5, keep=60, noise=1)
    ring = sum(piece.stat().st_size for piece in (small_disk / "ring").glob("piece-*.m4s"))
    # Less than another copy of the ring needs.
    with (small_disk / "filler").open("wb") as filler:
        free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize
        filler.write(bytes(max(0, free - ring // 2)))
    joined = film_ring.join(small_disk / "ring", small_disk / "film.mp4")
    assert joined is not None and joined.began > 0 and round(joined.ended, 3) == 5
    assert 5 <= lasts(small_disk / "film.mp4")[1] < 50


def test_a_ring_that_cannot_be_written_says_so_and_joins_to_nothing(small_disk: Path) -> None:
    with (small_disk / "filler").open("wb") as filler:
        filler.write(bytes(os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize - 8192))
    with pytest.raises(OSError):
        film(small_disk / "ring", 5, keep=60, noise=1)
    joined = film_ring.join(small_disk / "ring", small_disk / "film.mp4")
    assert joined is None or joined.ended <= 5
