"""Control as a program sees it over HTTP."""

import httpx2 as httpx

from tests.servers import RunningBox


def act(http: httpx.Client, action: str, **fields: object) -> httpx.Response:
    return http.post("/v1/control", json={"action": action, **fields})


def test_the_agent_takes_and_gives_back(http: httpx.Client) -> None:
    assert http.get("/v1/control").json()["holder"] == {"kind": "none"}
    taken = act(http, "take").json()
    assert taken["holder"] == {"kind": "agent"} and taken["expiresAt"]
    assert http.get("/v1/control").json()["holder"] == {"kind": "agent"}
    assert act(http, "renew").status_code == 200
    assert act(http, "release").json()["holder"] == {"kind": "none"}


def test_control_goes_to_nobody_that_is_not_there(http: httpx.Client) -> None:
    unknown = act(http, "give", to="nobody-here")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "viewer_not_found")
    assert act(http, "give").status_code == 400
    assert act(http, "dance").status_code == 422


def test_only_the_operator_ends_control_by_force(box: RunningBox, http: httpx.Client) -> None:
    token = http.post("/v1/tokens", json={"role": "drive"}).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    body = {"action": "release", "force": True}
    assert httpx.post(box.url + "/v1/control", json=body, headers=headers).status_code == 403
    assert act(http, "release", force=True).status_code == 200
