"""The session in the guide is a real one."""

import re
from pathlib import Path

from tests.agent.mcp.clients import Agent
from tests.agent.mcp.transcript import played
from tests.site import Site

GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "mcp.md"


async def test_the_session_in_the_guide_goes_as_it_stands_there(agent: Agent, site: Site) -> None:
    found = re.search(r"^```text\n(→ navigate.*?)\n```$", GUIDE.read_text(), re.M | re.S)
    assert found, "the guide shows no session"
    assert await played(agent, site.origin()) == found[1]
