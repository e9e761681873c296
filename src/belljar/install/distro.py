"""Which family of Linux this is, from os-release."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


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
