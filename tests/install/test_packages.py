"""Which packages are asked for, and what a manager's answer says about them."""

import shutil
import subprocess

import pytest

from belljar.install.manager import known_to_apt, known_to_dnf
from belljar.install.packages import Need, Target, all_names, choose, library_needs, needs


@pytest.mark.parametrize("manager", ["apt", "dnf", "yum", "apk"])
@pytest.mark.parametrize("target", list(Target))
def test_every_manager_has_a_display_and_fonts_for_either_target(manager: str, target: Target) -> None:
    purposes = {need.purpose for need in needs(target, manager)}
    assert {"virtual display", "Latin fonts", "Chinese, Japanese, Korean fonts", "emoji font"} <= purposes
    assert ("window manager" in purposes) is (target is Target.DESKTOP)
    assert ("browser" in purposes) is (target is Target.BROWSER)


def test_no_chromium_package_is_asked_for_where_it_is_only_a_snap() -> None:
    assert "chromium" not in all_names(needs(Target.BROWSER, "apt", has_chromium_package=False))


def test_a_renamed_package_is_replaced_and_an_unknown_one_skipped_with_a_warning() -> None:
    wanted = [
        Need("sound", ("libasound2t64", "libasound2")),
        Need("emoji font", ("no-such-font",)),
        Need("x", ("xvfb",)),
    ]
    choice = choose(wanted, {"libasound2", "xvfb"})
    assert choice.names == ["libasound2", "xvfb"]
    [warning] = choice.warnings
    assert "no-such-font (emoji font)" in warning


APT_ANSWER = """xvfb:
  Installed: (none)
  Candidate: 2:21.1.7-3
  Version table:
     2:21.1.7-3 500
libasound2:
  Installed: (none)
  Candidate: (none)
  Version table:
N: Unable to locate package no-such-package
"""


def test_apt_knows_what_has_a_candidate() -> None:
    assert known_to_apt(APT_ANSWER, ["xvfb", "libasound2", "no-such-package"]) == {"xvfb"}


@pytest.mark.skipif(shutil.which("apt-cache") is None, reason="apt is not the package manager here")
def test_apts_real_answer_is_understood() -> None:
    names = ["bash", "belljar-no-such-package"]
    answer = subprocess.run(["apt-cache", "policy", *names], capture_output=True, text=True, check=True)
    assert known_to_apt(answer.stdout, names) == {"bash"}


DNF_ANSWER = """Installed Packages
bubblewrap.x86_64                    0.10.0-1.fc41                @anaconda
Available Packages
chromium.x86_64                      131.0.6778.139-1.fc41        updates
google-noto-sans-cjk-vf-fonts.noarch
                                     1:2.004-8.fc41               fedora
"""


def test_dnf_lists_names_with_their_architecture() -> None:
    names = ["bubblewrap", "chromium", "google-noto-sans-cjk-fonts", "google-noto-sans-cjk-vf-fonts"]
    assert known_to_dnf(DNF_ANSWER, names) == {"bubblewrap", "chromium", "google-noto-sans-cjk-vf-fonts"}


def test_a_vendors_chromium_comes_with_the_libraries_it_links_to() -> None:
    assert ("libasound2t64", "libasound2") in [need.names for need in library_needs("apt")]
    assert ("nss",) in [need.names for need in library_needs("dnf")]
