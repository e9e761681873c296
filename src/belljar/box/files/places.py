"""Which folder a caller's path means: paths are those that programs in the box see."""

import os
import posixpath
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from belljar.box.process import User
from belljar.box.sandbox.folders import Folders
from belljar.box.sandbox.jail.bubblewrap import HOME, Bind
from belljar.problems import InvalidRequest
from belljar.problems.box import PathDenied


@dataclass(frozen=True)
class Root:
    """A folder that callers may use, held by descriptor: what its path leads to later does not matter."""

    descriptor: int
    # As programs know it; answers use the first.
    names: tuple[str, ...]
    # With whose rights it is used, and to whom belongs what is made there; None for our own.
    user: User | None
    is_read_only: bool = False


@dataclass(frozen=True)
class Place:
    """What a path names: a folder and the way below it, `""` for the folder itself."""

    root: Root
    below: str

    @property
    def path(self) -> str:
        return posixpath.join(self.root.names[0], self.below).rstrip("/") or "/"

    @property
    def name(self) -> str:
        return posixpath.basename(self.below)

    @property
    def parent(self) -> str:
        return posixpath.dirname(self.below)

    def inner(self, below: str) -> "Place":
        return Place(self.root, posixpath.join(self.below, below))


class Places:
    """The first root is the home, where relative paths begin."""

    def __init__(self, roots: Sequence[Root]) -> None:
        self._roots = roots

    def find(self, path: str) -> Place:
        """Raises `InvalidRequest` for what is no path, `PathDenied` for one outside the box's folders."""
        if "\0" in path or not path.isprintable() and "\n" in path:
            raise InvalidRequest("a path must not contain NUL or line ends")
        try:
            os.fsencode(path)
        except UnicodeEncodeError:
            raise InvalidRequest("a path must be text that UTF-8 can express") from None
        if path == "~" or path.startswith("~/"):
            path = path[2:]
        if not path.startswith("/"):
            return Place(self._roots[0], clean_relative(path))
        whole = posixpath.normpath("/" + path.lstrip("/"))
        found: tuple[str, Root] | None = None
        for root in self._roots:
            for name in root.names:
                is_below = whole == name or whole.startswith(f"{name}/")
                if is_below and (found is None or len(name) > len(found[0])):
                    found = (name, root)
        if found is None:
            raise PathDenied("The path is in none of the box's folders: home, uploads, downloads, /workspace.")
        return Place(found[1], whole[len(found[0]) :].strip("/"))

    def candidates(self, path: str) -> list[Place]:
        found = self.find(path)
        is_relative = not path.startswith(("/", "~"))
        return [Place(root, found.below) for root in self._roots] if is_relative else [found]


def clean_relative(path: str) -> str:
    """A relative path without empty and `.` steps; raises `InvalidRequest` where it climbs."""
    steps = [step for step in path.split("/") if step not in ("", ".")]
    if path.startswith("/") or ".." in steps:
        raise InvalidRequest(f"invalid relative path: {path}")
    return "/".join(steps)


@contextmanager
def places(folders: Folders, binds: Sequence[Bind], *, is_jailed: bool) -> Iterator[Places]:
    """Hold every folder that callers may use, for as long as the block."""
    roots: list[Root] = []

    def add(path: Path, names: tuple[str, ...], user: User | None, *, is_read_only: bool = False) -> None:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        roots.append(Root(descriptor, names, user, is_read_only))

    try:
        add(folders.home, (HOME, str(folders.home)) if is_jailed else (str(folders.home),), folders.user)
        for folder in (folders.uploads, folders.downloads):
            add(folder, (str(folder),), folders.user)
        for bind in binds:
            names = (bind.target,) if is_jailed else (str(bind.source), bind.target)
            add(bind.source, names, _owner(bind.source), is_read_only=bind.is_read_only)
        yield Places(roots)
    finally:
        for root in roots:
            os.close(root.descriptor)


def _owner(folder: Path) -> User:
    """What is written into a shared folder belongs to whoever shares it."""
    found = folder.stat()
    return User(found.st_uid, found.st_gid)
