"""What boxes leave may be hostile, and so may the store: neither harms a control plane, or keeps others' from it."""

import os
import resource
import tarfile
from collections.abc import AsyncIterator, Iterator
from io import BytesIO
from pathlib import Path

import msgspec
import pytest

from belljar.plane.boxes.artifacts.object_store import PIECE, ObjectStore
from belljar.plane.boxes.artifacts.record_copies import RecordCopies
from belljar.plane.boxes.artifacts.stored_boxes import StoredBoxes
from belljar.problems.plane import ArtifactsUnavailable
from belljar.safe_files import remove_folder
from tests.plane.object_store import BUCKET, ENVIRONMENT, RunningStore, running_store
from tests.plane.test_full_disk import MIB, fill_up, small_disk

BOX = "b-1"
SEGMENT = "segment-000000000001.jsonl"
# An endless answer, for all that a reader should care.
_ENDLESS = 1 << 40


@pytest.fixture
def store() -> Iterator[RunningStore]:
    with running_store() as running:
        yield running


@pytest.fixture
def objects(store: RunningStore, monkeypatch: pytest.MonkeyPatch) -> ObjectStore:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    return ObjectStore(f"s3://{BUCKET}/left", store.url, None)


@pytest.fixture
def stored(objects: ObjectStore) -> StoredBoxes:
    return StoredBoxes(objects, "inst")


async def only(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def put_archive(objects: ObjectStore, archive: bytes, **about: object) -> None:
    """As if we had packed it, with what its inventory says of it."""
    await objects.put(f"inst/boxes/{BOX}/record.tar", only(archive), len(archive))
    told = msgspec.json.encode({"files": {"record.tar": {"bytes": len(archive), "writtenAt": 1.0, **about}}})
    await objects.put(f"inst/ended/{BOX}", only(told), len(told))


@pytest.fixture
def hostile_box(tmp_path: Path) -> Iterator[Path]:
    """A folder that a program could leave which had a box to itself."""
    secret = tmp_path / "secret"
    secret.write_bytes(b"of the host")
    (record := tmp_path / BOX / "record").mkdir(parents=True)
    (record / SEGMENT).write_bytes(b"{}\n")
    # Names that no archive has room for, or that nobody of ours gave.
    (record / ("n" * 250)).write_bytes(b"x")
    (record / os.fsdecode(b"\xff\xfe")).write_bytes(b"x")
    (record / "new\nline").write_bytes(b"x")
    (record / "link.jsonl").symlink_to(secret)
    os.mkfifo(record / "pipe")
    # Terabytes on no disk at all, and times that no archive has room for.
    with (record / "sparse.jsonl").open("wb") as sparse:
        sparse.truncate(1 << 42)
    for name, seconds in (("old.jsonl", -5), ("late.jsonl", 1 << 34)):
        (record / name).write_bytes(b"x")
        os.utime(record / name, (seconds, seconds))
    _nest(record, 3000)
    (tmp_path / BOX / "recordings").symlink_to(tmp_path)
    (tmp_path / "rec_1.mp4").write_bytes(b"not a film of this box")
    (tmp_path / BOX / "log").symlink_to(secret)
    yield tmp_path / BOX
    # Deeper than pytest itself can remove.
    remove_folder(tmp_path / BOX)


def _nest(folder: Path, depth: int) -> None:
    """Deeper than any path is long."""
    at = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("dd", dir_fd=at)
        below = os.open("dd", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def files_below(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file() or path.is_symlink())


async def test_what_something_hostile_left_in_a_box_is_left_out(
    stored: StoredBoxes, hostile_box: Path, tmp_path: Path
) -> None:
    assert await stored.put(hostile_box) < PIECE
    inventory = await stored.find(BOX)
    assert inventory is not None and list(inventory.files) == ["record.tar"]
    packed = b"".join([piece async for piece in stored.read(BOX, "record.tar")])
    with tarfile.open(fileobj=BytesIO(packed)) as archive:
        assert sorted(archive.getnames()) == ["late.jsonl", "old.jsonl", SEGMENT]
    copies = RecordCopies(tmp_path / "fetched", stored)
    async with copies.reading(BOX, inventory, films=False) as copy:
        assert names_in(copy.folder) == ["late.jsonl", "old.jsonl", SEGMENT]
    copies.close()


@pytest.mark.parametrize(
    "inventory",
    [
        b'{"files": {"recordings/rec_1.mp4": {"bytes": -1, "writtenAt": 1}}}',
        b'{"files": {"recordings/rec_1.mp4": {"bytes": 1e300, "writtenAt": 1}}}',
        b'{"files": {"recordings/rec_1.mp4": {"bytes": 1, "writtenAt": 1e300}}}',
        b'{"files": {"recordings/rec_1.mp4": {"bytes": 9' + b"9" * 4000 + b', "writtenAt": 1}}}',
        b"[" * 100_000,
        b"\xff",
    ],
)
async def test_an_inventory_that_says_what_cannot_be_is_none(
    stored: StoredBoxes, objects: ObjectStore, inventory: bytes
) -> None:
    await objects.put(f"inst/ended/{BOX}", only(inventory), len(inventory))
    with pytest.raises(ArtifactsUnavailable, match="inventory of b-1"):
        await stored.find(BOX)


def _packed(name: str, kind: bytes = tarfile.REGTYPE, size: int = 1, link: str = "") -> bytes:
    member = tarfile.TarInfo(name)
    member.type, member.size, member.linkname = kind, size, link
    return member.tobuf(tarfile.GNU_FORMAT) + b"x".ljust(512, b"\0") + bytes(1024)


def _sparse() -> bytes:
    """One byte, said to be a terabyte."""
    content = BytesIO()
    with tarfile.open(fileobj=content, mode="w", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo(SEGMENT)
        member.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(1 << 40)}
        member.size = 512
        archive.addfile(member, BytesIO(b"1\n0\n1\n".ljust(512, b"\0")))
    return content.getvalue()


@pytest.mark.parametrize(
    "archive",
    [
        _packed("../outside"),
        _packed("/tmp/outside"),
        _packed("pictures/../../outside"),
        _packed("link", tarfile.SYMTYPE, 0, "/etc"),
        _packed("link", tarfile.LNKTYPE, 0, "/etc/passwd"),
        _packed("device", tarfile.CHRTYPE, 0),
        _packed("long", tarfile.GNUTYPE_LONGNAME, 1 << 40),
        _packed(SEGMENT, size=-1),
        _packed(SEGMENT, size=1 << 40),
        _packed(SEGMENT)[:700],
        _packed(SEGMENT)[:1024],
        2 * _packed(SEGMENT)[:1024] + bytes(1024),
        _sparse(),
        b"no archive" * 100,
        b"",
    ],
    ids=lambda archive: f"{len(archive)} bytes",
)
async def test_an_archive_that_is_not_ours_is_not_unpacked(
    stored: StoredBoxes, objects: ObjectStore, tmp_path: Path, archive: bytes
) -> None:
    await put_archive(objects, archive)
    inventory = await stored.find(BOX)
    assert inventory is not None
    copies = RecordCopies(tmp_path / "fetched", stored)
    with pytest.raises(ArtifactsUnavailable):
        async with copies.reading(BOX, inventory, films=False):
            pytest.fail("it was read")
    # Neither there nor anywhere else.
    assert files_below(tmp_path) == []
    copies.close()


async def test_a_store_that_sends_without_end_is_not_listened_to(stored: StoredBoxes, store: RunningStore) -> None:
    def sending() -> Iterator[bytes]:
        for _ in range(_ENDLESS // PIECE):
            yield bytes(PIECE)

    store.lie, store.lie_length = sending, _ENDLESS
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ArtifactsUnavailable, match="more than"):
        await stored.find(BOX)
    with pytest.raises(ArtifactsUnavailable, match="more than"):
        async for _ in ObjectStore(f"s3://{BUCKET}/left", store.url, None).read("a", 0, 100):
            pytest.fail("it was believed")
    # In KiB; the store is in this process, too.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200 << 10


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk to fill")
async def test_a_disk_that_fills_up_while_a_record_is_copied_is_told_and_left_as_it_was(
    stored: StoredBoxes, store: RunningStore, objects: ObjectStore
) -> None:
    archive = _packed(SEGMENT)
    await put_archive(objects, archive)
    inventory = await stored.find(BOX)
    assert inventory is not None
    with small_disk("tmpfs", 264 * MIB) as disk:

        def filling() -> list[bytes]:
            fill_up(disk)
            return [archive]

        copies = RecordCopies(disk / "fetched", stored)
        store.lie, store.lie_length = filling, len(archive)
        with pytest.raises(ArtifactsUnavailable, match="cannot be copied"):
            async with copies.reading(BOX, inventory, films=False):
                pytest.fail("it was read")
        assert files_below(disk) == ["filler"]
        with pytest.raises(ArtifactsUnavailable, match="no room"):
            async with copies.reading(BOX, inventory, films=False):
                pytest.fail("it was read")
        store.lie = None
        (disk / "filler").unlink()
        async with copies.reading(BOX, inventory, films=False) as copy:
            assert (copy.folder / SEGMENT).read_bytes() == b"x"
        copies.close()
