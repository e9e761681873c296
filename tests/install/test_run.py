"""An installation from asking to verifying, with a package manager of the test's own first on PATH.

The stand-in only hands out programs that this host has (Xvfb, Chromium …), so what is verified afterwards is real.
"""

import io
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from belljar.install.host import Host, become_root
from belljar.install.manager import Distro, Family, InstallError, ManagerName
from belljar.install.packages import Target
from belljar.install.run import Request, install

DEBIAN = Distro("debian", "Debian", Family.DEBIAN)
UBUNTU = Distro("ubuntu", "Ubuntu", Family.DEBIAN)
UNKNOWN = Distro("arch", "Arch Linux", None)

# What the stand-in makes available when a package is installed.
PROGRAMS = {"xvfb": "Xvfb", "chromium": "chromium", "bubblewrap": "bwrap", "openbox": "openbox"}


@pytest.fixture
def bin(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The whole PATH, with nothing of ours in it, in a place that an unprivileged user can reach."""
    with tempfile.TemporaryDirectory(prefix="belljar-test-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for tool in ("env", "sh", "ln", "cat", "xkbcomp"):
            (folder / tool).symlink_to(str(shutil.which(tool)))
        monkeypatch.setenv("PATH", name)
        yield folder


def put_script(folder: Path, name: str, body: str) -> None:
    script = folder / name
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)


def put_apt(folder: Path, *, unknown: str = "") -> None:
    """An apt that knows every package but `unknown`, and says in `log` what it was asked."""
    links = "\n".join(
        f"case \" $* \" in *' {package} '*) ln -sf /usr/bin/{program} {folder}/{program};; esac"
        for package, program in PROGRAMS.items()
    )
    put_script(folder, "apt-get", f'echo "$*" >> {folder}/log\ncase "$*" in *install*) ;; *) exit 0;; esac\n{links}')
    known = f'[ "$name" = "{unknown}" ] || printf "%s:\\n  Candidate: 1\\n" "$name"'
    put_script(folder, "apt-cache", f"shift\nfor name; do {known}; done\nexit 0")


def host(distro: Distro = DEBIAN, *, is_root: bool = True, state_dir: Path = Path("/nonexistent")) -> Host:
    return Host(distro, is_root=is_root, is_terminal=False, state_dir=state_dir)


def perform(request: Request, at: Host) -> str:
    """The installation's output; answers `no` when asked."""
    said = io.StringIO()
    install(request, at, Console(file=said, width=200), lambda _: False)
    return said.getvalue()


def test_packages_are_installed_and_then_seen_to_run(bin: Path) -> None:
    put_apt(bin)
    said = perform(Request(Target.BROWSER, yes=True), host())
    assert "Everything for the browser is installed and runs." in said
    log = (bin / "log").read_text().splitlines()
    assert log[0].endswith("update")
    assert "chromium xvfb bubblewrap fonts-liberation fonts-noto-cjk fonts-noto-color-emoji" in log[1]


def test_a_second_time_asks_the_package_manager_nothing(bin: Path) -> None:
    put_apt(bin)
    perform(Request(Target.BROWSER, yes=True), host())
    (bin / "log").unlink()
    assert "is installed and runs" in perform(Request(Target.BROWSER), host())
    assert not (bin / "log").exists()


def test_what_a_second_look_finds_broken_is_installed_again(bin: Path) -> None:
    put_apt(bin)
    perform(Request(Target.BROWSER, yes=True), host())
    (bin / "Xvfb").unlink()
    put_script(bin, "Xvfb", "exit 1")
    assert "is installed and runs" in perform(Request(Target.BROWSER, yes=True), host())


def test_a_package_unknown_to_the_release_is_only_a_warning(bin: Path) -> None:
    put_apt(bin, unknown="fonts-noto-cjk")
    said = perform(Request(Target.BROWSER, yes=True), host())
    assert "no package fonts-noto-cjk" in said and "is installed and runs" in said


def test_a_program_still_missing_at_the_end_is_an_error(bin: Path) -> None:
    put_apt(bin, unknown="openbox")
    with pytest.raises(InstallError, match=r"Still missing after the installation: openbox .*belljar doctor"):
        perform(Request(Target.DESKTOP, yes=True), host())


def test_a_failing_package_manager_is_named_with_its_code(bin: Path) -> None:
    put_apt(bin)
    put_script(bin, "apt-get", "echo 'E: dpkg was interrupted' >&2; exit 100")
    with pytest.raises(InstallError, match=r"apt-get failed with code 100: mend what it says"):
        perform(Request(Target.BROWSER, yes=True), host())


def test_what_an_interrupted_run_left_is_ended_first(bin: Path) -> None:
    put_apt(bin)
    (bin / "apt-get").rename(bin / "real-apt-get")
    refusal = f"*install*) [ -e {bin}/mended ] || exit 100;;"
    put_script(bin, "apt-get", f'case "$*" in {refusal} esac\nexec {bin}/real-apt-get "$@"')
    put_script(bin, "dpkg", f'[ "$*" = "--configure -a" ] && echo > {bin}/mended')
    assert "is installed and runs" in perform(Request(Target.BROWSER, yes=True), host())


def test_nobody_to_agree_is_an_error_that_names_both_ways(bin: Path) -> None:
    put_apt(bin)
    with pytest.raises(InstallError, match=r"--yes.*--print-only"):
        perform(Request(Target.BROWSER), host())
    assert not (bin / "log").exists()


def test_no_privilege_and_no_sudo_is_one_sentence(bin: Path) -> None:
    put_apt(bin)
    with pytest.raises(
        InstallError, match=r"needs root, and there is no sudo\. As root, run: /.*/belljar install browser --yes"
    ):
        perform(Request(Target.BROWSER, yes=True), host(is_root=False))
    assert not (bin / "log").exists()


def test_sudo_that_asks_nothing_is_used(bin: Path) -> None:
    put_script(bin, "sudo", "exit 0")
    assert become_root(host(is_root=False), "belljar install") == ("sudo", "-n")


def test_sudo_that_wants_a_password_needs_a_terminal(bin: Path) -> None:
    put_script(bin, "sudo", "exit 1")
    with pytest.raises(InstallError, match="sudo wants a password that nobody is here to type"):
        become_root(host(is_root=False), "belljar install")
    at_a_terminal = Host(DEBIAN, is_root=False, is_terminal=True, state_dir=Path("/nonexistent"))
    assert become_root(at_a_terminal, "belljar install") == ("sudo",)


def test_an_unknown_distribution_is_told_what_to_install(bin: Path) -> None:
    with pytest.raises(InstallError, match=r"Arch Linux are not known.*chromium, Xvfb.*belljar doctor"):
        perform(Request(Target.BROWSER, yes=True), host(UNKNOWN))


def test_a_manager_that_is_not_there_is_refused(bin: Path) -> None:
    with pytest.raises(InstallError, match="dnf is not on PATH"):
        perform(Request(Target.BROWSER, yes=True, manager=ManagerName.DNF), host())


def test_print_only_prints_the_commands_and_runs_nothing(bin: Path) -> None:
    put_apt(bin)
    said = perform(Request(Target.DESKTOP, print_only=True), host(is_root=False))
    update, command = said.splitlines()
    assert update == "sudo apt-get -q -o DPkg::Lock::Timeout=300 update"
    assert command.startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get") and " openbox " in command
    assert not (bin / "log").exists()


def test_print_only_for_a_manager_this_host_has_not(bin: Path) -> None:
    said = perform(Request(Target.BROWSER, print_only=True, manager=ManagerName.DNF), host())
    assert said.startswith("dnf install -y") and "xorg-x11-server-Xvfb" in said


def test_apk_is_printed_and_refused(bin: Path) -> None:
    with pytest.raises(InstallError, match="Alpine is not supported"):
        perform(Request(Target.BROWSER, yes=True, manager=ManagerName.APK), host())


def test_on_ubuntu_the_plan_takes_a_vendors_build_into_the_state_directory(bin: Path) -> None:
    said = perform(Request(Target.BROWSER, print_only=True), host(UBUNTU, state_dir=Path("/srv/state")))
    assert " chromium " not in said.splitlines()[1]
    assert "PLAYWRIGHT_BROWSERS_PATH=/srv/state/chromium" in said and "libasound2t64" in said
