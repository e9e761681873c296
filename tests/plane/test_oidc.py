"""Signing in by OpenID Connect: a real provider, a real control plane, a real Chromium."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from belljar import Belljar
from tests.plane.app_client import App
from tests.plane.oidc_provider import CLIENT_ID, CLIENT_SECRET, new_jwk, running_provider
from tests.plane.plane import PATIENCE, RunningPlane, running_plane, until
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
def running(folder: Path, *flags: str, is_up: bool = True) -> Iterator[tuple[Place, ExitStack]]:
    """A plane whose provider is up; the stack is the provider's, so that it can be ended and begun anew."""
    port, plane_port = free_port(), free_port()
    url, issuer = f"http://127.0.0.1:{plane_port}", f"http://localhost:{port}"
    secret = folder / "secret"
    secret.write_text(CLIENT_SECRET + "\n")
    given = ("--oidc-issuer", issuer, "--oidc-client-id", CLIENT_ID, "--oidc-client-secret-file", str(secret))
    with running_plane("--port", str(plane_port), *given, *flags) as plane, ExitStack() as provider:
        if is_up:
            provider.enter_context(running_provider(port, url, new_jwk("first")))
        yield Place(plane, issuer), provider


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with running(tmp_path_factory.mktemp("oidc"), *RULES, *QUOTA) as (found, _):
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        # The provider's own pages name a font of somebody else's: no name but ours is looked up.
        alone = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", alone])
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
    page.get_by_role("link", name="Sign in with localhost").click()
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


def test_an_operator_shuts_a_person_out_and_lets_them_in_again(place: Place, chromium: Browser) -> None:
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
    operator = chromium.new_context().new_page()
    address = place.plane.url
    given = {"key": place.plane.key}
    assert operator.request.post(f"{address}/sign-in", data=given, headers={"Origin": address}).ok
    operator.goto(f"{address}/admin/people?show=keys&q=user:root")
    row = operator.locator(f'[data-key="{person["id"]}"]')
    expect(row).to_contain_text("shut out")
    row.get_by_role("button", name="Let root in again").click()
    expect(row.get_by_role("button", name="Revoke")).to_be_visible()
    with place.plane.client() as admin:
        said = admin.get("/api/audit", params={"action": "person.admitted"}).json()["events"]
        assert [(event["actor"], event["userId"]) for event in said] == [("admin", "root")]
        [key] = [key for key in admin.get("/api/keys").json()["keys"] if key["kind"] == "key"]
        refused = admin.post(f"/api/keys/{key['id']}/admit")
        assert refused.status_code == 400 and refused.json()["code"] == "invalid_request"
    with place.plane.client(place.plane.new_key("plain")) as plain:
        assert plain.post(f"/api/keys/{person['id']}/admit").status_code == 403
    with Belljar(address, place.plane.key) as jar:
        jar.keys.revoke(person["id"])
        assert jar.keys.admit(person["id"]).revoked_at is None
    operator.context.close()
    page.get_by_role("link", name="Sign in with").click()
    expect(page.get_by_role("button", name="Signed in as root")).to_be_visible()
    page.close()


def test_the_answer_counts_only_in_the_browser_that_asked_once_and_leads_nowhere_else(
    place: Place, chromium: Browser
) -> None:
    """Login CSRF, replay and open redirects."""
    url = place.plane.url
    with httpx.Client(timeout=PATIENCE) as attacker:
        answer = answer_of_provider(attacker, f"{url}/sign-in/oidc?to=//evil.example/", "ann")
        victim = chromium.new_page()
        victim.goto(answer)
        expect(victim.get_by_role("alert")).to_contain_text("not begun in this browser")
        assert not victim.context.cookies(url)
        victim.close()
        for wrong in (re.sub(r"state=[^&]+", "state=another", answer), re.sub(r"code=[^&]+", "code=made-up", answer)):
            refused = attacker.get(wrong).headers
            assert "#refused=not_" in refused["location"] and "belljar_control" not in refused["set-cookie"]
        # The second of them has used up what this browser had begun.
        assert attacker.get(answer).headers["location"].endswith("#refused=not_begun")
        answer = answer_of_provider(attacker, f"{url}/sign-in/oidc?to=//evil.example/", "ann")
        good = attacker.get(answer)
        assert good.headers["location"] == "/", "not to the address of somebody else"
        assert "belljar_control=bjs_" in str(good.headers.get_list("set-cookie"))
        assert attacker.get(answer).headers["location"].endswith("#refused=not_begun")


def answer_of_provider(browser: httpx.Client, begin: str, name: str) -> str:
    """What the provider sends a browser back with, not followed."""
    forms = iter([{"prompt": "login", "login": name, "password": "x"}, {"prompt": "consent"}])
    answer = browser.get(begin)
    for _ in range(12):
        if answer.is_redirect:
            target = str(answer.url.join(answer.headers["location"]))
            if "/sign-in/oidc/callback" in target:
                return target
            answer = browser.get(target)
        else:
            action = re.search(r'action="([^"]+)"', answer.text)
            assert action, answer.text
            answer = browser.post(str(answer.url.join(action[1])), data=next(forms))
    raise AssertionError("the provider does not come to an end")


def test_keys_that_the_provider_changes_are_found_and_one_that_is_away_is_said(
    tmp_path: Path, chromium: Browser
) -> None:
    with running(tmp_path, is_up=False) as (place, provider):
        page = chromium.new_page()
        page.goto(place.plane.url)
        page.get_by_role("link", name="Sign in with").click()
        expect(page.get_by_role("alert")).to_contain_text("The provider cannot be reached")
        port = int(place.issuer.rpartition(":")[2])
        provider.enter_context(running_provider(port, place.plane.url, new_jwk("first")))
        sign_in(page, place, "ann")
        expect(page.get_by_role("button", name="Signed in as ann")).to_be_visible()
        page.close()
        provider.close()
        provider.enter_context(running_provider(port, place.plane.url, new_jwk("second")))
        # An unknown key is looked for once in ten seconds.
        until(lambda: _signs_in(chromium, place), within=60, what="a sign-in with the new key")


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
