"""Files of the box that a page is to be given: found from outside, opened by the browser inside."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from belljar.beneath import acting_as, open_beneath
from belljar.box.files.files import Files
from belljar.box.files.places import Place
from belljar.problems import InvalidRequest
from belljar.problems.browser import UploadFileNotFound
from belljar.problems.files import PathDenied


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
