"""What a caller is told when the disk says no."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from belljar.box.files.places import Place
from belljar.problems import InvalidRequest, StreamError
from belljar.problems.files import DiskFull, PathDenied

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
