"""Shows folders to a jail as if they were its user's: a program, `python3 -I -S mounts.py JSON CMD…`, as root.

In a mount namespace of its own it puts each folder below /run/belljar with an idmapped mount, in which the folder's
owner is the box's user: so the jail may use what its user could never reach (root's home is 0700), and what it writes
belongs to whoever shares the folder.  Then it becomes CMD.  Only the standard library, and nothing of ours.

The argument: {"place": …, "uid": …, "gid": …, "folders": [[source, name, is_read_only], …]}
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys

libc = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_REC, MS_PRIVATE, MS_NOSUID, MS_NODEV, MS_NOEXEC = 0x4000, 0x40000, 2, 4, 8
# The numbers are the same on every architecture.
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442
AT_FDCWD, AT_EMPTY_PATH, AT_RECURSIVE = -100, 0x1000, 0x8000
OPEN_TREE_CLONE, MOVE_MOUNT_F_EMPTY_PATH = 1, 4
MOUNT_ATTR_IDMAP = 0x00100000


class Attributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("attr_set", "attr_clr", "propagation", "userns_fd"))


def main(order: dict[str, object], command: list[str]) -> None:
    place, uid, gid = str(order["place"]), int(str(order["uid"])), int(str(order["gid"]))
    check(libc.unshare(CLONE_NEWNS), "a mount namespace of its own")
    check(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "keeping mounts to itself")
    # Where the names of the folders stand; seen by nobody but what comes of this process.
    check(
        libc.mount(b"tmpfs", place.encode(), b"tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, b"mode=0755,size=64k"),
        f"a place at {place}",
    )
    folders = order["folders"]
    assert isinstance(folders, list)
    for source, name, is_read_only in folders:
        target = f"{place}/{name}"
        os.mkdir(target, 0o755)
        show(source, target, uid, gid, is_read_only=is_read_only)
    os.execvp(command[0], command)


def show(source: str, target: str, uid: int, gid: int, *, is_read_only: bool) -> None:
    flags = OPEN_TREE_CLONE | os.O_CLOEXEC | AT_RECURSIVE
    tree = check(libc.syscall(OPEN_TREE, AT_FDCWD, source.encode(), flags), source)
    owner = os.stat(source)
    if (owner.st_uid, owner.st_gid) != (uid, gid):
        with_map = user_namespace((owner.st_uid, uid), (owner.st_gid, gid))
        wanted = Attributes(MOUNT_ATTR_IDMAP, 0, 0, with_map)
        size = ctypes.sizeof(wanted)
        if libc.syscall(MOUNT_SETATTR, tree, b"", AT_EMPTY_PATH | AT_RECURSIVE, ctypes.byref(wanted), size):
            do_without(source, ctypes.get_errno(), owner.st_mode, is_read_only=is_read_only)
        os.close(with_map)
    check(libc.syscall(MOVE_MOUNT, tree, b"", AT_FDCWD, target.encode(), MOVE_MOUNT_F_EMPTY_PATH), source)
    os.close(tree)


def do_without(source: str, number: int, mode: int, *, is_read_only: bool) -> None:
    """The file system knows no idmapped mounts: what everybody may use is shared as it is, all else is refused."""
    words = f"the file system of {source} takes no idmapped mount ({os.strerror(number)})"
    needed = 0o005 if is_read_only else 0o007
    if mode & needed != needed:
        sys.exit(f"{words}, and others may not use the folder: cannot share that source path")
    sys.stderr.write(f"{words}: what the box writes there belongs to the box's user\n")


def user_namespace(users: tuple[int, int], groups: tuple[int, int]) -> int:
    """A descriptor of a user namespace in which the first of each pair, on the disk, is the second."""
    ready, tell = os.pipe2(os.O_CLOEXEC)
    pid = os.fork()  # noqa: TID251  (a namespace needs somebody to be made by)
    if pid == 0:
        made = libc.unshare(CLONE_NEWUSER) == 0
        os.write(tell, b"y" if made else b"n")
        signal.pause()
        os._exit(0)
    try:
        if os.read(ready, 1) != b"y":
            sys.exit("no user namespace can be made to share folders by: cannot share that source path")
        for name, (on_disk, seen) in (("uid_map", users), ("gid_map", groups)):
            with open(f"/proc/{pid}/{name}", "w") as file:
                file.write(f"{on_disk} {seen} 1\n")
        return os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(ready)
        os.close(tell)


def check(result: int, what: str) -> int:
    if result < 0:
        sys.exit(f"{what}: {os.strerror(ctypes.get_errno())}: cannot share that source path")
    return result


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2:])
