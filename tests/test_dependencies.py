"""Programs are found where they are, and what only looks like Chromium is not taken for it."""

from pathlib import Path

import pytest

from belljar.dependencies import find_chromium, find_snap_stub, missing_for_browser, missing_for_desktop


def put(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(text)
    program.chmod(0o755)
    return program


@pytest.fixture
def only_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_an_empty_host_lacks_everything(only_path: Path, tmp_path: Path) -> None:
    assert missing_for_browser(tmp_path) == ["chromium", "Xvfb"]
    assert missing_for_desktop() == ["Xvfb", "openbox"]


def test_what_was_just_installed_is_found_at_once(only_path: Path) -> None:
    assert missing_for_desktop() == ["Xvfb", "openbox"]
    put(only_path, "Xvfb", "")
    assert missing_for_desktop() == ["openbox"]


def test_the_program_behind_a_start_script_is_preferred(only_path: Path, tmp_path: Path) -> None:
    script = put(tmp_path / "opt", "google-chrome", "#!/bin/sh\nexec /opt/chrome\n")
    program = put(tmp_path / "opt", "chrome", "\x7fELF")
    (only_path / "google-chrome").symlink_to(script)
    assert find_chromium(tmp_path) == program


def test_a_program_that_is_no_script_is_taken_as_it_is(only_path: Path, tmp_path: Path) -> None:
    program = put(only_path, "chromium", "\x7fELF")
    assert find_chromium(tmp_path) == program


def test_ubuntus_stub_is_no_chromium(only_path: Path, tmp_path: Path) -> None:
    stub = put(only_path, "chromium-browser", '#!/bin/sh\nif ! [ -x /snap/bin/chromium ]; then echo "needs snap"; fi\n')
    assert find_chromium(tmp_path) is None
    assert find_snap_stub() == stub


def test_a_snap_is_no_chromium(only_path: Path, tmp_path: Path) -> None:
    (only_path / "chromium").symlink_to(put(tmp_path / "usr", "snap", "\x7fELF"))
    assert find_chromium(tmp_path) is None


def test_the_newest_vendor_build_is_used_where_path_has_none(only_path: Path, tmp_path: Path) -> None:
    put(tmp_path / "chromium/chromium-999/chrome-linux", "chrome", "")
    newer = put(tmp_path / "chromium/chromium-1200/chrome-linux64", "chrome", "")
    assert find_chromium(tmp_path) == newer
