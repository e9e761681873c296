"""The jail is tried by making one, and the disk by mounting one."""

import os
import shutil

import pytest

from belljar.doctor.finding import Level
from belljar.doctor.jail import check_disk_limit, check_jail


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap")
def test_a_jail_is_made() -> None:
    finding = check_jail()
    assert finding.is_ok, finding
    assert ("uid" in finding.detail) == (os.geteuid() == 0)


def test_without_bubblewrap_more_is_missing_than_a_warning_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    finding = check_jail()
    assert finding.level is Level.MISSING and finding.fix


def test_the_disk_limit_says_whether_it_is_enforced_or_watched() -> None:
    before = os.listdir("/sys/block")
    finding = check_disk_limit()
    assert finding.detail.startswith(("enforced", "watched, not enforced"))
    assert os.geteuid() == 0 or finding.detail.startswith("watched")
    assert os.listdir("/sys/block") == before
