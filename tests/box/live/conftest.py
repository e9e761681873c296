"""A box whose headless browser runs, the test site, and a viewer."""

from collections.abc import Iterator

import httpx2 as httpx
import pytest

from tests.box.live.client import LiveClient, watching
from tests.servers import RunningBox, running_box
from tests.site import Site, running_site


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running_site() as site:
        yield site


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    with running_box("--egress", "open", "--live-command-rate", "500") as box, box.client() as client:
        assert client.post("/v1/browser/start", json={"headless": True}).status_code == 200
        yield box


@pytest.fixture
def api(box: RunningBox) -> Iterator[httpx.Client]:
    """Each test begins with one blank tab, and nobody in control."""
    with box.client() as client:
        client.post("/v1/control", json={"action": "release", "force": True}).raise_for_status()
        old = [tab["id"] for tab in client.get("/v1/browser/tabs").json()["tabs"]]
        client.post("/v1/browser/tabs", json={}).raise_for_status()
        for id in old:
            client.delete(f"/v1/browser/tabs/{id}").raise_for_status()
        yield client


@pytest.fixture
def live(box: RunningBox, api: httpx.Client) -> Iterator[LiveClient]:
    with watching(box) as client:
        yield client
