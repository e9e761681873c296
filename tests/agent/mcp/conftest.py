"""One box and one site for the tests of a module."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.agent.mcp.clients import Agent, connected
from tests.servers import RunningBox
from tests.site import Site, running_site


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as running:
        yield running


@pytest.fixture
async def agent(box: RunningBox) -> AsyncIterator[Agent]:
    async with connected(f"{box.url}/mcp", box.token) as agent:
        yield agent
