"""What every test may use."""

import signal
from collections.abc import Iterator

import httpx2 as httpx
import pytest

from tests.npm_clients import NodeClients, installed_clients
from tests.servers import RunningBox, running_box

# A shell starts what it runs in the background deaf to Ctrl-C, and so would be every server that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Files with tests that mostly wait.  Begun last they would keep the others waiting at the end.
_FIRST = ("control/test_outages", "browser/test_faults", "egress/test_inside_a_network", "control/test_revocation")


# Seconds for tests of which more than a minute is asked on a busy machine; long runs have as many as they want.
_LONGER = {"soak": 0, "npm": 300}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def is_first(item: pytest.Item) -> bool:
        return any(name in item.nodeid for name in _FIRST)

    items.sort(key=lambda item: not is_first(item))
    for item in items:
        longer = [_LONGER[mark.name] for mark in item.iter_markers() if mark.name in _LONGER]
        if longer or is_first(item):
            item.add_marker(pytest.mark.timeout(longer[0] if longer else 180))


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
