"""What a model is shown of the tools."""

import json

from belljar.agent.mcp.definitions import BY_NAME, DEFINITIONS, INSTRUCTIONS
from belljar.agent.mcp.server import TOOLS
from tests.agent.mcp.clients import Agent

MOST_CHARS = 10_000


def test_every_tool_is_defined_and_every_definition_is_a_tool() -> None:
    assert set(BY_NAME) == set(TOOLS)
    assert len(BY_NAME) == len(DEFINITIONS)


def test_the_instructions_are_short() -> None:
    assert len(INSTRUCTIONS) < 700


async def test_all_definitions_together_are_short_as_a_client_gets_them(agent: Agent) -> None:
    tools = (await agent.client.list_tools()).tools
    sent = json.dumps([tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools])
    assert set(BY_NAME) == {tool.name for tool in tools}
    assert len(sent) < MOST_CHARS
    assert '"title"' not in sent
    assert "outputSchema" not in sent
