"""The tool on the running box, with a state folder of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from belljar.agent.tool import BrowserTool
from tests.servers import RunningBox

Call = Callable[..., str]


@pytest.fixture
def call(agent_box: RunningBox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Call]:
    """`call("navigate", url=…)` gives the tool's text; the tool's context is wiped before and after."""
    monkeypatch.setenv("BELLJAR_STATE_DIR", str(tmp_path))
    tool = BrowserTool(agent_box.url, agent_box.token)

    def call(operation: str, **parameters: Any) -> str:
        return tool.call({"operation": operation, **parameters})

    call("close")
    yield call
    call("close")


def fields(text: str) -> dict[str, str]:
    """The lines of an answer by their names."""
    return dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
