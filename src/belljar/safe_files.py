"""Files and folders that untrusted programs can write: opened without being led away, removed and measured."""

import ctypes
import errno
import os
import secrets
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import IO, Protocol

# The same number on every architecture.
_OPENAT2 = 437
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08
_RENAME_NOREPLACE = 1
# AT_FDCWD
_FROM_HERE = -100
# A link on the way, a file on the way, a socket at the end.
_NOT_THERE = (errno.ELOOP, errno.ENOTDIR, errno.ENOENT, errno.ENXIO)

_libc = ctypes.CDLL(None, use_errno=True)


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


class Owner(Protocol):
    """A user of the system."""

    @property
    def uid(self) -> int: ...
    @property
    def gid(self) -> int: ...


class NotRegular(OSError):
    """Something is there, but no regular file."""


def open_beneath(top: int, path: str, flags: int, mode: int = 0) -> int:
    """`openat2`: a descriptor for what lies at `path` below the folder `top`.  Raises OSError.

    ELOOP where a symbolic link is on the way, EXDEV where the path would leave the folder.
    """
    how = _How(flags | os.O_CLOEXEC | os.O_NOFOLLOW, mode, _BENEATH | _NO_SYMLINKS | _NO_MAGICLINKS)
    descriptor: int = _libc.syscall(_OPENAT2, top, os.fsencode(path or "."), ctypes.byref(how), ctypes.sizeof(how))
    if descriptor < 0:
        raise _os_error()
    return descriptor


@contextmanager
def folder_beneath(top: int, path: str) -> Iterator[int]:
    """A folder below `top` by descriptor, for as long as the block."""
    descriptor = open_beneath(top, path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def opened_folder(path: str | os.PathLike[str]) -> Iterator[int]:
    """A folder that only we can have put there, as the top for the others here."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def open_regular(top: int, path: str) -> IO[bytes]:
    """A regular file for reading.  Raises OSError; a pipe or device is not waited for."""
    descriptor = open_beneath(top, path, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotRegular(path)
    return os.fdopen(descriptor, "rb")


def open_plain(path: str | os.PathLike[str]) -> IO[bytes]:
    """A regular file for reading, where no step of its path is a link; what is anything else counts as not there.

    For folders that somebody else may write: resolve the path of what is above them, and nothing below.
    """
    how = _How(os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC, 0, _NO_SYMLINKS | _NO_MAGICLINKS)
    name = os.fsencode(path)
    descriptor: int = _libc.syscall(_OPENAT2, _FROM_HERE, name, ctypes.byref(how), ctypes.sizeof(how))
    if descriptor < 0:
        error = _os_error()
        raise FileNotFoundError(path) if error.errno in _NOT_THERE else error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FileNotFoundError(path)
    return os.fdopen(descriptor, "rb")


def make_folders_beneath(top: int, path: str) -> None:
    """Make `path` below `top` with all folders on the way; one that is there already is fine."""
    current = os.dup(top)
    try:
        for name in filter(None, path.split("/")):
            with suppress(FileExistsError):
                os.mkdir(name, 0o755, dir_fd=current)
            below = open_beneath(current, name, os.O_RDONLY | os.O_DIRECTORY)
            os.close(current)
            current = below
    finally:
        os.close(current)


def rename_beneath(source: int, old: str, target: int, new: str, *, replaces: bool) -> None:
    """Move the entry `old` of a folder to `new` in another.  FileExistsError where it would replace and must not."""
    flags = 0 if replaces else _RENAME_NOREPLACE
    if _libc.renameat2(source, os.fsencode(old), target, os.fsencode(new), flags):
        raise _os_error()


def move_out(top: int, path: str, target: int, name: str) -> None:
    """Move the file or folder at `path` below `top` to `name` in another folder, and nothing of what is no such thing.

    Raises FileNotFoundError where there is none, and `NotRegular` for a link or anything else.
    """
    parent, last = os.path.split(path)
    try:
        with folder_beneath(top, parent) as folder:
            if not _is_plain(os.stat(last, dir_fd=folder, follow_symlinks=False)):
                raise NotRegular(path)
            rename_beneath(folder, last, target, name, replaces=True)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise NotRegular(path) from error
        raise


def remove_odd_files(top: int) -> None:
    """Everything below `top` that is neither a regular file nor a folder.  Blocks.  Raises `TooDeep`."""
    for entry in walk(top):
        if not _is_plain(entry.about):
            with suppress(FileNotFoundError):
                os.unlink(entry.name, dir_fd=entry.folder)


def _is_plain(about: os.stat_result) -> bool:
    return stat.S_ISREG(about.st_mode) or stat.S_ISDIR(about.st_mode)


@contextmanager
def acting_as(user: Owner | None) -> Iterator[None]:
    """In this thread and block, files are reached with that user's rights alone, and what is made is theirs.

    Only the file system's view of us changes (`setfsuid`): nobody gains the right to signal or trace this process.
    Must not be held over an await.
    """
    if user is None or os.geteuid() != 0:
        yield
        return
    _libc.setfsgid(user.gid)
    _libc.setfsuid(user.uid)
    try:
        # It never fails aloud: asking for nobody tells who we are.
        if _libc.setfsuid(-1) != user.uid:
            raise PermissionError("the file system's user could not be changed")
        yield
    finally:
        _libc.setfsuid(os.geteuid())
        _libc.setfsgid(os.getegid())


def _os_error() -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))


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
