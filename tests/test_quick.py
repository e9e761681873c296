"""`make quick` runs what stands in its list, and nothing that starts a browser or a server."""

import subprocess
from pathlib import Path

import pytest

from tests.conftest import QUICK, NotQuick


@pytest.mark.parametrize("name", QUICK)
def test_what_is_listed_is_there(name: str) -> None:
    here = Path(__file__).parent
    assert (here / name).is_dir() if name.endswith("/") else (here / f"{name}.py").is_file()


@pytest.mark.parametrize(
    "command", [["/usr/bin/chromium", "--version"], ["python3", "-m", "belljar", "box"], ["bwrap", "--version"]]
)
def test_a_quick_test_starts_no_such_program(command: list[str]) -> None:
    with pytest.raises(NotQuick, match=Path(command[0]).name if command[0] != "python3" else "belljar"):
        subprocess.run(command, timeout=20)
