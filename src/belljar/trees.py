"""Whole folders that untrusted programs have filled: removed and measured however deep, wide or wrong they are."""

import os
import secrets
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatch

from belljar.beneath import NotRegular, folder_beneath, open_beneath, open_regular, opened_folder

# A program that keeps filling what is being emptied must not keep us for ever.
MOST_ROUNDS = 100_000
MOST_DEPTH = 512
# Names have at most 255 bytes, paths 4096.
STEPS_AT_ONCE = 15


class TooDeep(OSError):
    """Folders within folders beyond any use; nobody but somebody hostile makes them."""


def remove_tree(parent: int, name: str) -> None:
    """Remove the entry `name` of the folder `parent`, with all below.  Blocks.  Raises OSError for what stays.

    Folders found are moved up to the top before they are entered: a tree of any depth takes two descriptors and no
    recursion.
    """
    try:
        os.unlink(name, dir_fd=parent)
        return
    except FileNotFoundError:
        return
    except (IsADirectoryError, PermissionError):
        if not stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
            raise
    _open_up(parent, name)
    with folder_beneath(parent, name) as top:
        _empty(top)
    os.rmdir(name, dir_fd=parent)


def remove_folder(path: str | os.PathLike[str]) -> None:
    """As `remove_tree`, for a path that only we can have made; what cannot be removed stays."""
    parent, name = os.path.split(os.path.abspath(path))
    with suppress(OSError), opened_folder(parent) as descriptor:
        remove_tree(descriptor, name)


def size_of_tree(top: int) -> int:
    """Bytes on the disk of everything below the folder `top`.  Blocks.  Raises `TooDeep`.

    What comes and goes meanwhile may or may not be counted.
    """
    return sum(entry.about.st_blocks * 512 for entry in walk(top))


def copy_tree(source: int, target: int, skip: Sequence[str] = ()) -> None:
    """Copy files, folders and links below `source` into the empty folder `target`, but names like those in `skip`.

    Blocks.  Raises `TooDeep`, and OSError where the target does not take it.
    """
    for entry in walk(source, skip):
        with _folder(target, entry.steps) as folder, suppress(FileNotFoundError):
            if stat.S_ISDIR(entry.about.st_mode):
                os.mkdir(entry.name, 0o700, dir_fd=folder)
            elif stat.S_ISLNK(entry.about.st_mode):
                os.symlink(os.readlink(entry.name, dir_fd=entry.folder), entry.name, dir_fd=folder)
            elif stat.S_ISREG(entry.about.st_mode):
                _copy_file(entry, folder)


def give_tree(top: int, uid: int, gid: int) -> None:
    """Make everything below `top` that user's.  Blocks.  Raises `TooDeep`."""
    for entry in walk(top):
        with suppress(FileNotFoundError):
            os.chown(entry.name, uid, gid, dir_fd=entry.folder, follow_symlinks=False)


@dataclass(frozen=True)
class Entry:
    """`folder` is open until the next entry is asked for."""

    folder: int
    steps: tuple[str, ...]
    name: str
    about: os.stat_result


def walk(top: int, skip: Sequence[str] = ()) -> Iterator[Entry]:
    """Everything below the folder `top`, each folder before what is in it; links are not followed."""
    waiting: list[tuple[str, ...]] = [()]
    while waiting:
        steps = waiting.pop()
        if len(steps) > MOST_DEPTH:
            raise TooDeep("the folders are nested too deeply")
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError), _folder(top, steps) as folder:
            for name in os.listdir(folder):
                if any(fnmatch(name, pattern) for pattern in skip):
                    continue
                with suppress(FileNotFoundError):
                    about = os.stat(name, dir_fd=folder, follow_symlinks=False)
                    if stat.S_ISDIR(about.st_mode):
                        waiting.append((*steps, name))
                    yield Entry(folder, steps, name, about)


@contextmanager
def _folder(top: int, steps: tuple[str, ...]) -> Iterator[int]:
    """In pieces that are no longer than the system takes at once."""
    current = os.dup(top)
    try:
        for first in range(0, len(steps), STEPS_AT_ONCE):
            below = open_beneath(current, "/".join(steps[first : first + STEPS_AT_ONCE]), os.O_RDONLY | os.O_DIRECTORY)
            os.close(current)
            current = below
        yield current
    finally:
        os.close(current)


def _copy_file(entry: Entry, folder: int) -> None:
    with suppress(NotRegular), open_regular(entry.folder, entry.name) as old:
        mode = entry.about.st_mode & 0o777 | 0o600
        with os.fdopen(open_beneath(folder, entry.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as new:
            shutil.copyfileobj(old, new, 1 << 20)


def _empty(top: int) -> None:
    for _ in range(MOST_ROUNDS):
        folders = _remove_files(top)
        if not folders:
            return
        for name in folders:
            _open_up(top, name)
            with folder_beneath(top, name) as folder:
                for inner in _remove_files(folder):
                    _open_up(folder, inner)
                    os.rename(inner, secrets.token_hex(12), src_dir_fd=folder, dst_dir_fd=top)
            os.rmdir(name, dir_fd=top)


def _remove_files(folder: int) -> list[str]:
    """Remove all but the folders, whose names are returned."""
    folders = []
    with os.scandir(folder) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
            else:
                with suppress(FileNotFoundError):
                    os.unlink(entry.name, dir_fd=folder)
    return folders


def _open_up(parent: int, name: str) -> None:
    """A folder that its owner has closed to himself is opened again; to be emptied and moved it must be."""
    # Python has no fchmodat without following links: a descriptor that is a folder, named by the kernel, is none.
    with suppress(OSError):
        descriptor = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
        try:
            os.chmod(f"/proc/self/fd/{descriptor}", 0o700)
        finally:
            os.close(descriptor)
