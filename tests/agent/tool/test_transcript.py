"""The session of docs/guide/agent-tool.md, call by call."""

import re
from pathlib import Path
from typing import Any

from tests.agent.tool.conftest import Call
from tests.site import Site

GUIDE = Path(__file__).parents[3] / "docs/guide/agent-tool.md"
ORIGIN = "http://127.0.0.1:8000"


def test_the_guides_session_is_what_happens(call: Call, site: Site) -> None:
    steps = re.findall(r"```call\n(.*?)```\n.*?```answer\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert len(steps) == 5

    def browser(operation: str, **parameters: Any) -> str:
        return call(operation, **parameters)

    for asked, told in steps:
        answer = eval(asked.replace(ORIGIN, site.origin()), {"browser": browser})
        shown = re.sub(r"untrusted [0-9a-f]{16}", "untrusted 5f0c3a9d21b74e68", answer).replace(site.origin(), ORIGIN)
        assert shown == told.strip()
