"""Distributions are told apart by os-release, by cases."""

import pytest

from belljar.install.manager import Family, read_distro


@pytest.mark.parametrize(
    ("id", "id_like", "family"),
    [
        ("debian", "", Family.DEBIAN),
        ("ubuntu", "debian", Family.DEBIAN),
        ("linuxmint", "ubuntu debian", Family.DEBIAN),
        ("pop", "ubuntu debian", Family.DEBIAN),
        ("raspbian", "debian", Family.DEBIAN),
        ("amzn", "fedora", Family.AMZN),
        ("amazon", "", Family.AMZN),
        ("rhel", "fedora", Family.RHEL),
        ("centos", "rhel fedora", Family.RHEL),
        ("rocky", "rhel centos fedora", Family.RHEL),
        ("almalinux", "rhel centos fedora", Family.RHEL),
        ("ol", "fedora", Family.RHEL),
        ("fedora", "", Family.FEDORA),
        ("nobara", "fedora", Family.FEDORA),
        ("alpine", "", Family.ALPINE),
        ("arch", "", None),
        ("opensuse-leap", "suse opensuse", None),
    ],
)
def test_family(id: str, id_like: str, family: Family | None) -> None:
    assert read_distro({"ID": id, "ID_LIKE": id_like}).family is family


def test_an_empty_os_release_is_an_unknown_distribution() -> None:
    distro = read_distro({})
    assert (distro.family, distro.name) == (None, "linux")


@pytest.mark.parametrize(("id", "only_snap"), [("ubuntu", True), ("debian", False), ("linuxmint", False)])
def test_only_ubuntu_itself_has_nothing_but_a_snap(id: str, only_snap: bool) -> None:
    assert read_distro({"ID": id, "ID_LIKE": "ubuntu"}).has_only_snap_chromium is only_snap
