"""The socket of a box, in a folder that the box may write: it is what we connect to, and nothing that it points at.

A link there would lead us, with all our rights, to any other socket of the host; the engine's own is one.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def connectable(path: str) -> Iterator[str]:
    """A short name of the socket at `path`, good for as long as the block.  Raises OSError where there is none."""
    descriptor = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
            raise ConnectionRefusedError("what is there is no socket")
        yield f"/proc/self/fd/{descriptor}"
    finally:
        os.close(descriptor)
