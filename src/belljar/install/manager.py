"""Package managers: which one this Linux has, the commands it takes, the packages it knows."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class InstallError(Exception):
    """One sentence for the person at the keyboard: what is in the way, and the way forward."""


class Family(StrEnum):
    AMZN = "amzn"
    RHEL = "rhel"
    FEDORA = "fedora"
    DEBIAN = "debian"
    ALPINE = "alpine"  # known, so that it can be told apart from the unknown; nothing is installed there


FAMILIES: Mapping[str, Family] = {
    "amzn": Family.AMZN,
    "amazon": Family.AMZN,
    "rhel": Family.RHEL,
    "centos": Family.RHEL,
    "rocky": Family.RHEL,
    "almalinux": Family.RHEL,
    "ol": Family.RHEL,
    "fedora": Family.FEDORA,
    "debian": Family.DEBIAN,
    "ubuntu": Family.DEBIAN,
    "linuxmint": Family.DEBIAN,
    "pop": Family.DEBIAN,
    "alpine": Family.ALPINE,
}


@dataclass(frozen=True)
class Distro:
    """What os-release says of this system; `family` is None where Belljar does not know its packages."""

    id: str
    name: str
    family: Family | None

    @property
    def has_only_snap_chromium(self) -> bool:
        """Ubuntu's package is a stub that fetches a snap. Its relatives Mint and Pop!_OS package the program itself."""
        return self.id == "ubuntu"


def read_distro(os_release: Mapping[str, str]) -> Distro:
    """The family of the distribution itself or, where that is unknown, of the nearest one it says it is like."""
    id = os_release.get("ID", "linux").lower()
    relatives = os_release.get("ID_LIKE", "").lower().split()
    family = next((FAMILIES[word] for word in (id, *relatives) if word in FAMILIES), None)
    return Distro(id, os_release.get("PRETTY_NAME", id), family)


class ManagerName(StrEnum):
    APT = "apt"
    DNF = "dnf"
    YUM = "yum"
    APK = "apk"  # printed only


@dataclass(frozen=True)
class Manager:
    """One package manager. `known` reads the names that exist out of what `query` printed."""

    name: ManagerName
    program: str
    refresh: tuple[str, ...] | None
    install: tuple[str, ...]
    # What ends an installation that was interrupted: without it the next one is refused.
    repair: tuple[str, ...] | None
    query: tuple[str, ...]
    known: Callable[[str, Collection[str]], set[str]]

    def install_command(self, packages: Sequence[str]) -> tuple[str, ...]:
        return (*self.install, *packages)


def known_to_apt(output: str, names: Collection[str]) -> set[str]:
    """`apt-cache policy` prints a paragraph for each name it has heard of; only a candidate can be installed."""
    known = set()
    for paragraph in re.split(r"\n(?=\S)", output):
        name, _, rest = paragraph.partition(":\n")
        candidate = re.search(r"^\s+Candidate: (\S+)", rest, re.MULTILINE)
        if candidate and candidate[1] != "(none)" and name in names:
            known.add(name)
    return known


def known_to_dnf(output: str, names: Collection[str]) -> set[str]:
    """`dnf list` begins a line for each package with `name.architecture`; long ones wrap after that."""
    listed = (line.split(maxsplit=1)[0].rpartition(".")[0] for line in output.splitlines() if line.strip())
    return {name for name in listed if name in names}


def known_to_apk(output: str, names: Collection[str]) -> set[str]:
    return set(names)


# The variable goes through `env`, because sudo drops it. A held lock (a first boot's updates) is waited for.
_QUIETLY = ("env", "DEBIAN_FRONTEND=noninteractive")
_APT_GET = ("apt-get", "-q", "-o", "DPkg::Lock::Timeout=300")

MANAGERS: Mapping[ManagerName, Manager] = {
    ManagerName.APT: Manager(
        ManagerName.APT,
        "apt-get",
        refresh=(*_APT_GET, "update"),
        install=(*_QUIETLY, *_APT_GET, "install", "-y", "--no-install-recommends"),
        repair=(*_QUIETLY, "dpkg", "--configure", "-a"),
        query=("apt-cache", "policy"),
        known=known_to_apt,
    ),
    ManagerName.DNF: Manager(
        ManagerName.DNF,
        "dnf",
        refresh=None,
        install=("dnf", "install", "-y", "--setopt=install_weak_deps=False"),
        repair=None,
        query=("dnf", "-q", "list"),
        known=known_to_dnf,
    ),
    ManagerName.YUM: Manager(
        ManagerName.YUM,
        "yum",
        refresh=None,
        install=("yum", "install", "-y"),
        repair=None,
        query=("yum", "-q", "list"),
        known=known_to_dnf,
    ),
    ManagerName.APK: Manager(
        ManagerName.APK,
        "apk",
        refresh=None,
        install=("apk", "add"),
        repair=None,
        query=("true",),
        known=known_to_apk,
    ),
}

PREFERRED: Mapping[Family, tuple[ManagerName, ...]] = {
    Family.DEBIAN: (ManagerName.APT,),
    Family.FEDORA: (ManagerName.DNF, ManagerName.YUM),
    Family.RHEL: (ManagerName.DNF, ManagerName.YUM),
    Family.AMZN: (ManagerName.DNF, ManagerName.YUM),
    Family.ALPINE: (ManagerName.APK,),
}
