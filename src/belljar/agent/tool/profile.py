"""The profile of one-shot calls: Chromium's cookies and storage, and `.last_url`, kept between calls on one workspace.

It stands in the state folder and not in the workspace: that one is the box's programs' to write, is often a
repository, and cookies belong in neither.
"""

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from belljar.sdk.aio.browser import AsyncBrowser

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
