"""Chromium's profile folder: settings it must find there, and what a crash left that it must not."""

import json
import os
from contextlib import suppress
from pathlib import Path

from belljar.safe_files import folder_beneath, open_beneath, open_regular, opened_folder, remove_tree

# Chromium's own are some kilobytes.
MOST_SETTINGS_BYTES = 16 * 1024 * 1024

# What a person would be asked, or offered, in a browser of their own.
PREFERENCES: dict[str, object] = {
    "browser": {"has_seen_welcome_page": True, "show_home_button": False},
    "credentials_enable_service": False,
    "autofill": {"profile_enabled": False, "credit_card_enabled": False},
    "profile": {
        "exit_type": "Normal",
        "exited_cleanly": True,
        "password_manager_enabled": False,
        # Two is no: for what shows a list of its own to choose from, a denial of prompts does not count.
        "default_content_setting_values": {
            "notifications": 2,
            "bluetooth_guard": 2,
            "hid_guard": 2,
            "serial_guard": 2,
            "usb_guard": 2,
        },
    },
    # Neither is there anybody to choose what of the screen a page may see.
    "hardware": {"screen_capture_enabled": False},
    # `print()` would open a dialog that stops the page; PDFs are made over CDP.
    "printing": {"enabled": False},
    # "Continue where you left off": the only way in which Chromium keeps cookies that end with the browser, and with
    # them what most sites call being signed in.  It finds no tabs to continue with: see `prepare_profile`.
    "session": {"restore_on_startup": 1},
    "translate": {"enabled": False},
    "safebrowsing": {"enabled": False},
    "plugins": {"always_open_pdf_externally": False},
}


def prepare_profile(profile: Path) -> None:
    """Make `profile` ready for a start, also one that its last Chromium left by being killed.  Blocks.

    Only for a profile that no Chromium is using: the lock of one that is gone is removed.
    """
    with opened_folder(profile) as top:
        for name in ("SingletonLock", "SingletonSocket", "SingletonCookie"):
            with suppress(FileNotFoundError):
                os.unlink(name, dir_fd=top)
        with suppress(FileExistsError):
            os.mkdir("Default", 0o700, dir_fd=top)
        with folder_beneath(top, "Default") as folder:
            # Tabs of the last start; ours are opened by whoever asks for them.
            remove_tree(folder, "Sessions")
            known = _read_settings(folder)
            # Made anew: whatever stood under the name, a link included, goes.
            with suppress(FileNotFoundError):
                os.unlink("Preferences", dir_fd=folder)
            made = open_beneath(folder, "Preferences", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(made, "w", encoding="utf-8") as file:
                json.dump(_merged(known, PREFERENCES), file)


def _read_settings(folder: int) -> object:
    try:
        with open_regular(folder, "Preferences") as file:
            return json.loads(file.read(MOST_SETTINGS_BYTES))
    except (OSError, ValueError):
        return {}


def _merged(known: object, ours: dict[str, object]) -> dict[str, object]:
    merged = dict(known) if isinstance(known, dict) else {}
    for name, value in ours.items():
        merged[name] = _merged(merged.get(name), value) if isinstance(value, dict) else value
    return merged
