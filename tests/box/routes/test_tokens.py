"""Tokens a box mints, what they open, and how a browser signs in."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import httpx2 as httpx
import jwt
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.described import paths
from tests.servers import RunningBox, running_box

OPERATIONS = [
    (method, re.sub(r"\{[^}]+\}", "no-such-id", path))
    for path, methods in paths().items()
    for method in methods
    if path not in ("/healthz", "/readyz", "/view/session")
]


def mint(http: httpx.Client, role: str, **fields: object) -> dict[str, str]:
    answer = http.post("/v1/tokens", json={"role": role, **fields})
    assert answer.status_code == 200, answer.text
    minted: dict[str, str] = answer.json()
    return minted


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_minted_token_says_for_whom_and_how_long(http: httpx.Client) -> None:
    minted = mint(http, "view", ttl=60, name="Ann")
    claims = jwt.decode(minted["token"], options={"verify_signature": False})
    assert (claims["sub"], claims["role"], claims["aud"]) == ("Ann", "view", "belljar:session:box")
    assert claims["jti"] == minted["id"] and claims["nonce"]
    assert claims["exp"] <= time.time() + 62


@pytest.mark.parametrize(("method", "path"), OPERATIONS, ids=lambda value: str(value))
def test_a_view_token_changes_nothing_anywhere(box: RunningBox, http: httpx.Client, method: str, path: str) -> None:
    token = mint(http, "view")["token"]
    answer = httpx.request(method, box.url + path, headers=bearer(token))
    if method != "get":
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_a_view_token_reads_what_the_screen_shows_and_no_secrets(box: RunningBox, http: httpx.Client) -> None:
    token = mint(http, "view")["token"]
    assert httpx.get(box.url + "/v1/control", headers=bearer(token)).status_code == 200
    for path in ("/v1/processes", "/v1/processes/x/logs", "/v1/browser/cookies", "/v1/browser/network", "/new/path"):
        assert httpx.get(box.url + path, headers=bearer(token)).status_code == 403


@pytest.mark.parametrize("role", ["drive", "view"])
def test_only_the_operator_mints(box: RunningBox, http: httpx.Client, role: str) -> None:
    token = mint(http, role)["token"]
    answer = httpx.post(box.url + "/v1/tokens", json={"role": "view"}, headers=bearer(token))
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_a_drive_token_uses_the_box(box: RunningBox, http: httpx.Client) -> None:
    token = mint(http, "drive")["token"]
    assert httpx.get(box.url + "/v1/processes", headers=bearer(token)).status_code == 200


def test_forged_tokens_and_those_of_another_box_open_nothing(box: RunningBox, http: httpx.Client) -> None:
    expired = jwt.decode(mint(http, "drive")["token"], options={"verify_signature": False}) | {"exp": 1}
    forged = jwt.encode(expired | {"exp": int(time.time()) + 60}, b"k" * 32, "HS256")
    for token in (forged, jwt.encode(expired, "", "none"), "a.b.c"):
        assert httpx.get(box.url + "/v1/control", headers=bearer(token)).status_code == 401
    with running_box("--box-id", "another") as another:
        good = mint(http, "drive")["token"]
        assert httpx.get(another.url + "/v1/control", headers=bearer(good)).status_code == 401


@pytest.mark.parametrize(
    "body", [{}, {"role": "operator"}, {"role": "drive", "ttl": 0}, {"role": "drive", "ttl": 1e12}]
)
def test_what_cannot_be_minted_is_refused(http: httpx.Client, body: dict[str, object]) -> None:
    assert http.post("/v1/tokens", json=body).status_code == 422


def ticket_of(link: str) -> str:
    return link.partition("#ticket=")[2]


def test_a_link_signs_in_once_with_a_cookie_of_its_own(box: RunningBox, http: httpx.Client) -> None:
    ticket = ticket_of(mint(http, "view", name="Ann")["link"])
    with httpx.Client(base_url=box.url) as browser:
        signed = browser.post("/view/session", json={"ticket": ticket})
        assert (signed.status_code, signed.json()["role"], signed.json()["name"]) == (200, "view", "Ann")
        cookie = signed.headers["set-cookie"]
        assert cookie.startswith("belljar_box=")
        assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Path=/;"))
        assert "Secure" not in cookie
        assert browser.get("/v1/control").status_code == 200
        assert browser.get("/v1/processes").status_code == 403
        again = browser.post("/view/session", json={"ticket": ticket})
        assert (again.status_code, again.json()["code"]) == (401, "token_invalid")


def test_a_pasted_token_signs_in_and_never_as_the_operator(box: RunningBox) -> None:
    with httpx.Client(base_url=box.url) as browser:
        assert browser.post("/view/session", json={"token": "wrong"}).status_code == 401
        assert browser.post("/view/session", json={}).status_code == 401
        assert browser.post("/view/session", json={"token": box.token}).json()["role"] == "drive"
        assert browser.get("/v1/processes").status_code == 200
        refused = browser.post("/v1/tokens", json={"role": "view"}, headers={"Origin": box.url})
        assert refused.status_code == 403


def test_what_changes_something_with_the_cookie_needs_the_pages_own_origin(box: RunningBox) -> None:
    with httpx.Client(base_url=box.url) as browser:
        browser.post("/view/session", json={"token": box.token})
        body = {"action": "take"}
        assert browser.post("/v1/control", json=body).json()["code"] == "foreign_origin"
        for origin in ("null", "http://evil.example", box.url + "1"):
            refused = browser.post("/v1/control", json=body, headers={"Origin": origin})
            assert refused.json()["code"] == "foreign_origin"
        assert browser.post("/v1/control", json=body, headers={"Origin": box.url}).status_code == 200
        browser.post("/v1/control", json={"action": "release"}, headers={"Origin": box.url})


def test_the_cookie_is_secure_under_tls_and_lives_at_the_boxs_prefix(box: RunningBox) -> None:
    body = {"token": box.token, "path": "/sub/box-1/"}
    origin = box.url.replace("http:", "https:")
    cookie = httpx.post(box.url + "/view/session", json=body, headers={"Origin": origin}).headers["set-cookie"]
    assert "Path=/sub/box-1/;" in cookie and "Secure" in cookie
    for path in ("/a;b/", "a", "/../", "/a"):
        answer = httpx.post(box.url + "/view/session", json={"token": box.token, "path": path})
        assert answer.status_code == 422 or path == "/../"


def test_signing_out_takes_the_cookie_back(box: RunningBox) -> None:
    with httpx.Client(base_url=box.url) as browser:
        browser.post("/view/session", json={"token": box.token})
        assert browser.delete("/view/session", headers={"Origin": box.url}).status_code == 200
        assert browser.get("/v1/control").status_code == 401


def test_the_page_needs_no_token_and_may_load_nothing_from_elsewhere(box: RunningBox) -> None:
    page = httpx.get(box.url + "/view")
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    for name in re.findall(r'(?:src|href)="(view/[^"]+)"', page.text):
        asset = httpx.get(f"{box.url}/{name}")
        assert asset.status_code == 200
        assert asset.headers["x-content-type-options"] == "nosniff"


def test_a_link_signs_one_person_in_and_opens_nothing_by_itself(box: RunningBox, http: httpx.Client) -> None:
    ticket = ticket_of(mint(http, "drive", name="Ann")["link"])
    for path in ("/v1/health", "/v1/processes", "/v1/browser/cdp/json/version", "/metrics"):
        assert httpx.get(box.url + path, params={"ticket": ticket}).status_code == 401
        assert httpx.get(box.url + path, headers=bearer(ticket)).status_code == 401
    for path in ("/v1/live", "/v1/browser/cdp"):
        with pytest.raises(InvalidStatus) as refused, connect(f"ws://127.0.0.1:{box.port}{path}?ticket={ticket}"):
            pass
        assert refused.value.response.status_code == 401

    def sign_in(_: int) -> int:
        return httpx.post(box.url + "/view/session", json={"ticket": ticket}).status_code

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(sign_in, range(6))) == [200] + [401] * 5


@pytest.mark.parametrize("path", ["1", "/a", "/a/;Domain=x/", "/a/\n/", "x" * 600])
def test_signing_out_takes_only_a_path_that_a_cookie_can_have(box: RunningBox, path: str) -> None:
    answer = httpx.delete(f"{box.url}/view/session", params={"path": path})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "path")
    assert "set-cookie" not in answer.headers


def test_a_token_for_once_opens_one_socket(box: RunningBox, http: httpx.Client) -> None:
    token = mint(http, "drive", once=True)["token"]
    assert httpx.get(f"{box.url}/v1/processes", headers=bearer(token)).status_code == 401
    address = f"{box.url.replace('http', 'ws')}/v1/live?token={token}"
    with connect(address) as socket:
        assert '"ready"' in str(socket.recv(timeout=10))
        with pytest.raises(InvalidStatus) as refused:
            connect(address)
    assert refused.value.response.status_code == 401
