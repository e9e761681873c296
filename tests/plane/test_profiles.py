"""Browser profiles that outlive sessions."""

from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import pytest

from tests.plane.plane import RunningPlane, running_plane


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--egress", "open") as running:
        yield running


def browser(session: dict[str, Any]) -> httpx.Client:
    headers = {"Authorization": f"Bearer {session['token']}"}
    return httpx.Client(base_url=session["httpUrl"] + "/v1/browser", headers=headers, timeout=60)


def remembered(session: dict[str, Any], url: str) -> object:
    with browser(session) as client:
        assert client.post("/navigate", json={"url": url}).is_success
        return client.post("/execute", json={"expression": "localStorage.getItem('seen')"}).json().get("result")


def remember(session: dict[str, Any], url: str, value: str) -> None:
    with browser(session) as client:
        assert client.post("/navigate", json={"url": url}).is_success
        client.post("/execute", json={"expression": f"localStorage.setItem('seen', '{value}')"})


def test_what_one_session_leaves_the_next_finds(plane: RunningPlane) -> None:
    # Any page of a fixed origin will do; the control plane's own has one.
    page = plane.url + "/"
    with plane.client() as client:
        profile = client.post("/api/profiles", json={"name": "shop"}).json()
        wanted = {"mode": "browser", "headless": True, "profileId": profile["id"]}
        first = plane.create(**wanted)
        remember(first, page, "yes")
        with browser(first) as inside:
            # One that ends with the browser, as most sites' sign-in does.
            inside.post("/cookies", json={"cookies": [{"name": "signedIn", "value": "yes"}]}).raise_for_status()
        with browser(first) as inside:
            assert [one["id"] for one in inside.get("/contexts").json()["contexts"]] == [profile["id"]]
        refused = client.post("/api/sessions", json=wanted)
        assert refused.status_code == 409 and refused.json()["code"] == "profile_in_use"
        assert refused.json()["sessionId"] == first["id"]
        assert client.delete(f"/api/profiles/{profile['id']}").status_code == 409
        client.delete(f"/api/sessions/{first['id']}")
        assert "sessionId" not in client.get(f"/api/profiles/{profile['id']}").json()

        copy = plane.create(**wanted, readOnly=True)
        assert remembered(copy, page) == "yes"
        remember(copy, page, "changed in the copy")
        second = plane.create(**wanted)
        assert remembered(second, page) == "yes"
        for session in (copy, second):
            with browser(session) as inside:
                assert "signedIn" in [
                    one["name"] for one in inside.get("/cookies", params={"url": page}).json()["cookies"]
                ]
        for session in (copy, second):
            client.delete(f"/api/sessions/{session['id']}")
        assert client.delete(f"/api/profiles/{profile['id']}").is_success
        assert client.get("/api/profiles").json()["profiles"] == []
        assert list((plane.state_dir / "profiles").iterdir()) == []


def test_profiles_belong_to_their_user(plane: RunningPlane) -> None:
    with plane.client(plane.new_key("ann")) as ann, plane.client(plane.new_key("bob")) as bob:
        profile = ann.post("/api/profiles").json()
        assert bob.get("/api/profiles").json()["profiles"] == []
        for refused in (
            bob.get(f"/api/profiles/{profile['id']}"),
            bob.delete(f"/api/profiles/{profile['id']}"),
            bob.post("/api/sessions", json={"profileId": profile["id"]}),
        ):
            assert refused.status_code == 404 and refused.json()["code"] == "profile_not_found"
        assert ann.delete(f"/api/profiles/{profile['id']}").is_success
