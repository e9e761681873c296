"""The desktop's own log: a small file that says, line by line, when it started, stopped and failed."""

from datetime import UTC, datetime
from pathlib import Path

from belljar.state import make_private_folder

# When it is over this, the older half goes.
_LARGEST = 1024 * 1024


class RuntimeLog:
    def __init__(self, path: Path) -> None:
        self.path = path

    def note(self, line: str) -> None:
        """Add a line.  A disk that takes none is no reason to stop."""
        try:
            make_private_folder(self.path.parent)
            if self.path.exists() and self.path.stat().st_size > _LARGEST:
                self.path.write_bytes(self.path.read_bytes()[-_LARGEST // 2 :])
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{datetime.now(UTC).isoformat(timespec='milliseconds')} {line}\n")
        except OSError:
            return
