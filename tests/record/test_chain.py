"""Whatever is done to a record, `verify` finds it; what nobody touched, it does not blame."""

import base64
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from belljar.record.chain import Unreadable, Verdict, open_files, read_public_key, verify
from belljar.record.segments import Actor, Event, Origin, SegmentWriter, chained, segments, unchained
from belljar.record.signing import HEADS, KEY, HeadWriter, SigningKey, _from_cryptography, read_or_make_seed

SEED = bytes(range(32))
NUMBER = 60


def event(number: int) -> Event:
    return Event(
        0, number, number, "call", f"op{number}.begin", Actor("agent", "rest"), f"r{number}", None, {"n": number}
    )


def write(folder: Path, number: int = NUMBER, *, signs_to: int | None = None, seed: bytes = SEED) -> None:
    """Several segments, flushed five events at a time; `signs_to`: killed before the heads after it were written."""
    writer = SegmentWriter(folder, Origin(1, 1), "b-1", segment_bytes=1500)
    heads = HeadWriter(folder, seed, "b-1")
    for first in range(0, number, 5):
        writer.write(event(first + one) for one in range(5))
        if signs_to is None or writer.seq <= signs_to:
            heads(writer.seq, writer.chain)
    writer.close()


def judged(folder: Path, *trusted: bytes) -> Verdict:
    with open_files(folder) as files:
        return verify(files, trusted)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "record")
    return tmp_path / "record"


def lines_of(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def test_what_nobody_touched_is_whole_and_signed_to_its_end(folder: Path) -> None:
    assert len(segments(folder)) > 3
    found = judged(folder)
    assert (found.faults, found.first, found.last, found.signed) == ([], 1, NUMBER, NUMBER)
    assert found.unsigned_from is None
    assert found.key is not None and found.key.box == "b-1"
    assert not found.is_key_trusted
    assert judged(folder, SigningKey(SEED).public_bytes).is_key_trusted


def test_any_flipped_bit_is_found(folder: Path, tmp_path: Path) -> None:
    """Of every file that is proof, as many bits as there is time for; each time from a fresh copy."""
    rng = random.Random(20261117)
    originals = {path: path.read_bytes() for path in folder.iterdir()}
    names = [path for path in originals if path.name != KEY]
    for _ in range(600):
        path = rng.choice(names)
        content = bytearray(originals[path])
        at = rng.randrange(len(content))
        content[at] ^= 1 << rng.randrange(8)
        path.write_bytes(content)
        found = judged(folder)
        is_tail_of_heads = path.name == HEADS and at == len(content) - 1
        if is_tail_of_heads:
            # As when a box is killed while it writes that line: the last head is not there, and that is said.
            assert found.unsigned_from == NUMBER - 4
        else:
            assert found.faults, (path.name, at, bytes(originals[path][at : at + 1]))
        path.write_bytes(originals[path])
    assert judged(folder).is_whole


def test_any_bit_of_the_key_that_is_flipped_is_found_by_who_knows_the_key(folder: Path) -> None:
    original = (folder / KEY).read_bytes()
    for at in range(len(original) - 1):
        for bit in (1, 32):
            content = bytearray(original)
            content[at] ^= bit
            (folder / KEY).write_bytes(content)
            found = judged(folder, SigningKey(SEED).public_bytes)
            assert found.faults or found.is_key_trusted, at


@pytest.mark.parametrize("seed", range(8))
def test_any_line_that_is_dropped_moved_or_repeated_is_found(folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    originals = {one.path: one.path.read_bytes() for one in segments(folder)}

    def drop(lines: list[bytes], at: int) -> list[bytes]:
        return lines[:at] + lines[at + 1 :]

    def swap(lines: list[bytes], at: int) -> list[bytes]:
        other = rng.choice([one for one in range(len(lines)) if one != at])
        lines[at], lines[other] = lines[other], lines[at]
        return lines

    def repeat(lines: list[bytes], at: int) -> list[bytes]:
        return lines[: at + 1] + lines[at:]

    def cut(lines: list[bytes], at: int) -> list[bytes]:
        return lines[:at]

    changes: list[Callable[[list[bytes], int], list[bytes]]] = [drop, swap, repeat, cut]
    for change in changes * 6:
        path = rng.choice(list(originals))
        lines = originals[path].splitlines(keepends=True)
        path.write_bytes(b"".join(change(list(lines), rng.randrange(len(lines)))))
        assert judged(folder).faults, change.__name__
        path.write_bytes(originals[path])


def test_each_fault_is_named_and_placed(folder: Path) -> None:
    second = segments(folder)[1]
    original = second.path.read_bytes()
    lines = lines_of(second.path)

    def found(changed: list[bytes]) -> list[str]:
        second.path.write_bytes(b"".join(changed))
        return [str(fault) for fault in judged(folder).faults]

    seq = second.first + 1
    changed = lines[2].replace(b'"op', b'"oq')
    assert found([*lines[:2], changed, *lines[3:]]) == [f"event {seq}: changed: it, or what it says of the one before"]
    assert found([*lines[:2], *lines[3:]]) == [f"event {seq + 1}: missing: event {seq}, before this one"]
    assert found([*lines[:2], lines[3], lines[2], *lines[4:]]) == [
        f"event {seq + 1}: missing: event {seq}, before this one",
        f"event {seq}: reordered: it stands where event {seq + 2} belongs",
        f"event {seq + 2}: missing: event {seq + 1}, before this one",
    ]
    second.path.write_bytes(original)
    second.path.unlink()
    third = segments(folder)[1]
    assert [str(one) for one in judged(folder).faults] == [
        f"event {third.first}: missing: events {second.first} to {third.first - 1}, before this one"
    ]


def test_who_writes_the_chain_anew_is_found_by_the_heads_and_without_those_nothing_is_signed(folder: Path) -> None:
    chain = ""
    for segment in segments(folder):
        made = []
        for line in lines_of(segment.path):
            body = unchained(line)[0].replace(b'"n":7}', b'"n":8}')
            if chain and b'"previous"' in body:
                body = body.replace(body.split(b'"previous":"')[1][:32], chain.encode())
            whole, chain = chained(chain or "0" * 32, body)
            made.append(whole)
        segment.path.write_bytes(b"".join(made))
    faults = judged(folder).faults
    assert faults and all("what was signed up to here is something else" in one.what for one in faults)
    assert faults[0].seq == 10
    (folder / HEADS).unlink()
    found = judged(folder)
    assert (found.is_whole, found.signed, found.unsigned_from) == (True, 0, 1)


def test_heads_of_another_key_vouch_for_nothing(folder: Path, tmp_path: Path) -> None:
    write(tmp_path / "other", seed=bytes(32))
    shutil.copy(tmp_path / "other" / HEADS, folder / HEADS)
    assert "not signed by the key" in str(judged(folder).faults[0])
    shutil.copy(tmp_path / "other" / KEY, folder / KEY)
    assert judged(folder).is_whole, "it fits, but"
    found = judged(folder, SigningKey(SEED).public_bytes)
    assert "neither one that is trusted" in str(found.faults[0])


def test_an_installation_vouches_for_its_boxes(folder: Path) -> None:
    installation, box = SigningKey(b"i" * 32), SigningKey(SEED)
    (folder / KEY).write_bytes(msgspec.json.encode(installation.certify("b-1", box)))
    assert judged(folder, installation.public_bytes).is_key_trusted
    (folder / KEY).write_bytes(msgspec.json.encode(installation.certify("b-2", box)))
    assert judged(folder, installation.public_bytes).is_key_trusted
    forged = msgspec.structs.replace(installation.certify("b-1", box), box="b-2")
    (folder / KEY).write_bytes(msgspec.json.encode(forged))
    assert not judged(folder, installation.public_bytes).is_key_trusted


def test_of_a_killed_box_it_is_said_from_where_on_nothing_is_signed(tmp_path: Path) -> None:
    write(tmp_path, signs_to=40)
    last = segments(tmp_path)[-1].path
    last.write_bytes(last.read_bytes() + b'{"seq":61,"t":1,"mo')
    found = judged(tmp_path)
    assert (found.faults, found.signed, found.unsigned_from, found.last, found.torn) == ([], 40, 41, 60, 19)
    # And the next life of the box goes on from there.
    write(tmp_path, 5)
    found = judged(tmp_path)
    assert (found.faults, found.last, found.signed, found.torn) == ([], 65, 65, 0)


def test_signed_events_that_were_cut_off_are_missed(folder: Path) -> None:
    last = segments(folder)[-1].path
    lines = lines_of(last)
    last.write_bytes(b"".join(lines[:-1]))
    assert [str(one) for one in judged(folder).faults] == [
        f"missing: events up to {NUMBER} were signed, and the last one here is {NUMBER - 1}"
    ]


def test_what_retention_took_is_no_fault_and_the_beginning_is_said(folder: Path) -> None:
    segments(folder)[0].path.unlink()
    found = judged(folder)
    assert (found.is_whole, found.first, found.last) == (True, segments(folder)[0].first, NUMBER)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n" * 10,
        b"{}\n",
        b"[" * 100_000 + b"\n",
        b'{"segment":1}\n',
        b"\xff\xfe\x00" * 50,
        b'{"seq":99999999999999999999999}\n',
        b"x" * (3 << 20),
    ],
    ids=["empty", "blank", "object", "deep", "half", "binary", "number", "long"],
)
def test_malformed_segments_are_faults_and_nothing_worse(folder: Path, content: bytes) -> None:
    second = segments(folder)[1].path
    second.write_bytes(content)
    assert judged(folder).faults
    header = segments(folder)[0].path.read_bytes().splitlines(keepends=True)[0]
    segments(folder)[0].path.write_bytes(header + content)
    assert judged(folder).faults


def test_a_folder_or_file_without_a_record_is_said_to_be_one(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no segment"):
        judged(tmp_path)
    with pytest.raises(Unreadable, match="There is no"):
        judged(tmp_path / "none")
    (tmp_path / "x.zip").write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(Unreadable, match="neither a folder nor an archive"):
        judged(tmp_path / "x.zip")


def test_an_archive_is_verified_as_its_folder_is(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, f"record/{file.name}")
    found = judged(path)
    assert (found.faults, found.last, found.signed) == ([], NUMBER, NUMBER)


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        with archive.open("record/segment-000000000001.jsonl", "w", force_zip64=True) as file:
            for _ in range(200):
                file.write(bytes(1 << 20))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(Unreadable, match="unpacks to more"):
        judged(path)


def test_an_archive_with_a_file_twice_is_refused(tmp_path: Path) -> None:
    """Which of the two would be read depends on who reads."""
    path = tmp_path / "twice.zip"
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "w") as archive:
        archive.writestr("record/heads.jsonl", "")
        archive.writestr("record/heads.jsonl", "x")
    with pytest.raises(Unreadable, match="twice"):
        judged(path)


def test_a_picture_that_is_not_what_its_name_says_is_found(folder: Path) -> None:
    (folder / "pictures").mkdir()
    (folder / "pictures" / f"{'0' * 64}.jpg").write_bytes(b"another")
    assert "pictures/000" in str(judged(folder).faults[0])


def test_the_interpreters_openssl_signs_as_cryptography_does() -> None:
    for number in range(20):
        seed = random.Random(number).randbytes(32)
        ours, theirs = SigningKey(seed), Ed25519PrivateKey.from_private_bytes(seed)
        assert ours.public_bytes == theirs.public_key().public_bytes_raw()
        assert base64.b64decode(ours.sign(b"message")) == theirs.sign(b"message")
        assert _from_cryptography(seed)[0](b"message") == theirs.sign(b"message")


def test_heads_stay_few_and_the_seed_is_the_owners_alone(tmp_path: Path) -> None:
    seed = read_or_make_seed(tmp_path / "record.key")
    assert read_or_make_seed(tmp_path / "record.key") == seed
    assert (tmp_path / "record.key").stat().st_mode & 0o777 == 0o600
    heads = HeadWriter(tmp_path, seed, "b-1")
    for number in range(3000):
        heads(number, "0" * 32)
    assert (tmp_path / HEADS).stat().st_size < 300_000
    assert (tmp_path / HEADS).stat().st_mode & 0o777 == 0o600
    assert heads.head is not None and heads.head.seq == 2999


@pytest.mark.parametrize("text", ["", "x", "AAAA", "{}", "\u00e9"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"32 bytes|string argument"):
        read_public_key(text)


def test_a_key_is_read_as_it_is_printed() -> None:
    key = SigningKey(SEED)
    assert read_public_key(key.public_key + "\n") == key.public_bytes
    assert read_public_key(msgspec.json.encode(key.certify("b", key)).decode()) == key.public_bytes
