"""The course of an installation: look, show, ask, install, verify; a vendor's Chromium where there is no other.

Ubuntu packages only a snap, Amazon Linux and plain RHEL nothing. Playwright (from PyPI, used here as a downloader and
kept apart from our own packages) knows where the builds are; Belljar names no download host.
"""

import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from belljar.dependencies import VENDOR_FOLDER, find_chromium
from belljar.doctor.checks import browser_checks, desktop_checks
from belljar.doctor.trial import Finding, Level
from belljar.install.host import Host, become_root, choose_manager
from belljar.install.manager import InstallError, Manager, ManagerName
from belljar.install.packages import Choice, Need, Target, all_names, choose, library_needs, needs

CLIENT_FOLDER = "playwright"


def vendor_commands(state_dir: Path) -> list[tuple[str, ...]]:
    """Fetch the client, then let it fetch Chromium. Neither needs root; both write below `state_dir` only."""
    folder = state_dir / VENDOR_FOLDER
    client = folder / CLIENT_FOLDER
    fetch_client = (
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--upgrade",
        "--target",
        str(client),
        "playwright",
    )
    variables = (f"PYTHONPATH={client}", f"PLAYWRIGHT_BROWSERS_PATH={folder}")
    fetch_chromium = ("env", *variables, sys.executable, "-m", "playwright", "install", "--no-shell", "chromium")
    return [fetch_client, fetch_chromium]


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line."""

    target: Target
    yes: bool = False
    print_only: bool = False
    manager: ManagerName | None = None


def install(request: Request, host: Host, console: Console, confirm: Callable[[str], bool]) -> None:
    """Bring what `request.target` needs; raises `InstallError` when that cannot be done."""
    manager = choose_manager(host, request.manager, must_exist=not request.print_only)
    wanted = needs(request.target, manager.name, has_chromium_package=not host.distro.has_only_snap_chromium)
    if manager.name is ManagerName.APK:
        _print_command((), manager.install_command([need.names[0] for need in wanted]), console)
        raise InstallError(
            "Alpine is not supported: the list above is a start, and belljar doctor tells what is missing."
        )
    if request.print_only:
        _print_plan(request, host, manager, wanted, console)
        return
    findings = verify(request.target, host)
    if all(finding.is_ok for finding in findings):
        console.print(f"Everything for the {request.target} is installed and runs.")
        return
    root = become_root(host, command_for(request.target))
    _agree(request, host, manager, wanted, console, confirm)
    _install_packages(manager, wanted, root, console)
    if request.target is Target.BROWSER and find_chromium(host.state_dir) is None:
        _install_vendor_build(manager, host, root, console)
    _conclude(request.target, verify(request.target, host), console)


def command_for(target: Target) -> str:
    """As it can be typed anywhere, by anyone: the `belljar` of a clone is not on PATH."""
    return shlex.join((str(Path(sys.executable).with_name("belljar")), "install", target, "--yes"))


def verify(target: Target, host: Host) -> list[Finding]:
    """Run what was installed, as the user that a box will run it as."""
    checks = browser_checks(host.state_dir) if target is Target.BROWSER else desktop_checks()
    return [check() for check in checks]


def _print_plan(request: Request, host: Host, manager: Manager, wanted: Sequence[Need], console: Console) -> None:
    root = () if host.is_root else ("sudo",)
    if manager.refresh:
        _print_command(root, manager.refresh, console)
    _print_command(root, manager.install_command([need.names[0] for need in wanted]), console)
    if request.target is Target.BROWSER and host.distro.has_only_snap_chromium:
        libraries = [need.names[0] for need in library_needs(manager.name)]
        _print_command(root, manager.install_command(libraries), console)
        for command in vendor_commands(host.state_dir):
            _print_command((), command, console)


def _agree(
    request: Request,
    host: Host,
    manager: Manager,
    wanted: Sequence[Need],
    console: Console,
    confirm: Callable[[str], bool],
) -> None:
    table = Table(
        title=f"Packages for the {request.target} on {host.distro.name}, by {manager.name}", title_justify="left"
    )
    table.add_column("package")
    table.add_column("for")
    for need in wanted:
        table.add_row(need.names[0], need.purpose + (" (optional)" if need.is_optional else ""))
    if request.target is Target.BROWSER and host.distro.has_only_snap_chromium:
        table.add_row("Chromium, a vendor's build", f"browser, into {host.state_dir}")
    console.print(table)
    if request.yes:
        return
    if not host.is_terminal:
        raise InstallError("Nobody is here to agree to this: add --yes, or see the commands with --print-only.")
    if not confirm("Install these?"):
        raise InstallError("Nothing was installed: run it again when you want it.")


def _install_packages(manager: Manager, wanted: Sequence[Need], root: tuple[str, ...], console: Console) -> None:
    if manager.refresh and _run((*root, *manager.refresh), console) != 0:
        console.print("[yellow]The package lists could not be refreshed; going on with those that are here.[/yellow]")
    choice = _choose_known(manager, wanted)
    for warning in choice.warnings:
        console.print(f"[yellow]{warning}[/yellow]")
    if not choice.names:
        return
    command = (*root, *manager.install_command(choice.names))
    code = _run(command, console)
    if code != 0 and manager.repair:
        console.print("[yellow]An earlier run may have been interrupted: ending what it left, then once more.[/yellow]")
        _run((*root, *manager.repair), console)
        code = _run(command, console)
    if code != 0:
        raise InstallError(f"{manager.program} failed with code {code}: mend what it says above, then run this again.")


def _choose_known(manager: Manager, wanted: Sequence[Need]) -> Choice:
    names = all_names(wanted)
    # Its exit code tells only that some name is unknown.
    answer = subprocess.run(
        [*manager.query, *names], capture_output=True, text=True, check=False, timeout=300, stdin=subprocess.DEVNULL
    )
    return choose(wanted, manager.known(answer.stdout, names))


def _install_vendor_build(manager: Manager, host: Host, root: tuple[str, ...], console: Console) -> None:
    console.print("No package here brings Chromium itself: fetching a vendor's build with Playwright's client.")
    _install_packages(manager, library_needs(manager.name), root, console)
    # Readable for the user a box runs as, who is not the one who installs.
    host.state_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
    for command in vendor_commands(host.state_dir):
        if _run(command, console) != 0:
            raise InstallError(
                "The vendor's Chromium could not be fetched: put a chromium or google-chrome on PATH yourself,"
                " then run: belljar doctor"
            )


def _conclude(target: Target, findings: Sequence[Finding], console: Console) -> None:
    for finding in findings:
        if finding.level is Level.WARNING:
            console.print(f"[yellow]{finding.title}: {finding.detail}[/yellow]")
    missing = [f"{finding.title} ({finding.detail})" for finding in findings if finding.level is Level.MISSING]
    if missing:
        raise InstallError(f"Still missing after the installation: {'; '.join(missing)}. See: belljar doctor")
    console.print(f"[green]Everything for the {target} is installed and runs.[/green]")


def _run(command: Sequence[str], console: Console) -> int:
    console.print(f"[dim]$ {shlex.join(command)}[/dim]", highlight=False, soft_wrap=True)
    # Nothing is asked on standard input: sudo reads a password from the terminal itself.
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as child:
        try:
            return child.wait()
        except KeyboardInterrupt:
            # The terminal told the package manager too.  It is not killed, but left to put away what it has in hands.
            child.wait()
            raise


def _print_command(root: tuple[str, ...], command: Sequence[str], console: Console) -> None:
    console.print(shlex.join((*root, *command)), highlight=False, markup=False, soft_wrap=True)
