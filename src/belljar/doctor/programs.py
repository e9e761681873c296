"""The programs a box starts: found, and seen to run."""

import os
import select
import shutil
import subprocess
from pathlib import Path

from belljar.dependencies import INSTALL_BROWSER, INSTALL_DESKTOP, find_chromium, find_snap_stub
from belljar.doctor.finding import Finding, Level
from belljar.doctor.trial import attempt, clean_environment, scratch, unprivileged

AT_SPI_LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
# Seconds within which Xvfb must answer, and end.
DISPLAY_LIMIT = 10.0


def check_chromium(state_dir: Path) -> Finding:
    program = find_chromium(state_dir)
    if program is None:
        stub = find_snap_stub()
        detail = f"{stub} only leads to a snap, which a box cannot start" if stub else "not found on PATH"
        return Finding("chromium", "Chromium", Level.MISSING, detail, INSTALL_BROWSER)
    outcome = attempt([program, "--version"])
    if not outcome.succeeded:
        detail = f"{program} does not run: {outcome.complaint}"
        return Finding("chromium", "Chromium", Level.MISSING, detail, INSTALL_BROWSER)
    return Finding("chromium", "Chromium", Level.OK, f"{outcome.first_line} ({program})")


def check_xvfb() -> Finding:
    """Xvfb tells no version; so a display is opened and closed again."""
    program = shutil.which("Xvfb")
    if program is None:
        return Finding("xvfb", "Xvfb", Level.MISSING, "not found on PATH", INSTALL_BROWSER)
    complaint = _open_display(program)
    if complaint:
        return Finding("xvfb", "Xvfb", Level.MISSING, f"opens no display: {complaint}", INSTALL_BROWSER)
    return Finding("xvfb", "Xvfb", Level.OK, f"opens a display ({program})")


def check_openbox() -> Finding:
    return _check_version("openbox", "openbox", Level.MISSING, "desktop mode cannot start")


def check_bubblewrap() -> Finding:
    return _check_version("bubblewrap", "bwrap", Level.MISSING, "children cannot be jailed", INSTALL_BROWSER)


def check_dbus() -> Finding:
    return _check_version("dbus", "dbus-daemon", Level.WARNING, "desktop programs get no session bus")


def check_xdg_utils() -> Finding:
    return _check_version("xdg-utils", "xdg-open", Level.WARNING, "`open` cannot choose a program for a file")


def check_terminal() -> Finding:
    return _check_version("terminal", "xterm", Level.WARNING, "no terminal to launch on a desktop", flag="-version")


def check_at_spi() -> Finding:
    """The launcher is only looked for: it ends itself at once without a session bus."""
    found = next((place for place in AT_SPI_LAUNCHERS if os.access(place, os.X_OK)), None)
    if found is None:
        detail = "not found: no accessibility tree of desktop programs"
        return Finding("at-spi", "AT-SPI", Level.WARNING, detail, INSTALL_DESKTOP)
    return Finding("at-spi", "AT-SPI", Level.OK, found)


def _check_version(
    id: str, program: str, level: Level, loss: str, fix: str = INSTALL_DESKTOP, *, flag: str = "--version"
) -> Finding:
    path = shutil.which(program)
    if path is None:
        return Finding(id, program, level, f"not found on PATH: {loss}", fix)
    outcome = attempt([path, flag])
    if not outcome.succeeded:
        return Finding(id, program, level, f"{path} does not run: {outcome.complaint}", fix)
    return Finding(id, program, Level.OK, f"{outcome.first_line} ({path})")


def _open_display(program: str) -> str | None:
    """Why no display could be opened, or None. Xvfb writes the number it chose once it takes connections."""
    with scratch() as home:
        argv = [program, "-displayfd", "1", "-screen", "0", "64x64x24", "-nolisten", "tcp", "-noreset"]
        with subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            cwd="/",
            env=clean_environment(home),
            **unprivileged(),
        ) as server:
            return _await_number(server)


def _await_number(server: subprocess.Popen[str]) -> str | None:
    assert server.stdout is not None
    answered, _, _ = select.select([server.stdout], [], [], DISPLAY_LIMIT)
    number = server.stdout.readline() if answered else ""
    server.terminate()
    try:
        _, errors = server.communicate(timeout=DISPLAY_LIMIT)
    except subprocess.TimeoutExpired:
        server.kill()
        return "it did not end when asked to"
    if number.strip().isdecimal():
        return None
    return (errors.strip().splitlines() or [f"nothing happened for {DISPLAY_LIMIT:g} s"])[-1]
