"""The folders of a box go with it, and those of one that was killed with the next."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import eventually
from tests.servers import running_box


@pytest.fixture
def temporary() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="belljar-test-", ignore_cleanup_errors=True) as name:
        os.chmod(name, 0o755)
        yield Path(name)


def test_what_a_killed_box_left_is_removed_by_the_next(temporary: Path) -> None:
    env = {"TMPDIR": str(temporary)}
    with running_box(env=env) as living, running_box(env=env) as killed:
        assert len(of_boxes(temporary)) == 2
        killed.process.kill()
        killed.process.wait()
        assert len(of_boxes(temporary)) == 2
        with running_box(env=env) as third:
            eventually(lambda: len(of_boxes(temporary)) == 2, "the end of what was left")
            for box in (living, third):
                with box.client() as http:
                    body = {"command": "sh", "args": ["-c", "touch ~/here && echo kept"]}
                    assert http.post("/v1/processes/run", json=body).json()["stdout"] == "kept\n"
    assert of_boxes(temporary) == []


def of_boxes(temporary: Path) -> list[Path]:
    return list(temporary.glob("belljar-box-*"))
