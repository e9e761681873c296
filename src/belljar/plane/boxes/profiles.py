"""Browser profiles on this host: folders that are lent to a session's box and come back."""

import json
import secrets
from datetime import UTC, datetime
from pathlib import Path

import anyio

from belljar.plane.registry import KeyRow, ProfileRow, Registry
from belljar.problems.plane import ProfileInUse, UnknownProfile
from belljar.safe_files import remove_folder
from belljar.state import write_private


class ProfileStore:
    def __init__(self, registry: Registry, folder: Path, host: str) -> None:
        self._registry = registry
        self._folder = folder
        self._host = host

    async def list(self, key: KeyRow) -> list[ProfileRow]:
        return list(await self._registry.profiles.list(None if key.is_admin else key.user_id))

    async def add(self, key: KeyRow, name: str) -> ProfileRow:
        id = f"ctx_{secrets.token_hex(8)}"
        await anyio.to_thread.run_sync(_make, self._folder / id, name)
        return await self._registry.profiles.add(id, user_id=key.user_id, name=name, host=self._host, actor=key.user_id)

    async def get(self, key: KeyRow, id: str) -> ProfileRow:
        row = await self._registry.profiles.get(id)
        if row is None or not (key.is_admin or row.user_id == key.user_id):
            raise UnknownProfile(f"There is no profile {id} of yours.")
        return row

    async def remove(self, key: KeyRow, id: str) -> None:
        row = await self.get(key, id)
        if not await self._registry.profiles.remove(id, actor=key.user_id):
            raise ProfileInUse("A session runs on this profile; end it first.", session_id=row.session_id)
        await anyio.to_thread.run_sync(remove_folder, self._folder / id)


def _make(folder: Path, name: str) -> None:
    """As a box makes them: a profile that only programs' own user may enter, and what it is called."""
    folder.parent.mkdir(mode=0o711, exist_ok=True)
    folder.mkdir(mode=0o711)
    (folder / "profile").mkdir(mode=0o700)
    about = {"name": name, "createdAt": datetime.now(UTC).isoformat().replace("+00:00", "Z")}
    write_private(folder / "context.json", json.dumps(about))
