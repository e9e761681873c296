"""The `.last_url` sidecar: where the next call that names no address goes on."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import anyio

from belljar.agent.tool.workspace import WORKSPACE
from belljar.problems import Problem
from belljar.sdk.aio.box import AsyncBox

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
