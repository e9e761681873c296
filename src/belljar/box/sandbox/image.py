"""A disk of a given size for a box's folders, where root may mount one: an image file in a mount namespace of our own.

The image has no name once it is mounted, and the mount is seen by this server and its children alone: when the last of
them ends, however that happens, the kernel takes both away.
"""

import ctypes
import errno
import fcntl
import os
import secrets
import shutil
import struct
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from belljar.box.sandbox.folders import PREFIX, claim_folder
from belljar.safe_files import opened_folder, remove_folder

_CLONE_NEWNS, _MNT_DETACH = 0x00020000, 2
_MS_NOSUID, _MS_NODEV, _MS_NOATIME, _MS_REC, _MS_PRIVATE = 2, 4, 1024, 0x4000, 0x40000
# linux/loop.h; a device that clears itself goes with its mount.
_LOOP_CTL_GET_FREE, _LOOP_CONFIGURE, _LO_FLAGS_AUTOCLEAR = 0x4C82, 0x4C0A, 4
# Others may take the free device that we were told of.
_MOST_TRIES = 50
# Seconds for making a file system, which takes hundredths.
PATIENCE = 30.0
# No journal: nothing on it is worth more than the box.  No room to grow: it would be two megabytes.
_MKFS = ("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal,^resize_inode", "-E", "nodiscard,lazy_itable_init=1")
# Ours, beside the programs' folders, where a disk is to hold less than it was made for.
_BALLAST = "held-back"
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

_libc = ctypes.CDLL(None, use_errno=True)


class NoImage(Exception):
    """This host lets us mount none; the message says why."""


class SizedDisk:
    """A disk on its way: the file system is made while the server does something else."""

    def __init__(self, size: int, beside: Path) -> None:
        """Raises `NoImage`."""
        if os.geteuid() != 0:
            raise NoImage("only root may mount a disk of a given size")
        if shutil.which(_MKFS[0], path=_PATH) is None:
            raise NoImage("mkfs.ext4 is not installed (e2fsprogs)")
        self._place: Path | None = None
        self._backing = -1
        self._claim = -1
        self._image = beside / f"disk-{os.getpid()}-{secrets.token_hex(4)}.img"
        try:
            beside.mkdir(mode=0o711, parents=True, exist_ok=True)
            with self._image.open("xb") as file:
                os.truncate(file.fileno(), size)
            self._making = subprocess.Popen(
                [*_MKFS, str(self._image)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                env={"PATH": _PATH},
            )
        except OSError as error:
            self._image.unlink(missing_ok=True)
            raise NoImage(f"an image cannot be made: {error.strerror}") from error

    @property
    def place(self) -> Path:
        """Where it is, once it is mounted."""
        assert self._place is not None
        return self._place

    def unwritten(self) -> int:
        """Bytes that programs wrote and that are still to be taken from the host's disk."""
        about = os.statvfs(self.place)
        taken = os.fstat(self._backing).st_blocks * 512
        with suppress(FileNotFoundError):
            # Of this nothing is ever written.
            taken += os.stat(self.place / _BALLAST).st_blocks * 512
        return max(0, (about.f_blocks - about.f_bfree) * about.f_frsize - taken)

    def mount(self) -> None:
        """Raises `NoImage`.

        Call it before there are threads: those that are there already would not see the disk.
        """
        try:
            self._wait_until_made()
            _keep_mounts_to_ourselves()
            place = Path(tempfile.mkdtemp(prefix=PREFIX)).resolve()
            # Below the disk, where others see it: a box that is killed leaves its folder to the next.
            self._claim = claim_folder(place)
            try:
                self._backing = os.open(self._image, os.O_RDWR | os.O_CLOEXEC)
                _mount(self._backing, place)
                with opened_folder(place) as top:
                    os.rmdir("lost+found", dir_fd=top)
            except OSError as error:
                remove_folder(place)
                os.close(self._claim)
                raise NoImage(f"an image cannot be mounted: {error.strerror}") from error
        finally:
            self._image.unlink(missing_ok=True)
        self._place = place

    def remove(self) -> None:
        """At a proper end; otherwise the next box removes its folder."""
        os.close(self._backing)
        if _libc.umount2(os.fsencode(self.place), _MNT_DETACH) == 0:
            remove_folder(self.place)
        os.close(self._claim)

    def _wait_until_made(self) -> None:
        try:
            _, said = self._making.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self._making.kill()
            self._making.communicate()
            raise NoImage(f"mkfs.ext4 did not end within {PATIENCE:g} s") from None
        if self._making.returncode:
            words = said.strip().splitlines()
            raise NoImage(f"mkfs.ext4: {words[-1] if words else f'exit {self._making.returncode}'}")


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


def _keep_mounts_to_ourselves() -> None:
    if _libc.unshare(_CLONE_NEWNS) or _libc.mount(b"none", b"/", None, _MS_REC | _MS_PRIVATE, None):
        raise NoImage(f"no mount namespace of our own: {os.strerror(ctypes.get_errno())}")


def _mount(backing: int, place: Path) -> None:
    """Raises OSError.  By system calls: the command `mount` takes ten times as long."""
    name, device = _loop_device(backing)
    try:
        flags = _MS_NOSUID | _MS_NODEV | _MS_NOATIME
        if _libc.mount(name.encode(), os.fsencode(place), b"ext4", flags, None):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
    finally:
        os.close(device)


def _loop_device(backing: int) -> tuple[str, int]:
    """A block device whose contents are the file `backing`: its name and a descriptor that keeps it until mounted."""
    # struct loop_config: the file, a block size, a struct loop_info64 with nothing but flags, eight reserved words.
    wanted = struct.pack("=II40x12xI176x64x", backing, 0, _LO_FLAGS_AUTOCLEAR)
    control = os.open("/dev/loop-control", os.O_RDWR | os.O_CLOEXEC)
    try:
        for _ in range(_MOST_TRIES):
            name = f"/dev/loop{fcntl.ioctl(control, _LOOP_CTL_GET_FREE)}"
            device = os.open(name, os.O_RDWR | os.O_CLOEXEC)
            try:
                fcntl.ioctl(device, _LOOP_CONFIGURE, wanted)
            except OSError as error:
                os.close(device)
                if error.errno != errno.EBUSY:
                    raise
            else:
                return name, device
    finally:
        os.close(control)
    raise OSError(errno.EBUSY, "every loop device that was free was taken by others")
