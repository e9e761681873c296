"""Chromium's profile folder: settings it must find there, and what a crash left that it must not."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

# What a person would be asked, or offered, in a browser of their own.
PREFERENCES: dict[str, Any] = {
    "browser": {"has_seen_welcome_page": True, "show_home_button": False},
    "credentials_enable_service": False,
    "autofill": {"profile_enabled": False, "credit_card_enabled": False},
    "profile": {
        "exit_type": "Normal",
        "exited_cleanly": True,
        "password_manager_enabled": False,
        "default_content_setting_values": {"notifications": 2},
    },
    # `print()` would open a dialog that stops the page; PDFs are made over CDP.
    "printing": {"enabled": False},
    "session": {"restore_on_startup": 5},
    "translate": {"enabled": False},
    "safebrowsing": {"enabled": False},
    "plugins": {"always_open_pdf_externally": False},
}


def prepare_profile(profile: Path) -> None:
    """Make `profile` ready for a start, also one that its last Chromium left by being killed.  Blocks.

    Only for a profile that no Chromium is using: the lock of one that is gone is removed.
    """
    (profile / "Default").mkdir(parents=True, exist_ok=True)
    for name in ("SingletonLock", "SingletonSocket", "SingletonCookie"):
        (profile / name).unlink(missing_ok=True)
    settings = profile / "Default" / "Preferences"
    known: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        known = json.loads(settings.read_text(encoding="utf-8"))
    settings.write_text(json.dumps(_merged(known, PREFERENCES)), encoding="utf-8")


def _merged(known: Any, ours: dict[str, Any]) -> dict[str, Any]:
    merged = dict(known) if isinstance(known, dict) else {}
    for name, value in ours.items():
        merged[name] = _merged(merged.get(name), value) if isinstance(value, dict) else value
    return merged
