"""Where screenshots go: a folder of this machine, or the workspace of a running box."""

import errno
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

import anyio

from belljar.agent.tool.failure import ToolFailure
from belljar.agent.tool.workspace import WORKSPACE, free_name
from belljar.sdk.aio.box import AsyncBox

_HINT = "Give another out_path, or leave it out."
# It is not the name that is wrong, then.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)
_ROOM_HINT = "Give the workspace room and the right to write, or pass another one with workspace=."


@dataclass(frozen=True)
class Saved:
    # As the box knows it.
    path: str
    # How the caller gets at it: a path of the server's, or of this machine.
    download: str


class Shelf(Protocol):
    async def save(self, inside: str | None, content: bytes) -> Saved:
        """Keep a file under a path relative to the workspace, or under a free name.  Raises `ToolFailure`."""


@dataclass(frozen=True)
class HostShelf:
    """The caller's own folder.  The box's programs can write there, so no link in it is followed."""

    folder: Path

    async def save(self, inside: str | None, content: bytes) -> Saved:
        name = inside or free_name()
        try:
            await anyio.to_thread.run_sync(self._write, name, content)
        except OSError as error:
            hint = _ROOM_HINT if error.errno in _NO_ROOM else _HINT
            raise ToolFailure(f"{name} cannot be written: {error.strerror}.", hint) from error
        return Saved(f"{WORKSPACE}/{name}", str(self.folder / name))

    def _write(self, inside: str, content: bytes) -> None:
        *folders, name = inside.split("/")
        current = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for folder in folders:
                with suppress(FileExistsError):
                    os.mkdir(folder, 0o755, dir_fd=current)
                below = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=current)
                os.close(current)
                current = below
            _replace(current, name, content)
        finally:
            os.close(current)


def _replace(folder: int, name: str, content: bytes) -> None:
    """The file is there whole or not at all; what stood under its name goes, a link included."""
    draft = f".belljar-{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    try:
        with os.fdopen(os.open(draft, flags, 0o644, dir_fd=folder), "wb") as file:
            file.write(content)
        os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        with suppress(FileNotFoundError):
            os.unlink(draft, dir_fd=folder)
        raise


@dataclass(frozen=True)
class BoxShelf:
    """The workspace of a running box, which its server hands files out of."""

    box: AsyncBox
    # The path of the box's address: a session of a control plane has one.
    prefix: str = ""

    async def save(self, inside: str | None, content: bytes) -> Saved:
        name = inside or free_name()
        await self.box.files.write(f"{WORKSPACE}/{name}", content)
        return Saved(f"{WORKSPACE}/{name}", f"{self.prefix}/api/download/{quote(name)}")
