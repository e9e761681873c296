"""`belljar doctor` and `belljar install` as someone types them."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.test_box import belljar

NEEDED = {"chromium", "xvfb", "openbox", "state-dir"}


def test_doctor_tells_programs_in_a_stable_shape(tmp_path: Path) -> None:
    done = belljar("doctor", "--json", "--state-dir", str(tmp_path))
    report = json.loads(done.stdout)
    assert set(report) == {"version", "ok", "checks"}
    assert {frozenset(check) for check in report["checks"]} == {frozenset({"id", "title", "level", "detail", "fix"})}
    assert NEEDED <= {check["id"] for check in report["checks"]}
    assert report["ok"] is (done.returncode == 0)


def test_doctor_fails_when_something_needed_is_missing(tmp_path: Path) -> None:
    done = belljar("doctor", "--json", "--state-dir", str(tmp_path), PATH=str(tmp_path))
    missing = {check["id"] for check in json.loads(done.stdout)["checks"] if check["level"] == "missing"}
    # Root starts nothing without a jail; another user can.
    wanted = {"chromium", "xvfb", "openbox", "bubblewrap"} | ({"jail"} if os.geteuid() == 0 else set())
    assert (done.returncode, missing) == (1, wanted)


def test_doctor_shows_people_a_table(tmp_path: Path) -> None:
    done = belljar("doctor", "--state-dir", str(tmp_path))
    assert "Chromium" in done.stdout and "ok" in done.stdout


@pytest.mark.parametrize("target", ["browser", "desktop"])
def test_install_finds_everything_there(target: str) -> None:
    done = belljar("install", target)
    assert (done.returncode, done.stdout) == (0, f"Everything for the {target} is installed and runs.\n")


def test_an_install_that_cannot_go_on_says_why_in_one_sentence(tmp_path: Path) -> None:
    done = belljar("install", "browser", "--yes", PATH=str(tmp_path))
    assert done.returncode == 1
    [sentence] = done.stderr.splitlines()
    assert sentence.startswith("belljar: ") and sentence.endswith(".")


def test_install_apk_prints_its_list_and_fails() -> None:
    done = belljar("install", "browser", "--package-manager", "apk", "--print-only")
    assert done.returncode == 1
    assert done.stdout.startswith("apk add chromium ")
    assert "not supported" in done.stderr


@pytest.mark.parametrize(
    "command", [(), ("box",), ("install", "browser"), ("install", "desktop"), ("doctor",), ("openapi",)]
)
def test_every_command_has_help_with_an_example(command: tuple[str, ...]) -> None:
    done = belljar(*command, "--help")
    assert done.returncode == 0
    assert not command or "Example" in done.stdout
