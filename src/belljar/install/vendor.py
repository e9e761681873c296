"""Chromium where the distribution has none: a vendor's build, by Playwright's client, into the state directory.

Ubuntu packages only a snap, Amazon Linux and plain RHEL nothing. Playwright (from PyPI, used here as a downloader and
kept apart from our own packages) knows where the builds are; Belljar names no download host.
"""

import sys
from pathlib import Path

from belljar.dependencies import VENDOR_FOLDER

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
