"""The uid that a box's untrusted children run as when the server itself is root."""

import fcntl
import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from belljar.box.process import User

# Not below 1000 (the system's), not above 60000 (nobody, dynamic users), out of the way of people's accounts.
FIRST_UID = 30_000
HOW_MANY = 1_000
CLAIMS = Path("/run/belljar/uids")


@contextmanager
def claim_user(claims: Path = CLAIMS) -> Iterator[User | None]:
    """A uid that no other box on this host has, for as long as the block; None when we are not root.

    One uid per box: two boxes of one uid could signal and trace each other's programs.  The claim is a file lock, so a
    box that was killed leaves nothing behind that would have to be cleaned up.
    """
    if os.geteuid() != 0:
        yield None
        return
    claims.mkdir(parents=True, exist_ok=True)
    for uid in range(FIRST_UID, FIRST_UID + HOW_MANY):
        claim = None if _has_account(uid) else _claim(claims / str(uid))
        if claim is not None:
            with claim:
                yield User(uid, uid)
            return
    raise RuntimeError(f"all {HOW_MANY} uids from {FIRST_UID} on are taken by boxes")


def _claim(path: Path) -> IO[str] | None:
    """The locked file; None when another box has it."""
    claim = path.open("w")
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        claim.close()
        return None
    return claim


def _has_account(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True
