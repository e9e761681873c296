"""Which of a box's folders its user could not reach, and what `mounts.py` is told so that it can."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from belljar.box.process.program import User
from belljar.state import closed_to_others

MOUNTS = Path(__file__).with_name("mounts.py")


class CannotShow(Exception):
    """Nothing can be laid over the root of the file system; the message says so."""


@dataclass(frozen=True)
class Shown:
    """A folder that programs are to see at `target`."""

    source: Path
    target: Path
    is_read_only: bool = False
    # Somebody's own, to be used as if it were the box's user's.
    is_shared: bool = False


def order_to_show(
    user: User,
    own: Iterable[Path],
    shared: Iterable[Shown] = (),
    *,
    covers: Iterable[str] = (),
    starter: str = "",
    home: str = "",
) -> str | None:
    """For `mounts.py`; None where nothing needs it.  `own` folders that are in reach are left as they are.

    Raises `CannotShow`.
    """
    closed = {folder: cover for folder in own if (cover := closed_to_others(folder.parent)) is not None}
    if Path("/") in closed.values():
        raise CannotShow("the root of the file system is closed to other users")
    shown = [Shown(folder, folder) for folder in closed]
    shown += shared
    # What is shared at its own path may be out of reach as well.
    at_their_paths = {
        cover for one in shared if one.source == one.target and (cover := closed_to_others(one.source.parent))
    }
    if not shown and not starter:
        return None
    order = {
        "uid": user.uid,
        "gid": user.gid,
        "covers": sorted({*map(str, closed.values()), *map(str, at_their_paths), *covers}),
        "folders": [[str(one.source), str(one.target), one.is_read_only, one.is_shared] for one in shown],
        "starter": starter,
        "home": home,
    }
    return json.dumps(order)
