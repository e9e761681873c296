"""Signing in by OpenID Connect: a real provider, a real control plane, a real Chromium."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from tests.plane.oidc_provider import CLIENT_ID, CLIENT_SECRET, new_jwk, running_provider
from tests.plane.plane import RunningPlane, running_plane, until
from tests.plane.test_two_planes import free_port

pytestmark = [pytest.mark.npm, pytest.mark.timeout(180)]
WAIT = 20_000
expect.set_options(timeout=WAIT)
RULES = ("--oidc-role-claim", "groups", "--oidc-admin", "admins", "--oidc-user", "users")
QUOTA = ("--oidc-max-sessions-claim", "quota")


@dataclass(frozen=True)
class Place:
    plane: RunningPlane
    issuer: str


@contextmanager
def running(folder: Path, *flags: str) -> Iterator[tuple[Place, ExitStack]]:
    """A plane whose provider is up; the stack is the provider's, so that it can be ended and begun anew."""
    port, plane_port = free_port(), free_port()
    url, issuer = f"http://127.0.0.1:{plane_port}", f"http://127.0.0.1:{port}"
    secret = folder / "secret"
    secret.write_text(CLIENT_SECRET + "\n")
    given = ("--oidc-issuer", issuer, "--oidc-client-id", CLIENT_ID, "--oidc-client-secret-file", str(secret))
    with running_plane("--port", str(plane_port), *given, *flags) as plane, ExitStack() as provider:
        provider.enter_context(running_provider(port, url, new_jwk("first")))
        yield Place(plane, issuer), provider


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with running(tmp_path_factory.mktemp("oidc"), *RULES, *QUOTA) as (found, _):
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1200, "height": 800})
    context.set_default_timeout(WAIT)
    yield context.new_page()
    context.close()


def sign_in(page: Page, place: Place, name: str, path: str = "/") -> None:
    page.goto(place.plane.url + path)
    page.get_by_role("link", name="Sign in with 127.0.0.1").click()
    at_provider(page, name)


def at_provider(page: Page, name: str) -> None:
    page.get_by_placeholder("Enter any login").fill(name)
    page.get_by_placeholder("and password").fill("x")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url(lambda url: "/interaction/" not in url)


def test_a_person_signs_in_is_made_a_user_and_signs_out_at_the_provider_too(place: Place, page: Page) -> None:
    sign_in(page, place, "ann", "/profiles")
    expect(page.get_by_role("heading", name="Profiles", exact=True)).to_be_visible()
    assert page.url == f"{place.plane.url}/profiles", "back where they were"
    with place.plane.client() as admin:
        [person] = [key for key in admin.get("/api/keys").json()["keys"] if key["kind"] == "person"]
        assert (person["user"], person["role"], person["maxSessions"]) == ("ann", "user", 2)
        [own] = admin.get("/api/sign-ins", params={"user": "ann"}).json()["signIns"]
        assert own["via"] == "oidc" and own["name"] == "Chrome on Linux"
        kinds = [event["kind"] for event in admin.get("/api/audit", params={"user": "ann"}).json()["events"]]
        assert kinds == ["person.made", "signin.made"]
    cookies = {cookie["name"]: cookie for cookie in page.context.cookies(place.plane.url)}
    assert list(cookies) == ["belljar_control"], "what the way there needed is gone"
    assert cookies["belljar_control"]["httpOnly"] and cookies["belljar_control"]["sameSite"] == "Strict"
    page.get_by_role("button", name="Signed in as ann").click()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Yes, sign me out").click()
    page.wait_for_url(f"{place.plane.url}/")
    expect(page.get_by_role("link", name="Sign in with")).to_be_visible()
    again = httpx.get(f"{place.plane.url}/api/me", cookies={"belljar_control": cookies["belljar_control"]["value"]})
    assert again.status_code == 401
    page.get_by_role("link", name="Sign in with").click()
    expect(page.get_by_placeholder("Enter any login")).to_be_visible()
    log = place.plane.log.read_text()
    assert CLIENT_SECRET not in log and cookies["belljar_control"]["value"] not in log and "eyJ" not in log


def test_claims_make_an_admin_and_keep_others_out(place: Place, chromium: Browser) -> None:
    refused = {
        "eve": "not let in here",
        "odd": "makes no sense here",
        "admin": "Another user here has your name",
        "no name": "gives no name that a user can have",
    }
    for name, why in refused.items():
        page = chromium.new_page()
        sign_in(page, place, name)
        expect(page.get_by_role("alert")).to_contain_text(why)
        assert "refused" not in page.url and not page.context.cookies(place.plane.url)
        page.close()
    page = chromium.new_page()
    sign_in(page, place, "root")
    page.get_by_role("button", name="Signed in as root").click()
    expect(page.get_by_text("root · admin")).to_be_visible()
    page.close()


def test_an_operator_shuts_a_person_out_for_good(place: Place, chromium: Browser) -> None:
    page = chromium.new_page()
    sign_in(page, place, "root")
    expect(page.get_by_role("button", name="Signed in as root")).to_be_visible()
    with place.plane.client() as admin:
        keys = admin.get("/api/keys").json()["keys"]
        [person] = [key for key in keys if key["kind"] == "person" and key["user"] == "root"]
        assert admin.delete(f"/api/keys/{person['id']}").status_code == 200
    expect(page.get_by_role("link", name="Sign in with")).to_be_visible()
    page.get_by_role("link", name="Sign in with").click()
    expect(page.get_by_role("alert")).to_contain_text("ended by an operator")
    page.close()


def test_the_answer_counts_only_in_the_browser_that_asked_once_and_leads_nowhere_else(
    place: Place, chromium: Browser
) -> None:
    """Login CSRF, replay and open redirects."""
    url = place.plane.url
    page = chromium.new_page()
    caught: list[str] = []

    def catch(route: Route) -> None:
        caught.append(route.request.url)
        route.abort()

    page.route("**/sign-in/oidc/callback*", catch)
    page.goto(f"{url}/sign-in/oidc?to=//evil.example/")
    page.get_by_placeholder("Enter any login").fill("ann")
    page.get_by_placeholder("and password").fill("x")
    page.get_by_role("button", name="Sign-in").click()
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Continue").click()
    victim = httpx.get(caught[0], follow_redirects=False)
    assert victim.headers["location"].endswith("#refused=not_begun") and "belljar_control" not in str(victim.headers)
    other_state = re.sub(r"state=[^&]+", "state=another", caught[0])
    page.unroute("**/sign-in/oidc/callback*")
    page.goto(other_state)
    expect(page.get_by_role("alert")).to_contain_text("not begun in this browser")
    page.goto(caught[0])
    expect(page.get_by_role("button", name="Signed in as ann")).to_be_visible()
    assert page.url == f"{url}/", "not to the address of somebody else"
    page.goto(caught[0])
    page.wait_for_url(f"{url}/")
    with place.plane.client() as admin:
        made = [event["kind"] for event in admin.get("/api/audit", params={"user": "ann"}).json()["events"]]
    assert made.count("signin.made") - made.count("signin.ended") >= 1
    assert "not_begun" in place.plane.log.read_text()
    page.close()


def test_keys_that_the_provider_changes_are_found_and_one_that_is_away_is_said(
    tmp_path: Path, chromium: Browser
) -> None:
    with running(tmp_path) as (place, provider):
        first = chromium.new_page()
        sign_in(first, place, "ann")
        expect(first.get_by_role("button", name="Signed in as ann")).to_be_visible()
        provider.close()
        away = chromium.new_context().new_page()
        away.goto(place.plane.url)
        away.get_by_role("link", name="Sign in with").click()
        away.wait_for_url(re.compile("127.0.0.1"), wait_until="commit")
        port = int(place.issuer.rpartition(":")[2])
        provider.enter_context(running_provider(port, place.plane.url, new_jwk("second")))
        # An unknown key is looked for once in ten seconds.
        until(lambda: _signs_in(chromium, place), within=60, what="a sign-in with the new key")
        first.close()
        away.context.close()


def _signs_in(chromium: Browser, place: Place) -> bool:
    context = chromium.new_context()
    context.set_default_timeout(WAIT)
    page = context.new_page()
    sign_in(page, place, "ann")
    page.wait_for_url(f"{place.plane.url}/**")
    either = page.get_by_role("button", name="Signed in as ann").or_(page.get_by_role("alert"))
    expect(either).to_be_visible()
    is_in = page.get_by_role("button", name="Signed in as ann").is_visible()
    context.close()
    return is_in


def test_an_app_is_let_in_by_somebody_who_signs_in_for_it(place: Place, page: Page) -> None:
    from urllib.parse import urlencode

    from tests.plane.app_client import App

    app = App(place.plane, redirect_uri=f"http://127.0.0.1:{free_port()}/back")
    words = {"clientId": "client_id", "redirectUri": "redirect_uri", "responseType": "response_type"}
    words |= {"codeChallenge": "code_challenge", "codeChallengeMethod": "code_challenge_method"}
    asked = urlencode({words.get(name, name): value for name, value in app.request.items()})
    sign_in(page, place, "ann", f"/oauth/authorize?{asked}")
    expect(page.get_by_role("button", name="Let it in")).to_be_visible()
    expect(page.get_by_text("wants to act as ann")).to_be_visible()
    with page.expect_request(re.compile("/back")) as back:
        page.get_by_role("button", name="Let it in").click()
    code = httpx.URL(back.value.url).params["code"]
    assert app.redeem(code).status_code == 200
