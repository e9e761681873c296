"""Isolation is tried by doing it: on this host, and inside a jail that forbids namespaces."""

import shutil
from pathlib import Path

import pytest

from belljar.doctor.isolation import check_chromium_sandbox, check_user_namespaces
from belljar.doctor.trial import Level

# bubblewrap's own way to forbid further user namespaces, as a hardened host would.
FORBIDDEN = ["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--"]

needs_namespaces = pytest.mark.skipif(
    shutil.which("bwrap") is None or not check_user_namespaces().is_ok, reason="no user namespaces on this host"
)


@needs_namespaces
def test_forbidden_namespaces_are_found_out() -> None:
    finding = check_user_namespaces(inside=FORBIDDEN)
    assert finding.level is Level.WARNING
    assert finding.fix


@needs_namespaces
def test_chromiums_sandbox_can_be_on_where_namespaces_can_be_made(tmp_path: Path) -> None:
    assert check_chromium_sandbox(tmp_path).is_ok


@needs_namespaces
def test_chromiums_sandbox_must_be_off_where_namespaces_are_forbidden(tmp_path: Path) -> None:
    finding = check_chromium_sandbox(tmp_path, inside=FORBIDDEN)
    assert finding.level is Level.WARNING
    assert "no usable sandbox" in finding.detail
