"""A clock that is wrong: what a program is told of the time of day, moved by so many seconds while it runs.

libfaketime moves sleeps as well, and lets some of them fail; this moves nothing but the time of day.
"""

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

# The seconds stand in a file that every program maps into its memory, so that to ask costs nothing.
_SOURCE = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile long long *seconds;

__attribute__((constructor)) static void map_seconds(void)
{
    const char *path = getenv("MOVED_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *at = mmap(NULL, sizeof *seconds, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (at != MAP_FAILED)
        seconds = at;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int failed = syscall(SYS_clock_gettime, clock, now);
    if (!failed && seconds && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += *seconds;
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact))
        return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at)
{
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (at)
        *at = exact.tv_sec;
    return exact.tv_sec;
}
"""


class MovedClock:
    """`environment` is for the programs whose clock it is, and what they start."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            pytest.skip("there is no C compiler here, to make a clock that can be moved")
        self._file, library = folder / "moved-clock", folder / "moved-clock.so"
        self.move(0)
        words = [compiler, "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-x", "c", "-", "-o", str(library)]
        subprocess.run(words, input=_SOURCE.encode(), check=True, timeout=60)
        self.environment = {"LD_PRELOAD": str(library), "MOVED_CLOCK": str(self._file)}

    def move(self, seconds: int) -> None:
        """In place: who has mapped it sees it at once."""
        self._file.touch()
        with self._file.open("r+b") as file:
            file.write(struct.pack("q", seconds))
