"""A hostile page in the browser of somebody who is signed in: frames, forms and fetches that would let an app in."""

import json
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from tests.plane.app_client import App
from tests.plane.plane import RunningPlane, running_plane
from tests.plane.test_web_admin import chromium, page, sign_in

__all__ = ["chromium", "page"]

# As an app says it, by the name that the API has for it.
NAMES = {
    "clientId": "client_id", "redirectUri": "redirect_uri", "responseType": "response_type", "state": "state",
    "codeChallenge": "code_challenge", "codeChallengeMethod": "code_challenge_method", "scope": "scope",
    "resource": "resource",
}  # fmt: skip
OUTCOME = "() => document.body.dataset.outcome"


@pytest.fixture(scope="module", params=[(), ("--embed-origin", "http://127.0.0.1:9")], ids=["usual", "embedded"])
def plane(request: pytest.FixtureRequest) -> Iterator[RunningPlane]:
    with running_plane(*request.param) as running:
        yield running


@contextmanager
def hostile_page(html: str) -> Iterator[str]:
    """A page of another site: its host is called otherwise, so no cookie of ours that is strict goes along."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://localhost:{server.server_address[1]}/"
    server.shutdown()
    thread.join()
    server.server_close()


def form_to(address: str, kind: str, body: str) -> str:
    """Sent at once.  As text it is JSON to whoever does not look at its type."""
    name, value = (body[:-1] + ', "x": "').replace('"', "&quot;"), "&quot;}"
    form = f'<form method=post enctype="{kind}" action="{address}"><input name="{name}" value="{value}"></form>'
    return f"{form}<script>document.forms[0].submit()</script>"


def question(plane: RunningPlane, app: App) -> str:
    return f"{plane.url}/oauth/authorize?" + urlencode({NAMES[name]: value for name, value in app.request.items()})


def let_in(plane: RunningPlane) -> int:
    """Apps that somebody said yes to, whatever came of it."""
    path = f"file:{plane.state_dir / 'control.db'}?mode=ro"
    with closing(sqlite3.connect(path, uri=True, timeout=30)) as database:
        return int(database.execute("select count(*) from sign_ins where kind = 'app'").fetchone()[0])


def test_a_form_of_another_site_lets_nobody_in(plane: RunningPlane, page: Page) -> None:
    app = App(plane)
    sign_in(page, plane)
    body = json.dumps({**app.request, "allow": True, "role": "drive"})
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        with hostile_page(form_to(f"{plane.url}/api/apps/consent", kind, body)) as hostile:
            with page.expect_response(re.compile("/api/apps/consent")) as answer:
                page.goto(hostile, wait_until="commit")
            assert answer.value.status == 403
            page.wait_for_url(re.compile("/api/apps/consent"))
    assert let_in(plane) == 0


def test_a_script_of_another_site_lets_nobody_in(plane: RunningPlane, page: Page) -> None:
    app = App(plane)
    sign_in(page, plane)
    body = json.dumps({**app.request, "allow": True, "role": "drive"})
    for kind, mode in (("application/json", "cors"), ("text/plain", "no-cors")):
        script = f"""
          fetch("{plane.url}/api/apps/consent", {{method: "POST", credentials: "include", mode: "{mode}",
            headers: {{"Content-Type": "{kind}"}}, body: {json.dumps(body)}}})
            .then((answer) => answer.type, () => "refused")
            .then((outcome) => {{ document.body.dataset.outcome = outcome }})"""
        with hostile_page(f"<body><script>{script}</script>") as hostile:
            page.goto(hostile)
            page.wait_for_function(OUTCOME)
            # Without CORS it is sent, and the answer cannot be read: what counts is what came of it.
            assert page.evaluate(OUTCOME) == ("refused" if mode == "cors" else "opaque")
    assert let_in(plane) == 0


def test_a_cookie_that_somebody_planted_is_no_sign_in_and_is_replaced(plane: RunningPlane, page: Page) -> None:
    planted = "x" * 43
    page.context.add_cookies([{"name": "belljar_control", "value": planted, "url": plane.url}])
    assert page.request.get(f"{plane.url}/api/me").status == 401
    sign_in(page, plane)
    [cookie] = [one for one in page.context.cookies(plane.url) if one["name"] == "belljar_control"]
    assert cookie["value"] != planted and cookie["httpOnly"] and cookie["sameSite"] == "Strict"
    first = cookie["value"]
    sign_in(page, plane)
    [cookie] = [one for one in page.context.cookies(plane.url) if one["name"] == "belljar_control"]
    assert cookie["value"] != first, "each sign-in has a secret of its own"


def test_a_form_of_another_site_signs_nobody_in(plane: RunningPlane, page: Page) -> None:
    """Who is signed in as the attacker without knowing it works in the attacker's sessions."""
    body = json.dumps({"key": plane.new_key("attacker")})
    with hostile_page(form_to(f"{plane.url}/sign-in", "text/plain", body)) as hostile:
        with page.expect_response(re.compile("/sign-in")) as answer:
            page.goto(hostile, wait_until="commit")
        assert answer.value.status == 403
        page.wait_for_url(re.compile("/sign-in"))
    assert page.request.get(f"{plane.url}/api/me").status == 401
