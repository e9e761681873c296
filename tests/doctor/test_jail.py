"""The jail is tried by making one, and the disk by mounting one."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from belljar.doctor.isolation import check_disk_limit, check_jail
from tests.servers import WITHOUT_BUBBLEWRAP, WITHOUT_MOUNTS, WITHOUT_NAMESPACES


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap")
def test_a_jail_is_made(tmp_path: Path) -> None:
    finding = check_jail(tmp_path)
    assert finding.is_ok, finding
    assert ("uid" in finding.detail) == (os.geteuid() == 0)


def doctor_in(inside: tuple[str, ...], state_dir: Path) -> dict[str, dict[str, str]]:
    """What `belljar doctor` says on another host."""
    command = [*inside, sys.executable, "-m", "belljar", "doctor", "--json", "--state-dir", str(state_dir)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert said.returncode == 1, said.stderr
    return {finding["id"]: finding for finding in json.loads(said.stdout)["checks"]}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make such hosts")
@pytest.mark.parametrize(
    ("inside", "mode", "reason", "fix"),
    [
        (WITHOUT_BUBBLEWRAP, 0o711, "bubblewrap is not installed", "belljar install browser --yes"),
        (WITHOUT_NAMESPACES, 0o711, "namespace", "user.max_user_namespaces"),
        (WITHOUT_MOUNTS, 0o700, "is closed to other users, and root may not mount", "--state-dir"),
    ],
)
def test_where_there_can_be_no_jail_it_says_what_does_not_start(
    inside: tuple[str, ...], mode: int, reason: str, fix: str
) -> None:
    with tempfile.TemporaryDirectory(prefix="belljar-test-") as folder:
        os.chmod(folder, mode)
        finding = doctor_in(inside, Path(folder, "state"))["jail"]
    assert finding["level"] == "missing" and reason in finding["detail"] and fix in finding["fix"]
    assert "belljar serve does not start" in finding["detail"] and "--jail off" in finding["detail"]


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("bwrap") is None, reason="about root's jail")
def test_a_closed_state_folder_is_no_hindrance() -> None:
    with tempfile.TemporaryDirectory(prefix="belljar-test-") as folder:
        os.chmod(folder, 0o700)
        finding = check_jail(Path(folder, "state"))
        assert finding.is_ok and f"{folder} is closed" in finding.detail


def test_the_disk_limit_says_whether_it_is_enforced_or_watched() -> None:
    before = os.listdir("/sys/block")
    finding = check_disk_limit()
    assert finding.detail.startswith(("enforced", "watched, not enforced"))
    assert os.geteuid() == 0 or finding.detail.startswith("watched")
    assert os.listdir("/sys/block") == before
