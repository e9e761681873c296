"""Saved contexts keep cookies and storage from one start to the next."""

from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import pytest

from tests.servers import running_box
from tests.site import Site


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with running_box("--egress", "open") as box, box.client() as client:
        yield client


def start(client: httpx.Client, **fields: Any) -> httpx.Response:
    return client.post("/v1/browser/start", json={"headless": True, **fields})


def run(client: httpx.Client, expression: str) -> Any:
    return client.post("/v1/browser/execute", json={"expression": expression}).json()["result"]


@pytest.mark.parametrize("headless", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_a_context_remembers_and_a_copy_of_it_too(client: httpx.Client, site: Site, headless: bool) -> None:
    made = client.post("/v1/browser/contexts", json={"name": "work"})
    assert made.status_code == 201
    context = made.json()["id"]
    started = start(client, contextId=context, url=site.url("index.html"), headless=headless)
    assert started.json()["contextId"] == context
    run(client, "localStorage.kept = 'yes'; document.cookie = 'kept=yes; max-age=9999'; 1")
    # What most sites call being signed in: a cookie without a date.
    client.post("/v1/browser/cookies", json={"cookies": [{"name": "signedIn", "value": "yes"}]}).raise_for_status()
    client.post("/v1/browser/tabs", json={"url": site.url("second.html")}).raise_for_status()
    refused = client.delete(f"/v1/browser/contexts/{context}")
    assert (refused.status_code, refused.json()["code"]) == (409, "context_in_use")
    client.post("/v1/browser/stop").raise_for_status()
    copy = client.post("/v1/browser/contexts", json={"name": "copy", "copyOf": context}).json()["id"]
    for id in (context, copy):
        start(client, contextId=id, url=site.url("index.html"), headless=headless).raise_for_status()
        assert run(client, "[localStorage.kept, document.cookie]") == ["yes", "kept=yes; signedIn=yes"]
        assert len(client.get("/v1/browser/tabs").json()["tabs"]) == 1
        client.post("/v1/browser/stop").raise_for_status()
    listed = client.get("/v1/browser/contexts").json()["contexts"]
    assert [one["name"] for one in listed] == ["work", "copy"]
    assert all(one["sizeBytes"] > 0 for one in listed)
    assert client.delete(f"/v1/browser/contexts/{copy}").status_code == 204
    assert len(client.get("/v1/browser/contexts").json()["contexts"]) == 1
    assert client.delete(f"/v1/browser/contexts/{context}").status_code == 204


@pytest.mark.parametrize("id", ["ctx_0000000000000000", "..", "ctx_../../etc"])
def test_an_unknown_context_is_404(client: httpx.Client, id: str) -> None:
    refused = start(client, contextId=id)
    assert (refused.status_code, refused.json()["code"]) == (404, "context_not_found")
    assert client.get("/v1/browser/status").json()["state"] == "failed"
    assert client.post("/v1/browser/stop").json() == {"state": "inactive"}
