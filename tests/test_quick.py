"""The lists of tests/conftest.py are true, and `make quick` starts neither a browser nor a server."""

import subprocess
from pathlib import Path

import pytest

from tests.conftest import PARTS, QUICK, NotQuick


@pytest.mark.parametrize("name", QUICK)
def test_what_is_listed_is_there(name: str) -> None:
    here = Path(__file__).parent
    assert (here / name).is_dir() if name.endswith("/") else (here / f"{name}.py").is_file()


@pytest.mark.parametrize("name", [name for names in PARTS.values() for name in names])
def test_so_is_what_has_a_target_of_its_own(name: str) -> None:
    assert list(Path(__file__).parent.glob(f"{name}*.py"))


@pytest.mark.parametrize(
    "command", [["/usr/bin/chromium", "--version"], ["python3", "-m", "belljar", "box"], ["bwrap", "--version"]]
)
def test_a_quick_test_starts_no_such_program(command: list[str]) -> None:
    with pytest.raises(NotQuick, match=Path(command[0]).name if command[0] != "python3" else "belljar"):
        subprocess.run(command, timeout=20)
