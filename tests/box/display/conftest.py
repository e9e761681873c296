"""A process runtime and a display for each test."""

from collections.abc import AsyncIterator

import pytest

from belljar.box.display import Display, open_display
from belljar.box.process import Processes, open_processes


@pytest.fixture
async def processes() -> AsyncIterator[Processes]:
    async with open_processes(may_be_root=True) as running:
        yield running


@pytest.fixture
async def display(processes: Processes) -> AsyncIterator[Display]:
    async with open_display(processes) as part:
        yield part
