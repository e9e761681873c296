"""A disk of a given size for a box's folders, where root may mount one: an image file in a mount namespace of our own.

The image has no name once it is mounted, and the mount is seen by this server and its children alone: when the last of
them ends, however that happens, the kernel takes both away.
"""

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from belljar.beneath import opened_folder

_CLONE_NEWNS, _MS_REC, _MS_PRIVATE, _MNT_DETACH = 0x00020000, 0x4000, 0x40000, 2
# Seconds for making a file system or mounting it; both take hundredths.
PATIENCE = 30.0
# No journal: nothing on it is worth more than the box.
_MKFS = ("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", "-E", "nodiscard,lazy_itable_init=1")
# Ours, beside the programs' folders, where a disk is to hold less than it was made for.
_BALLAST = "held-back"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class NoImage(Exception):
    """This host lets us mount none; the message says why."""


def mount_sized_disk(size: int, beside: Path) -> Path:
    """A folder of `size` bytes.  Raises `NoImage`.

    Call it before there are threads: those that are there already would not see the disk.
    """
    if os.geteuid() != 0:
        raise NoImage("only root may mount a disk of a given size")
    if shutil.which(_MKFS[0], path=_PATH) is None:
        raise NoImage("mkfs.ext4 is not installed (e2fsprogs)")
    beside.mkdir(mode=0o711, parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix="belljar-box-"))
    image = beside / f"disk-{os.getpid()}.img"
    try:
        with image.open("xb") as file:
            os.truncate(file.fileno(), size)
        _run(*_MKFS, str(image))
        _keep_mounts_to_ourselves()
        _run("mount", "-o", "loop,nosuid,nodev,noatime", str(image), str(place))
    except OSError as error:
        place.rmdir()
        raise NoImage(f"an image cannot be made: {error.strerror}") from error
    except NoImage:
        place.rmdir()
        raise
    finally:
        image.unlink(missing_ok=True)
    with opened_folder(place) as top:
        os.rmdir("lost+found", dir_fd=top)
    return place


def shrink_sized_disk(place: Path, size: int) -> None:
    """Leave `size` bytes of a disk that is in use: a file of ours takes the rest of its blocks, without writing any.

    Raises `NoImage`, where more is in use already.
    """
    about = os.statvfs(place)
    ballast = about.f_blocks * about.f_frsize - size
    if ballast <= 0:
        return
    descriptor = os.open(place / _BALLAST, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        os.posix_fallocate(descriptor, 0, ballast)
    except OSError as error:
        raise NoImage(f"{error.strerror}") from error
    finally:
        os.close(descriptor)


def remove_sized_disk(place: Path) -> None:
    """At a proper end; otherwise its empty folder stays."""
    if ctypes.CDLL(None).umount2(os.fsencode(place), _MNT_DETACH) == 0:
        place.rmdir()


def _keep_mounts_to_ourselves() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWNS) or libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None):
        raise NoImage(f"no mount namespace of our own: {os.strerror(ctypes.get_errno())}")


def _run(*command: str) -> None:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            env={"PATH": _PATH},
        )
    except subprocess.TimeoutExpired:
        raise NoImage(f"{command[0]} did not end within {PATIENCE:g} s") from None
    if done.returncode:
        words = done.stderr.strip().splitlines()
        raise NoImage(f"{command[0]}: {words[-1] if words else f'exit {done.returncode}'}")
