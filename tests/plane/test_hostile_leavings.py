"""A box that got out of its jail, and fills its own folders to lead the control plane, which is root, elsewhere."""

import os
import socket
import struct
import threading
import tracemalloc
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from belljar.plane.boxes.launchers.artifacts import Artifacts
from belljar.plane.boxes.launchers.base import Address
from belljar.plane.boxes.launchers.lent_profiles import LentProfiles
from belljar.plane.boxes.upstream import Upstream, UpstreamError
from belljar.plane.gateway.forward_socket import open_socket
from belljar.plane.routes.artifacts import MOST_LOG, last_lines
from belljar.problems import NotFound
from belljar.record import film_ring
from belljar.record.export import RecordSource, export
from belljar.record.pictures import picture_response
from belljar.record.segments import Reader
from belljar.wire.record import ExportFormat

SECRET = b"what only root may read"
PICTURE = "0" * 64


@pytest.fixture
def hosts(tmp_path: Path) -> Path:
    """A folder of the host's with a secret under every name that could be asked for, and another tenant's record."""
    folder = tmp_path / "host"
    (folder / "pictures").mkdir(parents=True)
    for name in ("rec_1.mp4", "heads.jsonl", f"pictures/{PICTURE}.jpg"):
        (folder / name).write_bytes(SECRET)
    (folder / "segment-000000000001.jsonl").write_bytes(b'{"segment":1}\n{"seq":1,"t":1,"kind":"mark","name":"x"}\n')
    return folder


@pytest.fixture
def box(tmp_path: Path) -> Path:
    folder = tmp_path / "boxes/b-1"
    (folder / "state/desktop").mkdir(parents=True)
    return folder


@pytest.fixture
def artifacts(tmp_path: Path, box: Path) -> Artifacts:
    return Artifacts(tmp_path / "boxes", tmp_path / "kept")


async def everything(artifacts: Artifacts) -> bytes:
    """All that can be had of the box by any way of asking."""
    said = b""
    for film in await artifacts.recordings("b-1"):
        said += film.id.encode()
    async for piece in artifacts.recording("b-1", "rec_1", 0, 1000):
        said += piece
    async with artifacts.record("b-1") as found:
        if found is not None:
            said += b"".join(Reader(found.folder).lines())
            for format in (ExportFormat.ZIP, ExportFormat.JSONL):
                said += b"".join(export(RecordSource(found.folder, tuple(found.films)), format).pieces)
            try:
                said += bytes((await picture_response(found.folder, PICTURE)).body)
            except NotFound:
                pass
    return said


def link_folders(box: Path, hosts: Path) -> None:
    (box / "state/desktop/recordings").symlink_to(hosts)
    (box / "state/record").symlink_to(hosts)


def link_the_way(box: Path, hosts: Path) -> None:
    hosts.rename(hosts.with_name("recordings"))
    (box / "state/desktop").rmdir()
    (box / "state/desktop").symlink_to(hosts.parent)


def link_files(box: Path, hosts: Path) -> None:
    for folder in (box / "state/desktop/recordings", box / "state/record"):
        (folder / "pictures").mkdir(parents=True)
        for file in hosts.rglob("*.*"):
            (folder / file.relative_to(hosts)).symlink_to(file)
    os.mkfifo(box / "state/record/segment-000000000002.jsonl")


@pytest.mark.parametrize("links", [link_folders, link_the_way, link_files])
async def test_links_lead_nowhere_while_it_runs_and_after(
    artifacts: Artifacts, box: Path, hosts: Path, links: Callable[[Path, Path], None]
) -> None:
    links(box, hosts)
    for _ in ("while it runs", "after"):
        said = await everything(artifacts)
        assert SECRET not in said and b'"mark"' not in said
        artifacts.keep(box)
    # Nothing of the host's was moved or changed.
    moved = box.parent.parent / ("recordings" if links is link_the_way else "host")
    assert (moved / "rec_1.mp4").read_bytes() == SECRET


async def test_what_is_really_there_is_kept(artifacts: Artifacts, box: Path) -> None:
    (box / "log").write_text("words\n")
    (box / "state/desktop/recordings").mkdir()
    (box / "state/desktop/recordings/rec_1.mp4").write_bytes(b"a film")
    (box / "state/record").mkdir()
    (box / "state/record/segment-000000000001.jsonl").write_bytes(b'{"segment":1}\n{"seq":1,"t":1}\n')
    for _ in ("while it runs", "after"):
        said = await everything(artifacts)
        assert said.startswith(b"rec_1a film") and b'{"seq":1,"t":1}' in said
        artifacts.keep(box)
    assert not (box / "log").exists()


def test_a_profile_that_became_a_link_does_not_come_back(tmp_path: Path, box: Path, hosts: Path) -> None:
    profiles = LentProfiles(box.parent, tmp_path / "profiles")
    (tmp_path / "profiles/p-1").mkdir(parents=True)
    profiles.lend(box, "p-1", read_only=False)
    place = box / "state/browser-contexts"
    (place / "p-1").rmdir()
    (place / "p-1").symlink_to(hosts)
    profiles.take_back(box)
    (place / "p-1").unlink()
    place.rmdir()
    (hosts / "p-1").mkdir()
    place.symlink_to(hosts)
    profiles.take_back(box)
    assert list((tmp_path / "profiles").iterdir()) == [] and (hosts / "p-1").is_dir()


def test_a_ring_that_is_no_film_does_not_keep_a_session_from_ending(artifacts: Artifacts, box: Path) -> None:
    def atom(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", 8 + len(content)) + kind + content

    def init(timescale: int) -> bytes:
        mdhd = atom(b"mdhd", bytes(12) + struct.pack(">I", timescale))
        return atom(b"moov", atom(b"trak", atom(b"mdia", mdhd)))

    endless = atom(b"moof", atom(b"traf", atom(b"trun", b"\0\0\1\0" + b"\xff" * 4)))
    rings = [
        (init(0), endless, b"[]"),
        (init(1), endless, b'{"first_frame": 3}'),
        (init(1), atom(b"moof", atom(b"mfhd", b"")), b"[" * 100_000),
        (b"", b"", b""),
    ]
    for number, (beginning, piece, about) in enumerate(rings):
        ring = box / "state/desktop/recordings" / film_ring.FOLDER
        ring.mkdir(parents=True)
        (ring / "init.mp4").write_bytes(beginning)
        (ring / f"piece-{1:020}.m4s").write_bytes(piece)
        (ring / "film.json").write_bytes(about)
        artifacts.keep(box)
        kept = box.parent.parent / "kept/b-1/recordings"
        assert kept.is_dir() and not (kept / film_ring.FOLDER).exists(), number
        kept.rename(box.parent.parent / f"kept/{number}")


def test_a_ring_with_a_hole_is_not_read_into_memory(artifacts: Artifacts, box: Path) -> None:
    ring = box / "state/desktop/recordings" / film_ring.FOLDER
    ring.mkdir(parents=True)
    for name in ("init.mp4", f"piece-{1:020}.m4s", "film.json"):
        with (ring / name).open("wb") as file:
            file.truncate(1 << 40)
    artifacts.keep(box)
    assert not any((box.parent.parent / "kept/b-1/recordings").glob("rec_*"))


@contextmanager
def the_engine(path: Path) -> Iterator[list[bytes]]:
    """Somebody else's socket, and what came to it."""
    heard: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def answer() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    heard.append(connection.recv(1000))
                    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nkeys")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield heard
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(5)


async def test_a_box_s_socket_that_became_a_link_is_nobody(tmp_path: Path) -> None:
    """The engine's socket is root's, and whoever has a session's token could ask the engine for anything."""
    with the_engine(tmp_path / "engine.sock") as heard:
        (tmp_path / "box.sock").symlink_to(tmp_path / "engine.sock")
        async with Upstream() as upstream:
            assert (await upstream.request(Address(path=str(tmp_path / "engine.sock")), "GET", "/")).body == b"keys"
            heard.clear()
            with pytest.raises(UpstreamError):
                await upstream.request(Address(path=str(tmp_path / "box.sock")), "GET", "/containers/json")
        with pytest.raises(OSError, match="no socket"):
            await open_socket(Address(path=str(tmp_path / "box.sock")), "/v1/live", [], [])
        assert heard == []


@pytest.mark.parametrize(
    ("log", "last"),
    [
        ([], ""),
        ([b"one\ntwo\nthree\n"], "two\nthree\n"),
        ([b"one\ntw", b"o\nthr", b"ee"], "two\nthree"),
        ([b"\n", b"\n", b"\n"], "\n\n"),
        ([b"one"], "one"),
    ],
)
async def test_a_logs_last_lines_are_found_however_it_comes(log: list[bytes], last: str) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for piece in log:
            yield piece

    assert await last_lines(pieces(), 2) == last


async def test_a_log_of_one_endless_line_is_not_read_into_memory() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"begin\n"
        for _ in range(200):
            yield b"x" * (1 << 20)
        yield b"end\n"

    tracemalloc.start()
    try:
        found = await last_lines(pieces(), 1000)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found) == MOST_LOG and found.endswith("xend\n")
    assert most < 8 * MOST_LOG
