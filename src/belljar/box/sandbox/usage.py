"""What the container around the box uses, as its control group says; in whichever version the host has."""

import os
from collections.abc import Mapping
from pathlib import Path

from belljar.wire.isolation import ContainerUsage

_ROOT = Path("/sys/fs/cgroup")


def container_usage(root: Path = _ROOT, proc: Path = Path("/proc")) -> ContainerUsage | None:
    """None where nothing says.  Reads a handful of small files."""
    groups = _own_groups((proc / "self/cgroup").read_text())
    memory_at, cpu_at = _folder(root, groups, "memory"), _folder(root, groups, "cpuacct")
    used = _number(memory_at / "memory.current") or _number(memory_at / "memory.usage_in_bytes")
    if used is None:
        return None
    # Pages of files that could be dropped at any time are nobody's.
    stat = _values(memory_at / "memory.stat")
    droppable = stat.get("total_inactive_file", stat.get("inactive_file", 0))
    nanoseconds = _number(cpu_at / "cpuacct.usage")
    cpu = _values(cpu_at / "cpu.stat").get("usage_usec", 0) / 1e6 if nanoseconds is None else nanoseconds / 1e9
    return ContainerUsage(
        memory=max(0, used - droppable),
        cpu_seconds=round(cpu, 3),
        processes=sum(name.isdigit() for name in os.listdir(proc)),
    )


def _own_groups(text: str) -> Mapping[str, str]:
    """The group of each controller; of the one hierarchy of version 2 under an empty name."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        found |= {controller: path for controller in controllers.split(",")}
    return found


def _folder(root: Path, groups: Mapping[str, str], controller: str) -> Path:
    """Where the group's files are: in a container its own group is often the root that it sees."""
    is_separate = (root / controller).is_dir()
    top = root / controller if is_separate else root
    own = top / groups.get(controller if is_separate else "", "/").lstrip("/")
    return own if own.is_dir() else top


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None


def _values(path: Path) -> dict[str, int]:
    try:
        lines = [line.split() for line in path.read_text().splitlines()]
    except OSError:
        return {}
    return {words[0]: int(words[1]) for words in lines if len(words) == 2 and words[1].isdigit()}
