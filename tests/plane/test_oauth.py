"""Apps that people let in over MCP: what a good one gets, and what every bad one does not."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2 as httpx
import pytest
from websockets.sync.client import connect

from belljar.plane.access.apps import Refusal, is_redirect, is_same_redirect, redirect_uris
from tests.plane.app_client import BACK, MCP, App
from tests.plane.plane import PATIENCE, RunningPlane, close_of, running_plane, until
from tests.plane.postgres import Postgres
from tests.plane.test_two_planes import free_port

# How long anything may outlive what it goes back to.
WITHIN = 5.0


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--max-sessions-per-user", "20") as running:
        yield running


@pytest.fixture(scope="module")
def ann(plane: RunningPlane) -> str:
    return plane.new_key("ann")


@pytest.fixture(scope="module")
def app(plane: RunningPlane) -> App:
    """One that is registered; each test asks anew."""
    return App(plane)


def refused(answer: httpx.Response, error: str, status: int = 400) -> None:
    """In OAuth's words and in a problem's."""
    body = answer.json()
    assert (answer.status_code, body["error"]) == (status, error), answer.text
    assert body["code"] == "app_refused" and body.get("error_description", body["detail"])


def of_family_is_over(app: App, tokens: dict[str, Any]) -> None:
    assert app.mcp(tokens["access_token"]).status_code == 401
    refused(app.refresh(tokens["refresh_token"]), "invalid_grant")


def test_whoever_comes_without_a_token_learns_where_to_get_one(plane: RunningPlane) -> None:
    with httpx.Client(base_url=plane.url) as client:
        answer = client.post("/mcp", json={}, headers=MCP)
        said = answer.headers["www-authenticate"]
        assert answer.status_code == 401 and 'scope="drive"' in said and "error=" not in said
        at = said.partition('resource_metadata="')[2].partition('"')[0]
        assert at.startswith(plane.url)
        resource = client.get(at).json()
        assert resource["resource"] == f"{plane.url}/mcp" and resource["authorization_servers"] == [plane.url]
        assert resource["scopes_supported"] == ["view", "drive"]
        server = client.get("/.well-known/oauth-authorization-server").json()
        assert server["issuer"] == plane.url and server["code_challenge_methods_supported"] == ["S256"]
        assert server["authorization_response_iss_parameter_supported"] is True
        for path in ("oauth-protected-resource", "oauth-authorization-server", "openid-configuration"):
            whole, suffixed = client.get(f"/.well-known/{path}"), client.get(f"/.well-known/{path}/mcp")
            assert whole.json() == suffixed.json()
            assert client.get(f"/.well-known/{path}/elsewhere").status_code == 404
        wrong = client.post("/mcp", json={}, headers={**MCP, "Authorization": "Bearer bja_wrong"})
        assert wrong.status_code == 401 and 'error="invalid_token"' in wrong.headers["www-authenticate"]
        elsewhere = client.get("/api/me").headers["www-authenticate"]
        assert "resource_metadata" not in elsewhere


def test_behind_a_sub_path_everything_has_the_prefix() -> None:
    root, port = "https://box.example/tools/belljar", free_port()
    with running_plane("--public-url", root, "--port", str(port)):
        with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
            said = client.post("/mcp", json={}, headers=MCP).headers["www-authenticate"]
            assert f'resource_metadata="{root}/.well-known/oauth-protected-resource/mcp"' in said
            inserted = "/.well-known/oauth-protected-resource/tools/belljar/mcp"
            assert client.get(inserted).json()["resource"] == f"{root}/mcp"
            for path in ("oauth-authorization-server/tools/belljar", "openid-configuration"):
                server = client.get(f"/.well-known/{path}").json()
                assert server["issuer"] == root and server["token_endpoint"] == f"{root}/oauth/token"


def test_an_app_drives_the_persons_own_sessions_over_mcp_and_nothing_else(
    plane: RunningPlane, app: App, ann: str
) -> None:
    theirs = plane.create()
    app.connect(ann)
    assert app.tokens["token_type"] == "Bearer" and app.tokens["scope"] == "drive" and app.tokens["expires_in"] <= 900
    assert app.mcp().status_code == 200
    assert "is_error" not in app.tool("tabs")
    with plane.client(ann) as client:
        [mine] = client.get("/api/sessions", params={"tag": "mcp:default"}).json()["sessions"]
        assert mine["userId"] == "ann"
    for method, path in (
        ("GET", "/api/me"),
        ("GET", "/api/sessions"),
        ("POST", "/api/sessions"),
        ("GET", "/api/sign-ins"),
        ("POST", "/api/apps/consent"),
        ("POST", "/api/keys"),
        ("GET", "/api/audit"),
        ("GET", f"/s/{mine['id']}/v1/health"),
        ("POST", f"/s/{mine['id']}/v1/processes"),
        ("POST", f"/s/{mine['id']}/mcp"),
        ("GET", f"/s/{theirs['id']}/v1/health"),
        ("POST", f"/s/{mine['id']}/view/session"),
    ):
        body = {"token": app.access} if path.endswith("view/session") else {}
        bearer = {} if path.endswith("view/session") else {"Authorization": f"Bearer {app.access}"}
        answer = app.http.request(method, path, json=body if method == "POST" else None, headers=bearer)
        assert answer.status_code == 401, (method, path, answer.text)
    lookup = app.http.get(f"/s/{mine['id']}/v1/browser/cdp/json/version?token={app.access}")
    assert lookup.status_code == 401


def test_an_admin_who_lets_an_app_in_lends_it_no_more_than_their_own_sessions(
    plane: RunningPlane, app: App, ann: str
) -> None:
    made = plane.create(ann, tags={"mcp": "default"})
    app.connect(plane.key)
    app.tool("tabs")
    with plane.client() as admin:
        found = admin.get("/api/sessions", params={"tag": "mcp:default", "user": "admin"}).json()["sessions"]
    assert [one["userId"] for one in found] == ["admin"] and found[0]["id"] != made["id"]


def test_an_app_that_may_watch_starts_and_changes_nothing(plane: RunningPlane, app: App) -> None:
    key = plane.new_key("viola")
    app.connect(key, scope="view", role="view")
    assert app.tokens["scope"] == "view"
    assert "forbidden" in app.tool("tabs")
    session = plane.create(key, mode="browser", headless=True, tags={"mcp": "default"})
    assert "role drive" in app.tool("navigate", url="about:blank")
    assert "forbidden" not in app.tool("screenshot")
    assert plane.get(session["id"])["state"] == "running"
    # More than was let in is not to be had by asking for it later.
    refused(app.refresh(app.tokens["refresh_token"], scope="view drive operator"), "invalid_scope")
    lowered = App(plane).connect(key, role="view")
    assert lowered.tokens["scope"] == "view", "the person chose less than it asked for"


def test_a_code_is_good_once_and_its_replay_ends_what_it_gave(app: App, ann: str) -> None:
    code = app.code(ann)
    first = app.redeem(code)
    assert first.status_code == 200 and app.mcp(first.json()["access_token"]).status_code == 200
    refused(app.redeem(code), "invalid_grant")
    of_family_is_over(app, first.json())


def test_of_many_that_redeem_one_code_at_once_nobody_keeps_what_they_got(app: App, ann: str) -> None:
    code = app.code(ann)
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: app.redeem(code), range(6)))
    given = [answer.json() for answer in answers if answer.status_code == 200]
    assert len(given) <= 1
    for tokens in given:
        of_family_is_over(app, tokens)


def test_a_stolen_refresh_token_ends_thief_and_owner(app: App, ann: str) -> None:
    app.connect(ann)
    stolen = app.tokens["refresh_token"]
    owner = app.refresh(stolen)
    assert owner.status_code == 200 and owner.json()["refresh_token"] != stolen
    assert app.mcp(owner.json()["access_token"]).status_code == 200
    refused(app.refresh(stolen), "invalid_grant")
    of_family_is_over(app, owner.json())


def test_another_app_can_use_neither_code_nor_refresh_token(plane: RunningPlane, app: App, ann: str) -> None:
    other = App(plane)
    code = app.code(ann)
    refused(other.redeem(code, code_verifier=app.verifier), "invalid_grant")
    app.connect(ann)
    refused(other.refresh(app.tokens["refresh_token"]), "invalid_grant")
    other.http.post("/oauth/revoke", data={"token": app.access, "client_id": other.id})
    assert app.mcp().status_code == 200, "nor revoke it"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"redirectUri": "https://evil.example/back"}, "invalid_request"),
        ({"redirectUri": BACK + "/more"}, "invalid_request"),
        ({"redirectUri": BACK + "?more=1"}, "invalid_request"),
        ({"redirectUri": BACK.replace("app.", "APP.")}, "invalid_request"),
        ({"redirectUri": "https://app.example@evil.example/back"}, "invalid_request"),
        ({"clientId": "app-unknown"}, "invalid_client"),
        ({"responseType": "token"}, "unsupported_response_type"),
        ({"codeChallengeMethod": "plain"}, "invalid_request"),
        ({"codeChallengeMethod": None}, "invalid_request"),
        ({"codeChallenge": None}, "invalid_request"),
        ({"codeChallenge": "short"}, "invalid_request"),
        ({"state": None}, "invalid_request"),
        ({"scope": "operator"}, "invalid_scope"),
        ({"scope": "drive admin"}, "invalid_scope"),
        ({"scope": "view"}, "invalid_scope"),  # and the person is made to say drive
        ({"resource": "https://another.example/mcp"}, "invalid_target"),
        ({"resource": "REST"}, "invalid_target"),
    ],
)
def test_a_request_that_is_not_as_it_should_be_is_refused_and_sends_nobody_anywhere(
    plane: RunningPlane, app: App, ann: str, changes: dict[str, Any], error: str
) -> None:
    if changes.get("resource") == "REST":
        changes = {"resource": f"{plane.url}/api"}
    for answer in (app.ask(ann, **changes), app.ask(ann, **changes, allow=False)):
        if error == "invalid_scope" and changes["scope"] == "view" and answer.status_code == 200:
            continue  # it may be refused by the person
        refused(answer, error)
        assert "redirectTo" not in answer.json() and "location" not in answer.headers
    page = app.http.get("/oauth/authorize", params={"redirect_uri": "https://evil.example", "client_id": app.id})
    assert page.status_code == 200 and "location" not in page.headers
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


@pytest.mark.parametrize(
    "changes",
    [
        {"code_verifier": "b" * 43},
        {"code_verifier": None},
        {"code_verifier": ""},
        {"redirect_uri": "https://evil.example/back"},
        {"code": "bjc_made_up"},
    ],
)
def test_a_code_without_its_verifier_or_at_another_address_gives_nothing(
    app: App, ann: str, changes: dict[str, Any]
) -> None:
    refused(app.redeem(app.code(ann), **changes), "invalid_grant")


def test_the_audience_is_this_server_and_this_resource(plane: RunningPlane, app: App, ann: str) -> None:
    refused(app.redeem(app.code(ann), resource="https://another.example/mcp"), "invalid_target")
    app.connect(ann)
    refused(app.refresh(app.tokens["refresh_token"], resource=f"{plane.url}/api"), "invalid_target")
    # The same server by another name is another resource.
    port = urlsplit(plane.url).port
    assert app.mcp(Host=f"localhost:{port}").status_code == 401
    assert app.mcp().status_code == 200
    with running_plane() as other:
        there = App(other).connect(other.key)
        assert app.mcp(there.access).status_code == 401
        assert there.mcp(app.access).status_code == 401


@pytest.mark.parametrize(
    "uri",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)//",
        "data:text/html,<script>1</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://a/b",
        "about:blank",
        "http://app.example/back",
        "http://127.0.0.1.evil.example/",
        "http://10.0.0.1/",
        "https://user:pass@app.example/",
        "https://app.example/#fragment",
        "https://app.example/\nSet-Cookie: a=b",
        "https://app.exаmple/",
        "https:///nowhere",
        "//app.example/",
        "/back",
        "",
        "https://[::1",
        "https://app.example:99999/",
        "ws://127.0.0.1/",
        "https://app.example/" + "a" * 3000,
    ],
)
def test_addresses_that_no_browser_may_be_sent_to_cannot_be_registered(uri: str) -> None:
    assert not is_redirect(uri)


@pytest.mark.parametrize(
    ("asked", "registered", "is_same"),
    [
        ("http://127.0.0.1:5000/cb", "http://127.0.0.1:4000/cb", True),
        ("http://127.0.0.1/cb", "http://127.0.0.1:4000/cb", True),
        ("http://[::1]:5000/cb", "http://[::1]/cb", True),
        ("http://localhost:5000/cb", "http://localhost:1/cb", True),
        ("http://localhost:5000/cb", "http://127.0.0.1:5000/cb", False),
        ("http://127.0.0.1:5000/other", "http://127.0.0.1:4000/cb", False),
        ("http://127.0.0.1:5000/cb?x=1", "http://127.0.0.1:4000/cb", False),
        ("http://a@127.0.0.1:5000/cb", "http://127.0.0.1:4000/cb", False),
        ("http://127.0.0.1:5000/cb#x", "http://127.0.0.1:4000/cb", False),
        ("https://app.example:444/cb", "https://app.example/cb", False),
        ("com.example.app:/cb", "com.example.app:/cb", True),
    ],
)
def test_redirects_match_letter_for_letter_but_for_this_machines_ports(
    asked: str, registered: str, is_same: bool
) -> None:
    assert is_same_redirect(asked, registered) is is_same


def test_what_registers_is_bounded_and_its_name_is_plain_text(plane: RunningPlane, ann: str) -> None:
    hostile = App(plane, name="<img src=x onerror=alert(1)>\u202eevil\u0000\n" + "x" * 5000)
    shown = hostile.http.post(
        "/api/apps/question", json=hostile.request, headers={"Authorization": f"Bearer {ann}"}
    ).json()
    assert shown["name"].startswith("<img src=x onerror=alert(1)> evil") and len(shown["name"]) <= 100
    assert shown["redirectHost"] == "app.example" and shown["user"] == "ann"
    refused(hostile.register(client_name="x" * 1_000_000, redirect_uris=[BACK]), "invalid_request", 413)
    refused(hostile.http.post("/oauth/register", content=b"[" * 10_000, headers=JSON), "invalid_client_metadata")
    refused(hostile.http.post("/oauth/register", content=b"a=b", headers=FORM), "invalid_request", 415)


JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def test_a_flood_of_registrations_is_stopped_and_the_rest_works_on() -> None:
    with running_plane() as plane:
        app = App(plane).connect(plane.key)
        answers = [app.register(redirect_uris=[BACK]) for _ in range(40)]
        stopped = [answer for answer in answers if answer.status_code == 429]
        assert len(stopped) >= 25 and int(stopped[0].headers["retry-after"]) > 0
        refused(stopped[0], "temporarily_unavailable", 429)
        assert app.mcp().status_code == 200
        assert app.refresh(app.tokens["refresh_token"]).status_code == 200


@pytest.mark.parametrize("given", [None, [], [BACK] * 11, "no list", [1], [BACK, "javascript:1"]])
def test_a_registration_without_good_addresses_is_refused(given: Any) -> None:
    with pytest.raises(Refusal, match="redirect_uri"):
        redirect_uris(given)


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_an_app_with_a_secret_is_known_by_it_alone(ann: str, method: str) -> None:
    with running_plane() as plane:
        app = App(plane, token_endpoint_auth_method=method)
        secret = app.registered["client_secret"]
        code = app.code(plane.key)
        refused(app.redeem(code), "invalid_client", 401)
        refused(app.redeem(code, client_secret="wrong"), "invalid_client", 401)
        basic = httpx.BasicAuth(app.id, secret)
        form = {"grant_type": "authorization_code", "code": code, "code_verifier": app.verifier}
        if method == "client_secret_basic":
            refused(app.http.post("/oauth/token", data={**form, "client_id": "other"}, auth=basic), "invalid_request")
            answer = app.http.post("/oauth/token", data=form, auth=basic)
        else:
            answer = app.redeem(code, client_secret=secret)
        assert answer.status_code == 200, answer.text
        assert secret not in plane.log.read_text() and answer.json()["access_token"] not in plane.log.read_text()


def test_consent_takes_a_page_of_our_own_origin(plane: RunningPlane, app: App) -> None:
    with httpx.Client(base_url=plane.url) as browser:
        signed = browser.post("/sign-in", json={"key": plane.key}, headers={"Origin": plane.url})
        cookie = {"Cookie": signed.headers["set-cookie"].partition(";")[0]}
        assert "samesite=strict" in signed.headers["set-cookie"].lower()
        body = {**app.request, "allow": True, "role": "drive"}
        for origin in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {}):
            answer = browser.post("/api/apps/consent", json=body, headers={**cookie, **origin})
            assert answer.status_code == 403, answer.text
        form = browser.post("/api/apps/consent", data=body, headers={**cookie, "Origin": plane.url})
        assert form.status_code == 415
        assert app.http.post("/api/apps/consent", json=body).status_code == 401
        good = browser.post("/api/apps/consent", json=body, headers={**cookie, "Origin": plane.url})
        assert parse_qs(urlsplit(good.json()["redirectTo"]).query)["code"]


@pytest.mark.parametrize("by", ["app", "person", "operator", "key"])
def test_revocation_ends_what_runs_within_seconds(plane: RunningPlane, by: str) -> None:
    key = plane.new_key(f"owner-{by}")
    app = _shared(plane).connect(key)
    app.tool("navigate", url="about:blank")
    with plane.client(key) as client, ThreadPoolExecutor(1) as pool:
        [session] = client.get("/api/sessions", params={"tag": "mcp:default"}).json()["sessions"]
        link = _link_made_by(app)
        browser = httpx.Client(base_url=plane.url, headers={"Origin": plane.url}, timeout=PATIENCE)
        signed = browser.post(f"/s/{session['id']}/view/session", json={"ticket": link})
        assert signed.status_code == 200, signed.text
        cookie = {"Cookie": signed.headers["set-cookie"].partition(";")[0], "Origin": plane.url}
        at = plane.url.replace("http", "ws") + f"/s/{session['id']}/v1/live"
        waiting = pool.submit(app.mcp, None, _wait_call())
        with connect(at, additional_headers=cookie, proxy=None) as socket:
            [one] = client.get("/api/sign-ins", params={"kind": "app"}).json()["signIns"]
            assert one["name"] == "An app" and one["role"] == "drive" and one["redirectHost"] == "app.example"
            if by == "app":
                form = {"token": app.tokens["refresh_token"], "client_id": app.id}
                assert app.http.post("/oauth/revoke", data=form).status_code == 200
            elif by == "key":
                with plane.client() as admin:
                    [row] = [row for row in admin.get("/api/keys").json()["keys"] if row["user"] == f"owner-{by}"]
                    assert admin.delete(f"/api/keys/{row['id']}").status_code == 200
            else:
                with plane.client(key if by == "person" else None) as who:
                    assert who.delete(f"/api/sign-ins/{one['id']}").status_code == 200
            assert close_of(socket, within=WITHIN).reason == "credential over: revoked"
        try:
            ended = waiting.result(WITHIN)
            assert ended.status_code == 401 or "token_invalid" in ended.text or "result" not in ended.text
        except httpx.RemoteProtocolError:
            pass
        until(lambda: app.mcp().status_code == 401, within=WITHIN, what="its end")
        browser.close()
    refused(app.refresh(app.tokens["refresh_token"]), "invalid_grant")
    assert plane.get(session["id"])["state"] == "running", "the session is its user's"


_APPS: dict[str, App] = {}


def _shared(plane: RunningPlane) -> App:
    """Registrations are bounded, so tests that need no app of their own use one."""
    if plane.url not in _APPS:
        _APPS[plane.url] = App(plane)
    return _APPS[plane.url]


def _wait_call() -> dict[str, Any]:
    wait = {"text": "what never comes", "seconds": 30}
    return {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "wait", "arguments": wait}}


def _link_made_by(app: App) -> str:
    found = re.search(r"#ticket=([\w-]+)", app.tool("ask_person", question="Please?"))
    assert found
    return found[1]


def test_a_person_sees_and_ends_their_own_and_nobody_elses(plane: RunningPlane, ann: str) -> None:
    app = _shared(plane).connect(ann)
    bob = plane.new_key("bob")
    with plane.client(bob) as client:
        assert client.get("/api/sign-ins").json()["signIns"] == []
        assert client.get("/api/sign-ins", params={"user": "ann"}).status_code == 403
    with plane.client(ann) as client:
        [newest, *_] = client.get("/api/sign-ins", params={"kind": "app"}).json()["signIns"]
    with plane.client(bob) as client:
        assert client.delete(f"/api/sign-ins/{newest['id']}").status_code == 404
    assert app.mcp().status_code == 200
    with plane.client() as admin:
        users = {one["user"] for one in admin.get("/api/sign-ins").json()["signIns"]}
        assert "ann" in users
        kinds = [event["kind"] for event in admin.get("/api/audit", params={"user": "ann"}).json()["events"]]
    assert "app.made" in kinds


def test_what_postgresql_cannot_compare_is_the_callers_fault(postgres: Postgres) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    with running_plane("--database-url", postgres.new_database()) as plane, plane.client() as http:
        app = App(plane)
        answers = [
            http.post("/oauth/token", content="grant_type=refresh_token&client_id=%00", headers=form),
            http.post("/oauth/revoke", content="token=x&client_id=%00", headers=form),
            app.ask(plane.key, clientId="\0"),
            http.post("/sign-in", json={"key": "bj_\0_x"}),
            http.get("/api/sign-ins?user=%00"),
            http.get("/api/sessions?user=%00"),
        ]
        assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(400, "invalid_request")}
        assert "http.failed" not in plane.log.read_text(), "nobody fills the log with traces"
        assert app.connect(plane.key).mcp().status_code == 200


def test_an_operator_who_wants_no_apps_has_none() -> None:
    with running_plane("--no-mcp-oauth") as plane, httpx.Client(base_url=plane.url) as client:
        assert "resource_metadata" not in client.post("/mcp", json={}, headers=MCP).headers["www-authenticate"]
        for path in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server"):
            assert client.get(path).status_code == 404
        assert client.post("/oauth/register", json={"redirect_uris": [BACK]}).status_code == 404
        with plane.client() as admin:
            assert admin.post("/mcp", json={}, headers=MCP).status_code != 401, "keys are taken as ever"
