"""The machine and the person who asks, as the installer must know them."""

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from belljar.install.manager import MANAGERS, PREFERRED, Distro, InstallError, Manager, ManagerName, read_distro


@dataclass(frozen=True)
class Host:
    """Facts, looked up once; decisions are made from them alone."""

    distro: Distro
    is_root: bool
    is_terminal: bool
    state_dir: Path


def look_at_host(state_dir: Path) -> Host:
    if platform.system() != "Linux":
        raise InstallError(
            f"Boxes run on Linux only, and this is {platform.system()}: use a Linux machine or container."
        )
    try:
        os_release = platform.freedesktop_os_release()
    except OSError:
        os_release = {}
    return Host(
        distro=read_distro(os_release),
        is_root=os.geteuid() == 0,
        is_terminal=sys.stdin.isatty(),
        state_dir=state_dir,
    )


def choose_manager(host: Host, wanted: ManagerName | None, *, must_exist: bool) -> Manager:
    """The one asked for, or the one of this family that is installed."""
    if wanted is not None:
        manager = MANAGERS[wanted]
        if must_exist and wanted is not ManagerName.APK and shutil.which(manager.program) is None:
            raise InstallError(f"{manager.program} is not on PATH: leave out --package-manager to have it detected.")
        return manager
    if host.distro.family is None:
        raise InstallError(
            f"The packages of {host.distro.name} are not known to Belljar: install chromium, Xvfb, openbox, bubblewrap"
            " and fonts with its own tools, or name one with --package-manager, and then run: belljar doctor"
        )
    names = PREFERRED[host.distro.family]
    present = (name for name in names if shutil.which(MANAGERS[name].program))
    chosen = next(present, None if must_exist else names[0])
    if chosen is None:
        raise InstallError(f"{host.distro.name} should have {' or '.join(names)}, but it is not on PATH: mend PATH.")
    return MANAGERS[chosen]


def become_root(host: Host, command: str) -> tuple[str, ...]:
    """The words to put before a command so that it runs as root; `command` is what root can do where there are none."""
    if host.is_root:
        return ()
    if shutil.which("sudo") is None:
        raise InstallError(f"Installing packages needs root, and there is no sudo. As root, run: {command}")
    asks_nothing = subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False, timeout=30)
    if asks_nothing.returncode == 0:
        return ("sudo", "-n")
    if host.is_terminal:
        return ("sudo",)
    raise InstallError(
        "Installing packages needs root, and sudo wants a password that nobody is here to type."
        f" At a terminal or as root, run: {command}"
    )
