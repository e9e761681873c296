"""Opening what untrusted programs can write, without being led away: never over a link, never out of a folder."""

import ctypes
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Protocol

# The same number on every architecture.
_OPENAT2 = 437
_NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x02, 0x04, 0x08
_RENAME_NOREPLACE = 1

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
