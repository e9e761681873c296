"""Fonts: without them pages show boxes where letters should be."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from belljar.dependencies import INSTALL_BROWSER
from belljar.doctor.finding import Finding, Level
from belljar.doctor.trial import attempt

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
