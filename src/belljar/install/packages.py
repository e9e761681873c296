"""Packages by the names each package manager has for them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Target(StrEnum):
    BROWSER = "browser"
    DESKTOP = "desktop"


@dataclass(frozen=True)
class Need:
    """Something wanted, and the names it has had in different releases, the likeliest first."""

    purpose: str
    names: tuple[str, ...]
    is_optional: bool = False


CHROMIUM = "browser"

_APT_DISPLAY = (
    Need("virtual display", ("xvfb",)),
    Need("jail for what a box starts", ("bubblewrap",)),
    Need("Latin fonts", ("fonts-liberation", "fonts-liberation2", "fonts-dejavu-core")),
    Need("Chinese, Japanese, Korean fonts", ("fonts-noto-cjk",)),
    Need("emoji font", ("fonts-noto-color-emoji",)),
)
_DNF_DISPLAY = (
    Need("virtual display", ("xorg-x11-server-Xvfb",)),
    Need("jail for what a box starts", ("bubblewrap",)),
    Need("Latin fonts", ("liberation-fonts", "liberation-sans-fonts", "dejavu-sans-fonts")),
    Need(
        "Chinese, Japanese, Korean fonts",
        ("google-noto-sans-cjk-fonts", "google-noto-sans-cjk-vf-fonts", "google-noto-sans-cjk-ttc-fonts"),
    ),
    Need("emoji font", ("google-noto-color-emoji-fonts", "google-noto-emoji-color-fonts")),
)
_APK_DISPLAY = (
    Need("virtual display", ("xvfb",)),
    Need("jail for what a box starts", ("bubblewrap",)),
    Need("Latin fonts", ("font-liberation",)),
    Need("Chinese, Japanese, Korean fonts", ("font-noto-cjk",)),
    Need("emoji font", ("font-noto-emoji",)),
)
_SOUND = Need("sound for viewers", ("pulseaudio", "pulseaudio-daemon"), is_optional=True)
_DESKTOP_EXTRAS = (
    _SOUND,
    Need("session bus", ("dbus", "dbus-daemon"), is_optional=True),
    Need("accessibility tree", ("at-spi2-core",), is_optional=True),
    Need("opening files and links", ("xdg-utils",), is_optional=True),
    Need("terminal", ("xterm",), is_optional=True),
)
_CHROMIUM_NEED = Need(CHROMIUM, ("chromium",))
_OPENBOX = Need("window manager", ("openbox",))
_DISPLAYS: Mapping[str, tuple[Need, ...]] = {
    "apt": _APT_DISPLAY,
    "dnf": _DNF_DISPLAY,
    "yum": _DNF_DISPLAY,
    "apk": _APK_DISPLAY,
}

# What a vendor's Chromium links to: a build from no package brings nothing along. Ubuntu 24.04 renamed some (`t64`).
_APT_LIBRARIES = (
    ("libnss3",), ("libnspr4",), ("libatk1.0-0t64", "libatk1.0-0"), ("libatk-bridge2.0-0t64", "libatk-bridge2.0-0"),
    ("libcups2t64", "libcups2"), ("libdrm2",), ("libxkbcommon0",), ("libxcomposite1",), ("libxdamage1",),
    ("libxfixes3",), ("libxrandr2",), ("libgbm1",), ("libasound2t64", "libasound2"), ("libpango-1.0-0",),
    ("libcairo2",), ("libatspi2.0-0t64", "libatspi2.0-0"), ("libdbus-1-3",), ("libxext6",), ("libx11-6",), ("libxcb1",),
)  # fmt: skip
_DNF_LIBRARIES = (
    ("nss",), ("nspr",), ("atk",), ("at-spi2-atk",), ("cups-libs",), ("libdrm",), ("libxkbcommon",), ("mesa-libgbm",),
    ("alsa-lib",), ("libXcomposite",), ("libXdamage",), ("libXfixes",), ("libXrandr",), ("pango",), ("cairo",),
)  # fmt: skip


def needs(target: Target, manager: str, *, has_chromium_package: bool = True) -> list[Need]:
    """What `target` wants from `manager`."""
    display = _DISPLAYS[manager]
    if target is Target.DESKTOP:
        return [*display, _OPENBOX, *_DESKTOP_EXTRAS]
    return [_CHROMIUM_NEED, *display] if has_chromium_package else list(display)


def library_needs(manager: str) -> list[Need]:
    """What a vendor's Chromium wants beside itself."""
    names = _APT_LIBRARIES if manager == "apt" else _DNF_LIBRARIES
    return [Need("library of the vendor's Chromium", alternatives) for alternatives in names]


@dataclass(frozen=True)
class Choice:
    """The packages to install, and what a person should know about those that are not."""

    names: list[str]
    warnings: list[str]


def choose(wanted: Sequence[Need], known: Collection[str]) -> Choice:
    """For each need the first name that this release knows; a need without any is skipped with a warning."""
    names, warnings = [], []
    for need in wanted:
        found = next((name for name in need.names if name in known), None)
        if found is None:
            warnings.append(f"This release has no package {' or '.join(need.names)} ({need.purpose}): skipped.")
        else:
            names.append(found)
    return Choice(names, warnings)


def all_names(wanted: Iterable[Need]) -> list[str]:
    return [name for need in wanted for name in need.names]
