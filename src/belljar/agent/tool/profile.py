"""The profile of one-shot calls, kept between calls on one workspace; its turns, and `.last_url`.

It stands in the state folder and not in the workspace: that one is the box's programs' to write, is often a
repository, and cookies belong in neither.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import anyio

from belljar.agent.tool.failure import ToolFailure
from belljar.agent.tool.workspace import WORKSPACE
from belljar.problems import Problem
from belljar.sdk.aio.box import AsyncBox
from belljar.sdk.aio.browser import AsyncBrowser

# The kernel has no way to wait for a lock that can be given up: it is asked again.
_PAUSE = 0.02


@asynccontextmanager
async def turn(lock: Path, seconds: float) -> AsyncIterator[None]:
    """Alone with what `lock` stands for.  Raises `ToolFailure` when the others take too long.

    The lock goes with the process that holds it, however that ends.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        with anyio.move_on_after(seconds) as scope:
            while True:
                if _taken(descriptor):
                    break
                await anyio.sleep(_PAUSE)
        if scope.cancelled_caught:
            raise ToolFailure(
                f"Another call was still using this profile after {seconds:.0f} s.",
                "Wait for it to end, or raise timeout_ms. Calls with different workspaces do not wait for each other.",
            )
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


NAME = ".last_url"
MOST_CHARS = 65_536
# Pages that are none: nobody was there on purpose.
_NOWHERE = ("about:blank", "chrome-error:", "chrome:")


class LastUrl(Protocol):
    async def read(self) -> str | None: ...

    async def write(self, url: str | None) -> None:
        """Remember where a successful navigation ended; what is no page leaves what is remembered."""


def is_worth_keeping(url: str | None) -> bool:
    return bool(url) and url is not None and len(url) <= MOST_CHARS and not url.startswith(_NOWHERE)


@dataclass(frozen=True)
class FileLastUrl:
    """Beside the profile, so that it is wiped with it."""

    profile: Path

    async def read(self) -> str | None:
        return await anyio.to_thread.run_sync(self._read)

    async def write(self, url: str | None) -> None:
        if url is not None and is_worth_keeping(url):
            await anyio.to_thread.run_sync(self._write, url)

    def _read(self) -> str | None:
        try:
            text = (self.profile / NAME).read_text(encoding="utf-8")[:MOST_CHARS].strip()
        except (OSError, UnicodeDecodeError):
            return None
        return text or None

    def _write(self, url: str) -> None:
        draft = self.profile / f"{NAME}.new"
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(url)
        os.replace(draft, self.profile / NAME)


@dataclass(frozen=True)
class BoxLastUrl:
    """In the workspace of a running box: whatever programs there write into it is only ever an address."""

    box: AsyncBox
    folder: str = f"{WORKSPACE}/.browser_profile"

    async def read(self) -> str | None:
        try:
            content = await self.box.files.read(f"{self.folder}/{NAME}")
        except Problem:
            return None
        return content[:MOST_CHARS].decode("utf-8", "replace").strip() or None

    async def write(self, url: str | None) -> None:
        if url is not None and is_worth_keeping(url):
            await self.box.files.write(f"{self.folder}/{NAME}", url.encode())

    async def wipe(self) -> None:
        with suppress(Problem):
            await self.box.files.delete(self.folder, recursive=True)


_NAME = "tool"


@dataclass(frozen=True)
class Profile:
    folder: Path

    @classmethod
    def of(cls, workspace: Path, state_dir: Path) -> "Profile":
        """Each workspace has its own."""
        name = hashlib.sha256(str(workspace).encode()).hexdigest()[:16]
        return cls(state_dir.absolute() / "tool" / name)

    @property
    def lock(self) -> Path:
        """Beside the folder, which `wipe` removes."""
        return self.folder.with_suffix(".lock")

    @property
    def state_dir(self) -> Path:
        """Of the box that uses it."""
        return self.folder / "state"

    def make(self) -> None:
        self.state_dir.mkdir(parents=True, exist_ok=True)
        # A box that root starts runs its programs under another uid, which has to pass through.
        for folder in (self.folder.parent, self.folder, self.state_dir):
            folder.chmod(0o711)

    def wipe(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


async def start_on_profile(browser: AsyncBrowser) -> None:
    """Start the browser of a box with the one saved context that its state folder has."""
    known = [context for context in (await browser.contexts()).contexts if context.name == _NAME]
    context = known[0] if known else await browser.create_context(_NAME)
    await browser.start(headless=True, context_id=context.id)
