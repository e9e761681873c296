"""Files of the box as callers use them.  Everything here blocks on the disk: call it from a thread.

The folders are the programs', which may swap anything for a link at any moment: so every step goes by descriptor, and
with the rights of the box's user, not ours.
"""

import errno
import os
import secrets
import shutil
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from belljar.box.files.places import Place, Places, places
from belljar.box.sandbox.folders import Folders
from belljar.box.sandbox.jail.bubblewrap import Bind
from belljar.problems import InvalidRequest, StreamError
from belljar.problems.box import DiskFull, PathDenied
from belljar.problems.browser import UploadFileNotFound
from belljar.safe_files import (
    NotRegular,
    acting_as,
    folder_beneath,
    make_folders_beneath,
    open_beneath,
    open_regular,
    remove_tree,
    rename_beneath,
)
from belljar.wire.files import FsEntry, FsEntryType, FsStat

_FULL = (errno.ENOSPC, errno.EDQUOT)
_REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def told(place: Place) -> Iterator[None]:
    """Inside this block the system's errors are problems about `place`, in the words of the reference."""
    try:
        yield
    except FileNotFoundError as error:
        raise InvalidRequest(f"path not found: {place.path}", reason="not_found") from error
    except NotADirectoryError as error:
        raise InvalidRequest(f"path is not a directory: {place.path}", reason="not_a_directory") from error
    except OSError as error:
        raise _problem(error.errno or errno.EIO, place) from error


def _problem(number: int, place: Place) -> Exception:
    if number == errno.ELOOP:
        return PathDenied(f"A symbolic link is on the way, and links are not followed: {place.path}.")
    if number in _FULL:
        return DiskFull()
    if number in _REFUSED:
        return PathDenied(f"The box itself may not do this: {place.path}.")
    if number in (errno.ENAMETOOLONG, errno.EINVAL):
        return InvalidRequest(f"{os.strerror(number).lower()}: {place.path}", reason="invalid")
    return StreamError(f"stream error: {os.strerror(number)} (os error {number})")


MOST_ENTRIES = 100_000


class Files:
    """`is_full` tells that a limit was passed which the disk itself does not hold."""

    def __init__(self, places: Places, is_full: Callable[[], bool]) -> None:
        self._places = places
        self._is_full = is_full

    def find(self, path: str | None) -> Place:
        """What a caller's path names; nothing is looked at yet."""
        return self._places.find(path or "")

    def candidates(self, path: str) -> list[Place]:
        """As `find`; a relative path may begin in any folder, the home first."""
        return self._places.candidates(path)

    def stat(self, place: Place) -> FsStat:
        with told(place), acting_as(place.root.user):
            return FsStat(path=place.path, **_about(_look(place)))

    def list(self, place: Place) -> list[FsEntry]:
        """By name; of a folder with very many, the first that the system tells."""
        with told(place), acting_as(place.root.user):
            if not stat.S_ISDIR(_look(place).st_mode):
                raise InvalidRequest(f"path is not a directory: {place.path}", reason="not_a_directory")
            with folder_beneath(place.root.descriptor, place.below) as folder, os.scandir(folder) as entries:
                return sorted(_entries(place, entries), key=lambda entry: entry.name)

    def open(self, place: Place) -> IO[bytes]:
        with told(place), acting_as(place.root.user):
            try:
                return open_regular(place.root.descriptor, place.below)
            except NotRegular:
                raise InvalidRequest(f"path is not a file: {place.path}", reason="not_a_file") from None

    def make_folder(self, place: Place) -> None:
        """With all folders on the way; one that is there already is fine."""
        self._check_space()
        with told(place), acting_as(place.root.user):
            _check_writable(place)
            make_folders_beneath(place.root.descriptor, place.below)

    def delete(self, place: Place, *, is_recursive: bool = False) -> None:
        with told(place), acting_as(place.root.user):
            _check_entry(place)
            found = _look(place)
            with folder_beneath(place.root.descriptor, place.parent) as folder:
                if is_recursive:
                    remove_tree(folder, place.name)
                elif stat.S_ISDIR(found.st_mode):
                    os.rmdir(place.name, dir_fd=folder)
                else:
                    os.unlink(place.name, dir_fd=folder)

    def move(self, source: Place, target: Place, *, overwrite: bool = False) -> None:
        """Folders on the way are made.  Between folders of different owners or file systems only files can be moved."""
        _check_entry(source)
        _check_entry(target)
        with told(source), acting_as(source.root.user):
            is_folder = stat.S_ISDIR(_look(source).st_mode)
        with told(target), acting_as(target.root.user):
            make_folders_beneath(target.root.descriptor, target.parent)
            self._make_room(target, overwrite=overwrite, is_folder=is_folder)
        if source.root.user != target.root.user or not self._renamed(source, target, overwrite=overwrite):
            self._carry(source, target)

    def _make_room(self, target: Place, *, overwrite: bool, is_folder: bool) -> None:
        try:
            found = _look(target)
        except FileNotFoundError:
            return
        if not overwrite:
            raise _taken(target)
        if is_folder or stat.S_ISDIR(found.st_mode):
            with folder_beneath(target.root.descriptor, target.parent) as folder:
                remove_tree(folder, target.name)

    def _renamed(self, source: Place, target: Place, *, overwrite: bool) -> bool:
        """False where the two lie on different file systems."""
        with (
            told(source),
            acting_as(source.root.user),
            folder_beneath(source.root.descriptor, source.parent) as old,
            folder_beneath(target.root.descriptor, target.parent) as new,
        ):
            try:
                rename_beneath(old, source.name, new, target.name, replaces=overwrite)
            except FileExistsError:
                raise _taken(target) from None
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                return False
        return True

    def _carry(self, source: Place, target: Place) -> None:
        with self.open(source) as file:
            with self.written(target, mode=os.fstat(file.fileno()).st_mode & 0o777) as copy, told(target):
                shutil.copyfileobj(file, copy, 1 << 20)
        self.delete(source)

    @contextmanager
    def written(self, place: Place, mode: int | None = None) -> Iterator[IO[bytes]]:
        """A file to write; in its place, all at once, when the block ends well, and gone without a trace otherwise."""
        self._check_space()
        draft = f".belljar-{secrets.token_hex(8)}"
        with told(place):
            with acting_as(place.root.user):
                _check_entry(place)
                mode = _mode_to_keep(place) if mode is None else mode
                make_folders_beneath(place.root.descriptor, place.parent)
                folder = open_beneath(place.root.descriptor, place.parent, os.O_RDONLY | os.O_DIRECTORY)
                try:
                    descriptor = open_beneath(folder, draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                except BaseException:
                    os.close(folder)
                    raise
        try:
            with os.fdopen(descriptor, "wb") as file:
                yield file
                with told(place):
                    file.flush()
                    os.fchmod(descriptor, mode)
            with told(place), acting_as(place.root.user):
                rename_beneath(folder, draft, folder, place.name, replaces=True)
        except BaseException:
            with suppress(OSError), acting_as(place.root.user):
                os.unlink(draft, dir_fd=folder)
            raise
        finally:
            os.close(folder)

    def _check_space(self) -> None:
        if self._is_full():
            raise DiskFull()


@contextmanager
def open_files(
    folders: Folders, binds: Sequence[Bind], *, is_jailed: bool, is_full: Callable[[], bool]
) -> Iterator[Files]:
    with places(folders, binds, is_jailed=is_jailed) as found:
        yield Files(found, is_full)


def _look(place: Place) -> os.stat_result:
    """Of the thing itself, a link included."""
    if not place.below:
        return os.fstat(place.root.descriptor)
    try:
        with folder_beneath(place.root.descriptor, place.parent) as folder:
            return os.stat(place.name, dir_fd=folder, follow_symlinks=False)
    except NotADirectoryError:
        raise FileNotFoundError(place.path) from None


def _entries(place: Place, entries: "os._ScandirIterator[str]") -> Iterator[FsEntry]:
    for count, entry in enumerate(entries):
        if count >= MOST_ENTRIES:
            return
        with suppress(FileNotFoundError):
            # Names need not be UTF-8; answers must be.
            name = os.fsencode(entry.name).decode("utf-8", "replace")
            yield FsEntry(name=name, path=place.inner(name).path, **_about(entry.stat(follow_symlinks=False)))


def _about(found: os.stat_result) -> dict[str, object]:
    kind = FsEntryType.DIRECTORY if stat.S_ISDIR(found.st_mode) else FsEntryType.FILE
    modified = datetime.fromtimestamp(found.st_mtime, UTC).isoformat().replace("+00:00", "Z")
    return {"entry_type": kind, "size": found.st_size, "modified": modified}


def _mode_to_keep(place: Place) -> int:
    """A file that is replaced keeps its permissions, without set-uid; raises `InvalidRequest` for a folder."""
    try:
        found = _look(place)
    except FileNotFoundError:
        return 0o644
    if stat.S_ISDIR(found.st_mode):
        raise InvalidRequest(f"path is not a file: {place.path}", reason="not_a_file")
    return found.st_mode & 0o777 if stat.S_ISREG(found.st_mode) else 0o644


def _check_writable(place: Place) -> None:
    if place.root.is_read_only:
        raise PathDenied(f"This folder is shared for reading only: {place.root.names[0]}.")


def _check_entry(place: Place) -> None:
    """For what is made, moved or removed: one of the box's folders itself is not."""
    _check_writable(place)
    if not place.below:
        raise PathDenied(f"This folder itself stays where it is: {place.path}.")


def _taken(target: Place) -> InvalidRequest:
    return InvalidRequest(f"destination already exists: {target.path}", reason="exists")


def find_files(files: Files, paths: Sequence[str]) -> list[Path]:
    """These files and folders as programs in the box see them; relative ones in any of its folders.  Blocks.

    Raises `UploadFileNotFound` for all others, whether they exist or not.
    """
    return [_find(files, path) for path in paths]


def _find(files: Files, path: str) -> Path:
    try:
        candidates = files.candidates(path)
    except (InvalidRequest, PathDenied) as error:
        raise UploadFileNotFound(path) from error
    for place in candidates:
        if _can_be_given(place):
            return Path(place.path)
    raise UploadFileNotFound(path)


def _can_be_given(place: Place) -> bool:
    try:
        with acting_as(place.root.user):
            descriptor = open_beneath(place.root.descriptor, place.below, os.O_PATH)
    except OSError:
        return False
    mode = os.fstat(descriptor).st_mode
    os.close(descriptor)
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)
