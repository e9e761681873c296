"""The checks of programs, against this host and against one that has nothing."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from belljar.dependencies import INSTALL_BROWSER, INSTALL_DESKTOP
from belljar.doctor import programs
from belljar.doctor.checks import desktop_extras
from belljar.doctor.trial import Level


@pytest.fixture
def bin(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty PATH, in a folder that an unprivileged user can reach."""
    with tempfile.TemporaryDirectory(prefix="belljar-test-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        monkeypatch.setenv("PATH", name)
        yield Path(name)


def put(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


def test_chromium_tells_its_version_and_where_it_is(tmp_path: Path) -> None:
    finding = programs.check_chromium(tmp_path)
    assert finding.is_ok
    assert "Chrom" in finding.detail and "(/" in finding.detail


def test_xvfb_opens_a_display() -> None:
    assert programs.check_xvfb().is_ok


def test_openbox_tells_its_version() -> None:
    assert "Openbox 3" in programs.check_openbox().detail


@pytest.mark.parametrize("script", list(programs.SCRIPTS))
def test_fonts_are_found_by_fontconfig(script: str) -> None:
    assert programs.check_fonts(script).is_ok


@pytest.mark.parametrize("script", list(programs.SCRIPTS))
def test_fonts_are_found_without_fontconfigs_tools(bin: Path, script: str) -> None:
    assert programs.check_fonts(script).is_ok


def test_an_empty_host_lacks_what_a_mode_needs_and_is_told_the_command(bin: Path, tmp_path: Path) -> None:
    chromium, xvfb = programs.check_chromium(tmp_path), programs.check_xvfb()
    openbox, bubblewrap = programs.check_openbox(), programs.check_bubblewrap()
    assert {finding.level for finding in (chromium, xvfb, openbox, bubblewrap)} == {Level.MISSING}
    assert (chromium.fix, xvfb.fix, openbox.fix) == (INSTALL_BROWSER, INSTALL_BROWSER, INSTALL_DESKTOP)


def test_what_is_optional_is_only_a_warning(bin: Path) -> None:
    by_path = [check() for check in desktop_extras() if check is not programs.check_at_spi]
    assert {finding.level for finding in by_path} == {Level.WARNING}


def test_a_snap_stub_is_named(bin: Path, tmp_path: Path) -> None:
    put(bin, "chromium-browser", "#!/bin/sh\nexec /snap/bin/chromium\n")
    finding = programs.check_chromium(tmp_path)
    assert finding.level is Level.MISSING
    assert "only leads to a snap" in finding.detail


def test_a_program_that_does_not_run_is_reported_in_its_own_words(bin: Path) -> None:
    put(bin, "openbox", "#!/bin/sh\necho 'libX11.so.6: cannot open shared object file' >&2; exit 127\n")
    finding = programs.check_openbox()
    assert finding.level is Level.MISSING
    assert "libX11.so.6" in finding.detail


def test_an_xvfb_that_opens_nothing_is_missing_with_its_own_words(bin: Path) -> None:
    put(bin, "Xvfb", "#!/bin/sh\necho '(EE) no screens' >&2; exit 1\n")
    finding = programs.check_xvfb()
    assert finding.level is Level.MISSING
    assert "(EE) no screens" in finding.detail
