"""One running box with a browser, and the test site, for what agents use."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.servers import RunningBox, running_box
from tests.site import Site, running_site


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture(scope="session")
def agent_box() -> Iterator[RunningBox]:
    """A box whose headless browser runs, for all tests of a worker: leave it as it is."""
    with running_box() as box, box.client() as client:
        assert client.post("/v1/browser/start", json={"headless": True}).status_code == 200
        yield box


def made_up(site: Site, body: str) -> str:
    """The address of a page with this body."""
    return site.url(f"_/html?body={quote(body)}")
