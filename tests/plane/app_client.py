"""An app that a person lets in over OAuth, as the tests play it: it registers, asks, gets tokens, and misbehaves."""

import base64
import hashlib
import secrets
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2 as httpx

from tests.plane.plane import PATIENCE, RunningPlane

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
MCP = {"Accept": "application/json, text/event-stream"}
BACK = "https://app.example/back"


class OneShot:
    """Each request over a connection, and with cookies, of its own."""

    def __init__(self, url: str) -> None:
        self._url = url

    def request(self, method: str, path: str, **given: Any) -> httpx.Response:
        return httpx.request(method, self._url + path, timeout=PATIENCE, **given)

    def get(self, path: str, **given: Any) -> httpx.Response:
        return self.request("GET", path, **given)

    def post(self, path: str, **given: Any) -> httpx.Response:
        return self.request("POST", path, **given)


class App:
    def __init__(self, plane: RunningPlane, *, redirect_uri: str = BACK, name: str = "An app", **more: Any) -> None:
        self.plane = plane
        self.http = OneShot(plane.url)
        answer = self.register(redirect_uris=[redirect_uri], client_name=name, **more)
        assert answer.status_code == 201, answer.text
        self.registered: dict[str, Any] = answer.json()
        self.id = str(self.registered["client_id"])
        self.redirect_uri = redirect_uri
        self.verifier = secrets.token_urlsafe(48)
        self.tokens: dict[str, Any] = {}

    def register(self, **asked: Any) -> httpx.Response:
        return self.http.post("/oauth/register", json=asked)

    @property
    def request(self) -> dict[str, Any]:
        """What it asks the person for, in the API's words."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        return {
            "clientId": self.id,
            "redirectUri": self.redirect_uri,
            "responseType": "code",
            "codeChallenge": challenge,
            "codeChallengeMethod": "S256",
            "state": "known again",
            "scope": "drive",
            "resource": f"{self.plane.url}/mcp",
        }

    def ask(self, key: str, *, role: str = "drive", **changes: Any) -> httpx.Response:
        """A person's own key stands for their browser."""
        body = {**self.request, "allow": True, "role": role, **changes}
        body = {name: value for name, value in body.items() if value is not None}
        return self.http.post("/api/apps/consent", json=body, headers={"Authorization": f"Bearer {key}"})

    def code(self, key: str, **changes: Any) -> str:
        answer = self.ask(key, **changes)
        assert answer.status_code == 200, answer.text
        said = parse_qs(urlsplit(answer.json()["redirectTo"]).query)
        assert said["state"] == ["known again"] and said["iss"] == [self.plane.url]
        return str(said["code"][0])

    def redeem(self, code: str, /, **changes: Any) -> httpx.Response:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "client_id": self.id,
            "redirect_uri": self.redirect_uri,
            "code_verifier": self.verifier,
            "resource": f"{self.plane.url}/mcp",
            **changes,
        }
        return self.http.post("/oauth/token", data={name: value for name, value in form.items() if value is not None})

    def refresh(self, token: str, **changes: Any) -> httpx.Response:
        form = {"grant_type": "refresh_token", "refresh_token": token, "client_id": self.id, **changes}
        return self.http.post("/oauth/token", data=form)

    def connect(self, key: str, **changes: Any) -> "App":
        """All of it, as it should be."""
        answer = self.redeem(self.code(key, **changes))
        assert answer.status_code == 200, answer.text
        self.tokens = answer.json()
        return self

    @property
    def access(self) -> str:
        return str(self.tokens["access_token"])

    def mcp(self, token: str | None = None, body: Any = INITIALIZE, **headers: str) -> httpx.Response:
        bearer = {"Authorization": f"Bearer {token or self.access}"}
        return self.http.post("/mcp", json=body, headers={**MCP, **bearer, **headers})

    def tool(self, name: str, **arguments: Any) -> str:
        call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        answer = self.mcp(body=call)
        assert answer.status_code == 200, answer.text
        return answer.text
