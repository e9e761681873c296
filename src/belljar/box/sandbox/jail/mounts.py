"""Shows a box's folders to the user its programs run as: `python3 -I -S mounts.py JSON WORD…`, as root.

That user could never reach what lies below a folder that is closed to others (root's home, a state folder of mode
0700).  So, in a mount namespace of its own: an empty folder is laid over whatever is closed, and in it, at the paths
they have outside, stand the box's folders and nothing else.  A folder that somebody shares stands there with an
idmapped mount, in which its owner is the box's user: what the box writes belongs to whoever shares it.

Then it becomes the command WORD…; or, where the order names a starter, it gives up all its rights and is that starter,
with WORD… as its arguments.  In the same process: the interpreter may itself lie where the user cannot reach it.

Only the standard library, and nothing of ours.  The order:

    {"uid", "gid", "covers": [path, …], "folders": [[source, target, is_read_only, is_shared], …],
     "starter": path?, "home": the starter's working folder}
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

libc = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_REC, MS_PRIVATE, MS_NOSUID, MS_NODEV, MS_NOEXEC = 0x4000, 0x40000, 2, 4, 8
# The numbers are the same on every architecture.
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442
AT_FDCWD, AT_EMPTY_PATH, AT_RECURSIVE = -100, 0x1000, 0x8000
OPEN_TREE_CLONE, MOVE_MOUNT_F_EMPTY_PATH = 1, 4
MOUNT_ATTR_RDONLY, MOUNT_ATTR_IDMAP = 1, 0x00100000
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 24, 38, 47, 4
# More than there are; the kernel says where they end.
MOST_CAPABILITIES = 64


class Attributes(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("attr_set", "attr_clr", "propagation", "userns_fd"))


def main(order: dict[str, Any], words: list[str]) -> None:
    uid, gid = order["uid"], order["gid"]
    # Before anything is covered: it may lie there, and what it imports too.
    starter = load(order["starter"]) if order.get("starter") else None
    if order["folders"]:
        show_all(order["covers"], order["folders"], uid, gid)
    if starter is None:
        os.execvp(words[0], words)
    give_up_rights(uid, gid)
    os.chdir(order["home"])
    starter["main"](*map(int, words))


def load(path: str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:
        names: dict[str, object] = {"__name__": "starter", "__file__": path}
        exec(compile(file.read(), path, "exec"), names)
    return names


def show_all(covers: list[str], folders: list[tuple[str, str, bool, bool]], uid: int, gid: int) -> None:
    check(libc.unshare(CLONE_NEWNS), "a mount namespace of its own cannot be made")
    check(libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None), "mounts cannot be kept to itself")
    # All are held before the first is covered.
    held = [(hold(*folder, uid, gid), folder) for folder in folders]
    for cover in covers:
        flags, options = MS_NOSUID | MS_NODEV | MS_NOEXEC, b"mode=0755,size=256k"
        check(libc.mount(b"tmpfs", os.fsencode(cover), b"tmpfs", flags, options), f"{cover} cannot be covered")
    for tree, (_, target, _, _) in held:
        os.makedirs(target, 0o755, exist_ok=True)
        moved = libc.syscall(MOVE_MOUNT, tree, b"", AT_FDCWD, os.fsencode(target), MOVE_MOUNT_F_EMPTY_PATH)
        check(moved, f"{target} cannot be shown")
        os.close(tree)


def hold(source: str, target: str, is_read_only: bool, is_shared: bool, uid: int, gid: int) -> int:
    """A descriptor of the folder, as it is to be seen at `target`."""
    flags = OPEN_TREE_CLONE | os.O_CLOEXEC | AT_RECURSIVE
    tree = check(libc.syscall(OPEN_TREE, AT_FDCWD, os.fsencode(source), flags), f"{source} cannot be shown")
    if is_read_only:
        check(set_attributes(tree, Attributes(MOUNT_ATTR_RDONLY)), f"{source} cannot be shown read-only")
    owner = os.stat(source)
    if is_shared and (owner.st_uid, owner.st_gid) != (uid, gid):
        with_map = user_namespace((owner.st_uid, uid), (owner.st_gid, gid))
        if set_attributes(tree, Attributes(MOUNT_ATTR_IDMAP, 0, 0, with_map)):
            do_without(source, ctypes.get_errno(), owner.st_mode, is_read_only=is_read_only)
        os.close(with_map)
    return tree


def set_attributes(tree: int, wanted: Attributes) -> int:
    size = ctypes.sizeof(wanted)
    return int(libc.syscall(MOUNT_SETATTR, tree, b"", AT_EMPTY_PATH | AT_RECURSIVE, ctypes.byref(wanted), size))


def do_without(source: str, number: int, mode: int, *, is_read_only: bool) -> None:
    """The file system knows no idmapped mounts: what everybody may use is shared as it is, all else is refused."""
    words = f"the file system of {source} takes no idmapped mount ({os.strerror(number)})"
    needed = 0o005 if is_read_only else 0o007
    if mode & needed != needed:
        refuse(f"{words}, and others may not use the folder: cannot share that source path")
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
            refuse("no user namespace can be made to share folders by: cannot share that source path")
        for name, (on_disk, seen) in (("uid_map", users), ("gid_map", groups)):
            with open(f"/proc/{pid}/{name}", "w") as file:
                file.write(f"{on_disk} {seen} 1\n")
        return os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(ready)
        os.close(tell)


def give_up_rights(uid: int, gid: int) -> None:
    """Become that user for good: no capability is left, and no program that is run later can bring one back."""
    for capability in range(MOST_CAPABILITIES):
        if libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0):
            break
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    try:
        os.setgroups([])
        os.setresgid(gid, gid, gid)
        os.setresuid(uid, uid, uid)
    except OSError as error:
        refuse(f"root here may not become another user: {error.strerror}")
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "rights cannot be given up for good")
    # As bytes: a codec that is not loaded yet may be out of reach by now.
    with open("/proc/self/status", "rb") as file:
        said = {words[0]: words[1:] for words in map(bytes.split, file) if words}
    if said[b"Uid:"] != [b"%d" % uid] * 4 or int(said[b"CapPrm:"][0], 16) | int(said[b"CapEff:"][0], 16):
        refuse("root here keeps rights that it gives up")


def check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        may_not = " (root needs CAP_SYS_ADMIN for this)" if number == 1 else ""
        refuse(f"{what}: {os.strerror(number)}{may_not}")
    return result


def refuse(words: str) -> NoReturn:
    sys.exit(words)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]), sys.argv[2:])
