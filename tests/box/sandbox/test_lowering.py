"""Limits that are lowered while programs run: what the kernel takes, and what is told where it does not."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from belljar.box.sandbox.cgroups import Groups, Limits, make_groups

MIB = 1 << 20
STARTED = Limits(memory_bytes=600 * MIB, processes=500, cpus=float(os.cpu_count() or 1))
# Has so many megabytes, which only its end would give back, and says when.
HOLDS = "import sys; a = bytearray(b'x') * (int(sys.argv[1]) << 20); print('there', flush=True); sys.stdin.read()"


@pytest.fixture
def groups() -> Iterator[Groups]:
    with make_groups(f"test-{os.getpid()}", STARTED) as made:
        if made.held != {"memory", "processes", "cpu"}:
            pytest.skip("this host lets us make no groups")
        yield made


@contextmanager
def holding(groups: Groups, megabytes: int) -> Iterator[None]:
    def enter() -> None:
        for entry in groups.entries:
            entry.write_text("0")

    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(megabytes)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        preexec_fn=enter,
    ) as child:
        assert child.stdout is not None and child.stdout.readline() == b"there\n"
        yield
        assert child.poll() is None
        child.communicate(timeout=20)


def test_what_is_lower_is_held_and_what_is_not_stays(groups: Groups) -> None:
    wanted = Limits(memory_bytes=300 * MIB, processes=900, cpus=0.5)
    with holding(groups, 50):
        assert groups.lower(STARTED, wanted) == []
    files = (
        "memory.limit_in_bytes",
        "memory.max",
        "pids.max",
        "cpu.cfs_quota_us",
        "cpu.max",
        "cpu.shares",
        "cpu.weight",
    )
    paths = [folder / name for folder in groups.folders for name in files]
    values = {path.name: path.read_text().split()[0] for path in paths if path.exists()}
    assert values.get("memory.max", values.get("memory.limit_in_bytes")) == str(300 * MIB)
    assert values["pids.max"] == "500"
    assert values.get("cpu.max", values.get("cpu.cfs_quota_us")) == "50000"
    assert values.get("cpu.weight") == "50" or values.get("cpu.shares") == "512"
    assert STARTED.lowered_to(wanted) == Limits(memory_bytes=300 * MIB, processes=500, cpus=0.5)


def test_less_memory_than_is_in_use_is_refused_and_nothing_killed(groups: Groups) -> None:
    with holding(groups, 400):
        assert groups.lower(STARTED, Limits(memory_bytes=256 * MIB)) == ["memory"]
    assert groups.memory_kills() == 0
