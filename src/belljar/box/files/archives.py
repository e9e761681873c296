"""Unpacks a tar archive into one of the box's folders."""

import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from typing import IO

from belljar.box.files.files import Files, told
from belljar.box.files.places import Place, clean_relative
from belljar.problems import InvalidRequest, StreamError
from belljar.safe_files import acting_as, folder_beneath, make_folders_beneath

# Paths that an answer names.
MOST_NAMED = 1024
MOST_MEMBERS = 100_000


def unpack(files: Files, archive: IO[bytes], target: Place) -> tuple[list[str], bool]:
    """Unpack below `target`, replacing what is there.  Blocks.  Returns what was unpacked, and whether that was cut.

    Names are checked before anything is written; owners, devices and set-uid bits of the archive do not count.
    """
    try:
        with tarfile.open(fileobj=archive, mode="r:") as tar:
            members = [(member, clean_relative(member.name)) for member in _checked(tar)]
            files.make_folder(target)
            done = []
            for member, below in members:
                if below:
                    _unpack_one(files, tar, member, target.inner(below), target)
                    done.append(target.inner(below).path)
    except (tarfile.TarError, EOFError, UnicodeError) as error:
        raise StreamError("stream error: the body is no tar archive that can be read") from error
    return done[:MOST_NAMED], len(done) > MOST_NAMED


def _checked(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    for count, member in enumerate(tar):
        if count >= MOST_MEMBERS:
            raise InvalidRequest(f"the archive has more than {MOST_MEMBERS} entries")
        is_plain = member.isreg() and not member.issparse()
        if not (is_plain or member.isdir() or member.issym() or member.islnk()):
            raise InvalidRequest(f"only files, directories and links can be unpacked: {member.name}")
        if "\0" in member.name:
            raise InvalidRequest("a path must not contain NUL")
        yield member


def _unpack_one(files: Files, tar: tarfile.TarFile, member: tarfile.TarInfo, place: Place, top: Place) -> None:
    if member.isdir():
        files.make_folder(place)
    elif member.issym():
        _link(place, member.linkname)
    elif member.islnk():
        # Copied: a second name for one file would tie together what callers take for two.
        with files.open(top.inner(clean_relative(member.linkname))) as source:
            _write(files, source, place, member.mode)
    else:
        content = tar.extractfile(member)
        assert content is not None
        _write(files, content, place, member.mode)


def _write(files: Files, content: IO[bytes], place: Place, mode: int) -> None:
    with files.written(place, mode=mode & 0o777 | 0o600) as file, told(place):
        shutil.copyfileobj(content, file, 1 << 20)


def _link(place: Place, leads_to: str) -> None:
    """A symbolic link means something to the box's programs alone: nobody outside follows it."""
    with told(place), acting_as(place.root.user):
        make_folders_beneath(place.root.descriptor, place.parent)
        with folder_beneath(place.root.descriptor, place.parent) as folder:
            with suppress(FileNotFoundError):
                os.unlink(place.name, dir_fd=folder)
            os.symlink(leads_to, place.name, dir_fd=folder)
