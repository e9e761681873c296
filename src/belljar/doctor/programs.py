"""The programs a box starts, found and seen to run; fonts; tools that only some work needs."""

import os
import select
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from belljar.dependencies import INSTALL_BROWSER, INSTALL_DESKTOP, find_chromium, find_snap_stub
from belljar.doctor.trial import Finding, Level, attempt, attempt_as_self, clean_environment, scratch, unprivileged

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


def check_sound() -> Finding:
    return _check_version("sound", "pulseaudio", Level.WARNING, "viewers hear nothing (`streamAudioCodec` is refused)")


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


FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")

# What fontconfig calls the script, and file names to look for where its tools are not installed.
SCRIPTS: dict[str, tuple[str, str, Sequence[str]]] = {
    "latin": ("Latin", ":lang=en", ("Liberation*", "DejaVu*", "NotoSans-Regular*")),
    "cjk": ("CJK", ":lang=ja:lang=zh-cn:lang=ko", ("*CJK*",)),
    "emoji": ("emoji", ":lang=und-zsye", ("*Emoji*",)),
}


def check_fonts(script: str) -> Finding:
    title, pattern, files = SCRIPTS[script]
    family = _ask_fontconfig(pattern) if shutil.which("fc-list") else _look_for_files(files)
    if family:
        return Finding(f"fonts-{script}", f"fonts: {title}", Level.OK, family)
    detail = f"no font for {title}: such text is drawn as boxes"
    return Finding(f"fonts-{script}", f"fonts: {title}", Level.WARNING, detail, INSTALL_BROWSER)


def _ask_fontconfig(pattern: str) -> str:
    families = attempt(["fc-list", pattern, "family"]).output.splitlines()
    return min((line.split(",")[0].strip() for line in families if line.strip()), default="")


def _look_for_files(patterns: Sequence[str]) -> str:
    folders = (Path(folder) for folder in FONT_FOLDERS)
    found = (file for folder in folders for pattern in patterns for file in folder.rglob(pattern) if file.is_file())
    return next((file.stem for file in found), "")


def check_node() -> Finding:
    """Any version does: what needs a recent one takes it from the npm package `node`."""
    return _check_tool(
        "node", "Node", "npm, which tests and benchmarks with npm clients need, wants it", "apt-get install npm"
    )


def check_npm() -> Finding:
    return _check_tool(
        "npm", "npm", "tests and benchmarks with npm clients are left out; nothing else needs it", "apt-get install npm"
    )


def check_docker() -> Finding:
    """The client is of use only with an engine behind it."""
    if shutil.which("docker") is None:
        detail = "not found: nothing of Belljar needs it yet"
        return Finding("docker", "Docker", Level.WARNING, detail, "apt-get install docker.io")
    outcome = attempt_as_self(["docker", "version", "--format", "{{.Server.Version}}"])
    if not outcome.succeeded:
        detail = f"the client is there, no engine answers ({outcome.complaint})"
        return Finding("docker", "Docker", Level.WARNING, detail, "start the Docker engine, or join the docker group")
    return Finding("docker", "Docker", Level.OK, f"engine {outcome.first_line}")


def _check_tool(program: str, title: str, loss: str, fix: str) -> Finding:
    if shutil.which(program) is None:
        return Finding(program, title, Level.WARNING, f"not found: {loss}", fix)
    outcome = attempt_as_self([program, "--version"])
    if not outcome.succeeded:
        return Finding(program, title, Level.WARNING, f"does not run: {outcome.complaint}", fix)
    return Finding(program, title, Level.OK, outcome.first_line)
