"""Saved contexts: Chromium profiles under the state directory, each with a name, looked up by id."""

import json
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from belljar.box.sandbox.folders import Folders
from belljar.problems.browser import ContextNotFound
from belljar.safe_files import acting_as, copy_tree, opened_folder, remove_folder, size_of_tree
from belljar.state import write_private

_ID = re.compile(r"ctx_[0-9a-f]{16}")
_ABOUT = "context.json"
# What Chromium makes again by itself, and a running one changes under a copy.
_NOT_COPIED = ("Singleton*", "*Cache", "Crashpad", "BrowserMetrics*", "component_crx_cache")


@dataclass(frozen=True)
class Context:
    id: str
    name: str
    created_at: str
    profile: Path


# Below the state folder; programs in a jail see it at the same path.
CONTEXTS_FOLDER = "browser-contexts"


class Contexts:
    """Every method blocks on the disk: call it from a thread."""

    def __init__(self, folder: Path, folders: Folders) -> None:
        self.folder = folder
        self._folders = folders

    def list(self) -> list[Context]:
        """The oldest first."""
        if not self.folder.is_dir():
            return []
        found = [context for path in self.folder.iterdir() if (context := _read(path)) is not None]
        return sorted(found, key=lambda context: (context.created_at, context.id))

    def get(self, id: str) -> Context:
        context = _read(self.folder / id) if _ID.fullmatch(id) else None
        if context is None:
            raise ContextNotFound(id)
        return context

    def create(self, name: str, copy_of: str | None = None) -> Context:
        source = self.get(copy_of) if copy_of is not None else None
        id = f"ctx_{secrets.token_hex(8)}"
        top = self.folder / id
        # The programs' uid must be able to reach its profile.
        self.folder.mkdir(mode=0o711, parents=True, exist_ok=True)
        top.mkdir(mode=0o711)
        profile = top / "profile"
        profile.mkdir(mode=0o700)
        self._folders.give(profile)
        if source is not None:
            self._copy(source.profile, profile)
        context = Context(id, name, datetime.now(UTC).isoformat().replace("+00:00", "Z"), profile)
        about = {"name": context.name, "createdAt": context.created_at}
        write_private(top / _ABOUT, json.dumps(about))
        return context

    def delete(self, context: Context) -> None:
        remove_folder(context.profile.parent)

    def size_of(self, context: Context) -> int:
        """Bytes on disk; files that come and go meanwhile are not counted."""
        # By descriptors and without opening a file: so it may be done for a profile of an earlier box's user too.
        with opened_folder(context.profile) as top:
            return size_of_tree(top)

    def _copy(self, source: Path, target: Path) -> None:
        """With the rights of the programs, which own both: what they cannot read is not theirs to have copied."""
        # An earlier box may have had another user.
        self._folders.give_all(source)
        with opened_folder(source) as old, opened_folder(target) as new, acting_as(self._folders.user):
            copy_tree(old, new, skip=_NOT_COPIED)


def _read(top: Path) -> Context | None:
    try:
        about = json.loads((top / _ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return Context(top.name, str(about["name"]), str(about["createdAt"]), top / "profile")
