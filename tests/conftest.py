"""What every test may use."""

from collections.abc import Iterator

import httpx2 as httpx
import pytest

from tests.npm_clients import NodeClients, installed_clients
from tests.servers import RunningBox, running_box


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """The loop the server runs on."""
    return "asyncio", {"use_uvloop": True}


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    """One real server for the tests of a module."""
    with running_box() as running:
        yield running


@pytest.fixture
def http(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        yield client


@pytest.fixture(scope="session")
def node_clients() -> NodeClients:
    """Published npm clients on Node 24; skips aloud where npm is missing."""
    return installed_clients()
