"""The suite's own promises: no test hangs, and none is content with one answer or another."""

import re
import time
from pathlib import Path

import anyio
import pytest

HERE = Path(__file__).parent
# `status in (200, 409)` passes whatever happens; the right one is known.
EITHER = re.compile(r"assert .*\b(?:status|status_code)\b[\"'\]]*\s+(?:not )?in [(\[{]")


@pytest.mark.timeout(0.2)
@pytest.mark.xfail(raises=TimeoutError, strict=True)
async def test_one_that_waits_for_ever_is_ended_at_its_limit() -> None:
    await anyio.sleep_forever()


@pytest.mark.timeout(1)
@pytest.mark.xfail(raises=pytest.fail.Exception, strict=True)
def test_so_is_one_that_blocks() -> None:
    time.sleep(20)


def test_one_status_is_right() -> None:
    lines = [
        f"{path.relative_to(HERE)}:{number}: {line.strip()}"
        for path in sorted(HERE.rglob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if EITHER.search(line)
    ]
    assert lines == []
