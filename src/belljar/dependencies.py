"""The programs the box needs from its host: where they are, which are missing, and the command that brings them.

Every look is a handful of `stat` calls (tens of microseconds), so nothing is remembered: what was installed a
moment ago is found without a restart.
"""

import shutil
from pathlib import Path

from belljar.state import ROOT_STATE_DIR, default_state_dir

INSTALL_BROWSER = "belljar install browser --yes"
INSTALL_DESKTOP = "belljar install desktop --yes"

# Names on PATH, in the order of preference, and the real programs that distributions hide behind scripts.
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
CHROMIUM_BINARIES = (
    "/usr/lib/chromium/chromium",
    "/usr/lib64/chromium/chromium",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/usr/lib/chromium-browser/chromium-browser",
)
# A vendor's build, where the distribution has none, below the state directory.
VENDOR_FOLDER = "chromium"
VENDOR_BINARIES = "chromium-*/chrome-linux*/chrome"


def missing_for_browser(state_dir: Path | None = None) -> list[str]:
    """Names of what browser mode cannot do without and this host lacks."""
    chromium = [] if find_chromium(state_dir) else ["chromium"]
    return chromium + _missing("Xvfb")


def missing_for_desktop() -> list[str]:
    """Names of what desktop mode cannot do without and this host lacks."""
    return _missing("Xvfb", "openbox")


def find_chromium(state_dir: Path | None = None) -> Path | None:
    """The Chromium program itself: not Debian's start script, never Ubuntu's snap.

    The script adds flags of its own and a shell to every start; a snap is confined by snapd and cannot open the
    profiles, sockets and descriptors that we hand it.
    """
    for name in CHROMIUM_NAMES:
        found = shutil.which(name)
        program = found and _behind_script(Path(found))
        if program:
            return program
    # A box of a session, or an embedded one, has a folder of its own; `belljar install` used the usual one, or root's.
    usual = (default_state_dir(), ROOT_STATE_DIR)
    places = usual if state_dir is None else (state_dir, *usual)
    return next((build for place in places if (build := _vendor_build(place))), None)


def find_snap_stub() -> Path | None:
    """The Chromium command that only leads to snap, where there is one: why `find_chromium` would not take it."""
    for name in CHROMIUM_NAMES:
        found = shutil.which(name)
        if found and _leads_to_snap(Path(found)):
            return Path(found)
    return None


def _missing(*programs: str) -> list[str]:
    return [program for program in programs if shutil.which(program) is None]


def _behind_script(path: Path) -> Path | None:
    if _leads_to_snap(path):
        return None
    program = path.resolve()
    if not _is_script(program):
        return program
    # Google's packages keep `chrome` beside the script; distributions keep theirs in a library folder.
    places = [program.with_name("chrome"), *map(Path, CHROMIUM_BINARIES)]
    return next((place for place in places if place.is_file()), program)


def _leads_to_snap(path: Path) -> bool:
    program = path.resolve()
    if program.name == "snap":
        return True
    return _is_script(program) and b"/snap/" in program.read_bytes()[:4096]


def _is_script(program: Path) -> bool:
    with program.open("rb") as file:
        return file.read(2) == b"#!"


def _vendor_build(state_dir: Path) -> Path | None:
    """The newest build in the state directory; its folders are numbered, and the number grows."""
    builds = (state_dir / VENDOR_FOLDER).glob(VENDOR_BINARIES)
    return max((build for build in builds if build.is_file()), key=_build_number, default=None)


def _build_number(program: Path) -> int:
    digits = program.parent.parent.name.removeprefix("chromium-")
    return int(digits) if digits.isdecimal() else 0
