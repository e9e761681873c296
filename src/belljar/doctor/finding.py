"""What a check found."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    OK = "ok"
    WARNING = "warning"  # Belljar works, with less: the detail says what is lost.
    MISSING = "missing"  # Something that a whole mode cannot do without.


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's table. `id` and `level` are for programs and stay as they are."""

    id: str
    title: str
    level: Level
    detail: str
    fix: str | None = None

    @property
    def is_ok(self) -> bool:
        return self.level is Level.OK
