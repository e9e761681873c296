"""Paths of the workspace, which the box knows as `/workspace`, nothing outside it; and where pictures go."""

import errno
import os
import posixpath
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, unquote, urlsplit

import anyio

from belljar.agent.tool.failure import ToolFailure
from belljar.agent.tool.request import Goto, Request, Screenshot
from belljar.sdk.aio.box import AsyncBox

WORKSPACE = "/workspace"
_HINT = f"Give a path below {WORKSPACE}, or one relative to it."


@dataclass(frozen=True)
class Workspace:
    # The folder on this machine; None where the box has one of its own.
    folder: Path | None = None
    # Without a jail the box's programs know the folder as we do.
    known_as: str = WORKSPACE

    def rewritten(self, request: Request) -> Request:
        """The same call in the box's words: every path of ours in it is the box's.  Raises `ToolFailure`."""
        changed: dict[str, object] = {}
        if request.url is not None:
            changed["url"] = self.url(request.url)
        if request.out_path is not None:
            changed["out_path"] = self.path(request.out_path)
        actions = []
        for action in request.actions:
            if isinstance(action, Goto):
                action = action.model_copy(update={"url": self.url(action.url)})
            elif isinstance(action, Screenshot) and action.out_path is not None:
                action = action.model_copy(update={"out_path": self.path(action.out_path)})
            actions.append(action)
        return request.model_copy(update={**changed, "actions": tuple(actions)})

    def url(self, url: str) -> str:
        """A `file:` address or plain path of ours as the box knows it; every other address as it is."""
        if url.startswith("/"):
            return "file://" + quote(f"{self.known_as}/{self._inside(url)}".rstrip("/"))
        parts = urlsplit(url)
        if parts.scheme.lower() != "file":
            return url
        if parts.netloc not in ("", "localhost"):
            raise ToolFailure(f"{url[:200]} is a file of another machine.", _HINT)
        path = quote(f"{self.known_as}/{self._inside(unquote(parts.path))}".rstrip("/"))
        query = f"?{parts.query}" if parts.query else ""
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        return f"file://{path}{query}{fragment}"

    def path(self, path: str) -> str:
        """Where a file goes, relative to the workspace."""
        inside = self._inside(path)
        if not inside or path.endswith("/"):
            raise ToolFailure(f"{path[:200]} is a folder, not a file.", _HINT)
        return inside

    def _inside(self, path: str) -> str:
        """Relative to the workspace, without dots; `ToolFailure` for what leads out of it."""
        if any(ord(character) < 32 for character in path):
            raise ToolFailure("A path must not contain control characters.", _HINT)
        relative = self._relative(path)
        clean = posixpath.normpath(relative) if relative else "."
        if clean == ".." or clean.startswith(("../", "/")):
            raise ToolFailure(f"{path[:200]} is outside the workspace.", _HINT)
        return "" if clean == "." else clean

    def _relative(self, path: str) -> str:
        if not path.startswith("/"):
            return path
        clean = posixpath.normpath(path)
        for top in (WORKSPACE, self.known_as, *self._names()):
            if clean == top or clean.startswith(f"{top}/"):
                return clean[len(top) :].lstrip("/")
        raise ToolFailure(f"{path[:200]} is outside the workspace.", _HINT)

    def _names(self) -> tuple[str, ...]:
        if self.folder is None:
            return ()
        return str(self.folder.absolute()), str(self.folder.resolve())


def open_workspace(given: str | None) -> Workspace:
    """The caller's folder, the current one where none is named.  Raises `ToolFailure`."""
    folder = Path(given).expanduser() if given is not None else Path.cwd()
    if not folder.is_dir():
        raise ToolFailure(f"The workspace {folder} is not a folder.", "Pass a folder that exists, or leave it out.")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise ToolFailure(f"The workspace {folder} cannot be read.", "Pass a folder of your own, or leave it out.")
    return Workspace(folder.resolve())


def free_name() -> str:
    """A name that nothing in a workspace has yet."""
    return f"screenshot-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(3)}.png"


_SCREENSHOT_HINT = "Give another out_path, or leave it out."
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
            hint = _ROOM_HINT if error.errno in _NO_ROOM else _SCREENSHOT_HINT
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
