"""Proof: whether a record is as it was written, from its chain and its signed heads.

`verify` reads a folder or an exported archive in one pass, whatever is in it, and says what does not fit: an event that
was changed, is missing or stands elsewhere, and up to which event the signatures reach.
"""

import base64
import hashlib
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol, TypeVar

import msgspec

from belljar.record.segments import NO_CHAIN, Header, Place, chained, unchained
from belljar.record.signing import HEADS, KEY, Head, PublicKey, certificate_message, head_message, key_id

# An event is 4 KB of data and its names; a longer line was not written by a box.
_MAX_LINE = 1 << 20
_MAX_FAULTS = 100
_MAX_HEADS = 100_000
_MAX_PICTURE = 64 << 20
# Of an archive: so many files, so much in them unpacked, and so many times what they are packed.
_MAX_FILES = 200_000
_MAX_UNPACKED = 64 << 30
_MAX_RATIO = 400

_SEGMENT = re.compile(r"segment-(\d{12})\.jsonl")
_PICTURE = re.compile(r"pictures/([0-9a-f]{64})\.\w{1,5}")
T = TypeVar("T")

_CHAIN_END = re.compile(rb',"chain":"[0-9a-f]{32}"\}\n')
_CHAIN_END_BYTES = len(b',"chain":""}\n') + 32


class Unreadable(Exception):
    """There is no record to verify; the message is a sentence for people."""


@dataclass(frozen=True)
class Fault:
    """One thing that does not fit; `seq` is the event it was found at, where there is one."""

    what: str
    seq: int | None = None

    def __str__(self) -> str:
        return self.what if self.seq is None else f"event {self.seq}: {self.what}"


@dataclass
class Verdict:
    """What was found.  `signed` is the last event that a good head vouches for, 0 where none does."""

    first: int = 0
    last: int = 0
    signed: int = 0
    chain: str = NO_CHAIN
    faults: list[Fault] = field(default_factory=list)
    # Whose heads they are, and whether whoever asked trusts that key.
    key: PublicKey | None = None
    is_key_trusted: bool = False
    # Bytes of an event that was begun and not finished: of a box that was killed.
    torn: int = 0

    @property
    def is_whole(self) -> bool:
        return not self.faults

    @property
    def unsigned_from(self) -> int | None:
        """The first event that no head vouches for."""
        return max(self.signed + 1, self.first) if self.last > self.signed else None

    def blame(self, what: str, seq: int | None = None) -> None:
        if len(self.faults) < _MAX_FAULTS:
            self.faults.append(Fault(what, seq))


class Files(Protocol):
    """A folder or an archive that holds a record."""

    def names(self) -> Sequence[str]:
        """Of its files, with `/` between folders."""

    def open(self, name: str) -> IO[bytes]: ...


class FolderFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> Sequence[str]:
        found = [path for path in (self._folder, self._folder / "pictures") if path.is_dir()]
        return [
            str(file.relative_to(self._folder))
            for path in found
            for file in path.iterdir()
            if file.is_file() and not file.is_symlink()
        ]

    def open(self, name: str) -> IO[bytes]:
        return (self._folder / name).open("rb")


class ArchiveFiles:
    """An export: its record is in `record/`.  Whoever packed it may have wanted to fill memory, or a day."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        infos = archive.infolist()
        unpacked, packed = sum(one.file_size for one in infos), sum(one.compress_size for one in infos)
        if len(infos) > _MAX_FILES or unpacked > _MAX_UNPACKED or unpacked > _MAX_RATIO * packed + (1 << 20):
            raise Unreadable("The archive unpacks to more than a record can be.")
        names = [one.filename for one in infos]
        if len(set(names)) != len(names):
            raise Unreadable("The archive has a file twice.")
        self._names = [name.removeprefix("record/") for name in names if name.startswith("record/")]

    def names(self) -> Sequence[str]:
        return self._names

    def open(self, name: str) -> IO[bytes]:
        return self._archive.open(f"record/{name}")


@contextmanager
def open_files(path: Path) -> Iterator[Files]:
    """Of a record's folder, of a state folder with one in it, or of an export.  Raises `Unreadable`."""
    if path.is_dir():
        yield FolderFiles(path / "record" if (path / "record").is_dir() else path)
        return
    try:
        with zipfile.ZipFile(path) as archive:
            yield ArchiveFiles(archive)
    except FileNotFoundError:
        raise Unreadable(f"There is no {path}.") from None
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError) as error:
        raise Unreadable(f"{path} is neither a folder nor an archive that can be read: {error}") from error
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror or error}") from error


def verify(files: Files, trusted: Sequence[bytes] = (), known: Mapping[int, str] | None = None) -> Verdict:
    """`trusted` are public keys: of the box itself, or of an installation that has certified it.

    Without any, heads are held against the key that came with them, which shows that they fit and not whose they are.
    `known` are chains by event, kept elsewhere: whoever cut the end off, heads and all, is found by them.
    Blocks, for a second or so per hundred thousand events.  Raises `Unreadable`.
    """
    names = files.names()
    found = sorted((int(match[1]), name) for name in names if (match := _SEGMENT.fullmatch(name)))
    if not found:
        raise Unreadable("There is no segment of a record in it.")
    verdict = Verdict(first=found[0][0])
    heads = _heads(files, names, verdict, trusted)
    for seq, chain in (known or {}).items():
        if seq in heads and heads[seq].chain != chain:
            verdict.blame("changed: its head is not the one that is known elsewhere", seq)
        heads.setdefault(seq, Head(seq, chain, 0, "", ""))
    for index, (first, name) in enumerate(found):
        with files.open(name) as file:
            _verify_segment(file, name, first, heads, verdict, is_first=index == 0, is_last=index == len(found) - 1)
    if missing := [seq for seq in heads if seq > verdict.last]:
        verdict.blame(f"missing: events up to {max(missing)} were signed, and the last one here is {verdict.last}")
    _verify_pictures(files, names, verdict)
    return verdict


def _verify_segment(
    file: IO[bytes],
    name: str,
    first: int,
    heads: dict[int, Head],
    verdict: Verdict,
    *,
    is_first: bool,
    is_last: bool,
) -> None:
    line = file.readline(_MAX_LINE)
    header = _read(Header, line)
    if is_first:
        verdict.last = first - 1
        verdict.chain = NO_CHAIN if first == 1 or header is None else header.previous
    if header is None or header.first != first:
        verdict.blame(f"changed: the beginning of {name} is not that of this segment")
    elif first != verdict.last + 1:
        _blame_place(verdict, first)
    elif header.previous != verdict.chain:
        verdict.blame(f"changed: {name} does not follow what is before it", first)
    else:
        _check_line(line, verdict.chain, verdict, f"changed: the beginning of {name}", None)
    verdict.last, verdict.chain = first - 1, unchained(line)[1]
    while line := file.readline(_MAX_LINE):
        if not line.endswith(b"\n"):
            verdict.torn = len(line)
            if not is_last:
                verdict.blame(f"changed: {name} ends within an event", verdict.last + 1)
            return
        place = _read(Place, line)
        if place is None:
            verdict.blame("changed: this is no event", verdict.last + 1)
            verdict.last += 1
        else:
            if place.seq != verdict.last + 1:
                _blame_place(verdict, place.seq)
            else:
                _check_line(line, verdict.chain, verdict, "changed: it, or what it says of the one before", place.seq)
            verdict.last = place.seq
        # From here on by what it claims: one change is one fault.
        verdict.chain = unchained(line)[1]
        _meet_head(verdict, heads)


def _check_line(line: bytes, chain: str, verdict: Verdict, what: str, seq: int | None) -> None:
    is_formed = _CHAIN_END.fullmatch(line[-_CHAIN_END_BYTES:]) is not None
    if not is_formed or chained(chain, unchained(line)[0])[0] != line:
        verdict.blame(what, seq)


def _blame_place(verdict: Verdict, seq: int) -> None:
    wanted = verdict.last + 1
    if seq > wanted:
        gone = f"event {wanted}" if seq == wanted + 1 else f"events {wanted} to {seq - 1}"
        verdict.blame(f"missing: {gone}, before this one", seq)
    else:
        verdict.blame(f"reordered: it stands where event {wanted} belongs", seq)


def _meet_head(verdict: Verdict, heads: dict[int, Head]) -> None:
    head = heads.get(verdict.last)
    if head is None:
        return
    if head.chain != verdict.chain:
        verdict.blame("changed: what was signed up to here is something else", verdict.last)
    else:
        verdict.signed = verdict.last


def _heads(files: Files, names: Sequence[str], verdict: Verdict, trusted: Sequence[bytes]) -> dict[int, Head]:
    """Those that are good, by the event they vouch for."""
    verdict.key = key = _key(files, names, verdict)
    if HEADS not in names:
        return {}
    public = None if key is None else _trust(key, verdict, trusted)
    if key is None or public is None:
        return {}
    found: dict[int, Head] = {}
    with files.open(HEADS) as file:
        for _ in range(_MAX_HEADS):
            line = file.readline(_MAX_LINE)
            if not line.endswith(b"\n"):
                # The end, or what a killed box had not finished.
                break
            head = _read(Head, line)
            if head is None or head.key != key.id or not _is_signed(public, head):
                verdict.blame(
                    f"changed: a head{'' if head is None else f' of event {head.seq}'} is not signed by the key"
                )
            elif head.seq in found and found[head.seq].chain != head.chain:
                verdict.blame("changed: two heads of this event do not agree", head.seq)
            else:
                found[head.seq] = head
    return found


def _key(files: Files, names: Sequence[str], verdict: Verdict) -> PublicKey | None:
    if KEY not in names:
        return None
    with files.open(KEY) as file:
        key = _read(PublicKey, file.read(_MAX_LINE))
    if key is None or _decoded(key.public_key) is None or key_id(_decoded(key.public_key) or b"") != key.id:
        verdict.blame(f"changed: {KEY} is no public key")
        return None
    return key


def _trust(key: PublicKey, verdict: Verdict, trusted: Sequence[bytes]) -> bytes | None:
    public = _decoded(key.public_key)
    assert public is not None
    certificate = _decoded(key.certificate or "") or b""
    message = certificate_message(key.box, key.public_key)
    verdict.is_key_trusted = public in trusted or any(is_good(one, certificate, message) for one in trusted)
    if trusted and not verdict.is_key_trusted:
        verdict.blame(f"the key {key.id} is neither one that is trusted nor certified by one")
        return None
    return public


def _is_signed(public: bytes, head: Head) -> bool:
    signature = _decoded(head.signature)
    return signature is not None and is_good(public, signature, head_message(head.seq, head.chain, head.t))


def is_good(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether Ed25519's signature is right."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _verify_pictures(files: Files, names: Sequence[str], verdict: Verdict) -> None:
    """Each is named after what is in it, and events name it so."""
    for name in names:
        if match := _PICTURE.fullmatch(name):
            with files.open(name) as file:
                content = file.read(_MAX_PICTURE)
            if hashlib.sha256(content).hexdigest() != match[1]:
                verdict.blame(f"changed: {name}")


def read_public_key(text: str) -> bytes:
    """In base64, or in the JSON that `belljar events key` prints.  Raises ValueError."""
    found = _read(PublicKey, text.encode())
    key = _decoded(text.strip() if found is None else found.public_key)
    if key is None or len(key) != 32:
        raise ValueError("not the 32 bytes of an Ed25519 key in base64")
    return key


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None


def _read(kind: type[T], line: bytes) -> T | None:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
