"""The machine itself: memory, shared memory, the port, and the place for state."""

import errno
import os
import shutil
import socket
import tempfile
from pathlib import Path

from belljar.doctor.trial import Finding, Level

MIB = 1024 * 1024
# A box with one Chromium and its display takes about 420 MB; below this a second tab can end in the OOM killer.
MEMORY_WANTED = 1024 * MIB
SHM_WANTED = 256 * MIB
# As `--disk-reserve` has it.
DISK_WANTED = 256 * MIB


def check_shared_memory(path: Path = Path("/dev/shm")) -> Finding:
    if not path.is_dir():
        return Finding(
            "shm", "/dev/shm", Level.WARNING, "not there: X clients cannot share pixels", f"mount -t tmpfs tmpfs {path}"
        )
    usage = shutil.disk_usage(path)
    detail = f"{usage.free // MIB} MiB free of {usage.total // MIB} MiB"
    if usage.free < SHM_WANTED:
        fix = f"mount -o remount,size=1G {path}  (in Docker: --shm-size=1g)"
        return Finding("shm", "/dev/shm", Level.WARNING, f"{detail}: big pages may crash", fix)
    return Finding("shm", "/dev/shm", Level.OK, detail)


def check_memory(meminfo: Path = Path("/proc/meminfo")) -> Finding:
    lines = (line.split() for line in meminfo.read_text().splitlines())
    sizes = {words[0].rstrip(":"): int(words[1]) * 1024 for words in lines}
    available = sizes["MemAvailable"]
    detail = f"{available // MIB} MiB available of {sizes['MemTotal'] // MIB} MiB"
    if available < MEMORY_WANTED:
        return Finding(
            "memory", "memory", Level.WARNING, f"{detail}: a box wants {MEMORY_WANTED // MIB} MiB", "free some memory"
        )
    return Finding("memory", "memory", Level.OK, detail)


def check_port(port: int, host: str = "127.0.0.1") -> Finding:
    id, title = "port", f"port {port}"
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        # As the server does, so that connections of one just ended are not in the way.
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            taken = error.errno == errno.EADDRINUSE
            detail = "taken: another server listens there" if taken else f"cannot be opened: {error.strerror}"
            return Finding(id, title, Level.WARNING, detail, "belljar box --port 0" if taken else None)
    return Finding(id, title, Level.OK, f"free on {host}")


def check_state_dir(state_dir: Path) -> Finding:
    """Writable, or able to be made: the nearest folder that exists is tried."""
    id, title = "state-dir", "state directory"
    existing = next(folder for folder in (state_dir, *state_dir.parents) if folder.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        fix = f"belljar box --state-dir … (or make {state_dir} writable for uid {os.geteuid()})"
        return Finding(id, title, Level.MISSING, f"{existing} is not writable: {error.strerror}", fix)
    note = "" if existing == state_dir else " (will be made)"
    free = shutil.disk_usage(existing).free
    if free < DISK_WANTED:
        detail = f"{state_dir}{note}: {free // MIB} MiB free, less than --disk-reserve, so no session is started"
        return Finding(id, title, Level.WARNING, detail, "free some disk, or choose another --state-dir")
    return Finding(id, title, Level.OK, f"{state_dir}{note}, {free // MIB} MiB free")
