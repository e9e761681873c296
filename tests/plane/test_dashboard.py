"""The dashboard in a real browser: our own Chromium, driven through a session of the control plane it looks at."""

from collections.abc import Iterator

import httpx2 as httpx
import pytest

from tests.plane.plane import RunningPlane, running_plane, until

JSON = "{'Content-Type': 'application/json'}"


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane("--egress", "open", "--jail", "off") as running:
        yield running


@pytest.fixture(scope="module")
def browser(plane: RunningPlane) -> Iterator[httpx.Client]:
    """A browser that belongs to a session of the very control plane whose dashboard it opens."""
    session = plane.create(id="looker", mode="browser", headless=True)
    headers = {"Authorization": f"Bearer {session['token']}"}
    with httpx.Client(base_url=session["httpUrl"] + "/v1/browser", headers=headers, timeout=60) as client:
        yield client


def run(browser: httpx.Client, script: str) -> object:
    answer = browser.post("/execute", json={"expression": script})
    assert answer.is_success, answer.text
    return answer.json()["result"]


def text(browser: httpx.Client) -> str:
    return str(run(browser, "document.body.innerText"))


def test_a_link_signs_in_once_and_a_person_can_do_everything(plane: RunningPlane, browser: httpx.Client) -> None:
    link = f"{plane.url}/sign-in?ticket={plane.ticket}"
    assert browser.post("/navigate", json={"url": link}).is_success
    until(lambda: "looker" in text(browser), what="the session in the list")
    assert "admin (admin)" in text(browser)
    assert "No jail: switched off by --jail off." in text(browser)
    run(browser, "document.querySelector('[name=mode]').value = 'none'; document.querySelector('#new').requestSubmit()")
    other = until(
        lambda: [one["id"] for one in _running(plane) if one["id"] != "looker"], what="the session the form made"
    )[0]
    until(lambda: other in text(browser), what="it in the list")
    until(lambda: run(browser, "document.querySelector('#sessions img').naturalWidth"), what="a picture")
    until(lambda: plane.url in str(run(browser, "document.querySelector('.url').innerText")), what="its address")
    for button, said in (
        ("curl", "curl -H"),
        ("python", "Belljar("),
        ("mcp", f"/s/{other}/mcp --header"),
        ("playwright", "connect_over_cdp"),
        ("puppeteer", "puppeteer.connect"),
    ):
        run(browser, f"document.querySelector('[data-id=\"{other}\"] [data-do={button}]').click()")
        until(lambda said=said: said in text(browser), what=button)  # type: ignore[misc]
    line = str(run(browser, f"document.querySelector('[data-id=\"{other}\"] .line').innerText"))
    assert "ticket=" in line
    run(browser, f"document.querySelector('[data-id=\"{other}\"] [data-do=end]').click()")
    until(lambda: other not in text(browser), what="its end")
    assert plane.get(other)["reason"] == "released"
    assert httpx.get(link, follow_redirects=False).status_code == 401
    assert browser.post("/navigate", json={"url": link}).is_success
    until(lambda: "looker" in text(browser), what="the list again: who used the link is signed in")


def test_signing_out_and_in_with_a_key(plane: RunningPlane, browser: httpx.Client) -> None:
    assert browser.post("/navigate", json={"url": plane.url + "/"}).is_success
    # By itself: another worker may run the test before this one.
    answer = f"fetch('sign-in', {{method: 'POST', headers: {JSON}, body: JSON.stringify({{key: '{plane.key}'}})}})"
    assert run(browser, f"{answer}.then((answer) => answer.ok)") is True
    assert browser.post("/navigate", json={"url": plane.url + "/"}).is_success
    until(lambda: "looker" in text(browser), what="the session in the list")
    run(browser, "document.querySelector('#sign-out').click()")
    until(lambda: run(browser, "!document.querySelector('#sign-in').hidden"), what="the form")
    assert browser.post("/navigate", json={"url": plane.url + "/sign-in?ticket=spent"}).is_success
    until(lambda: "This link was used already" in text(browser), what="why the link does not sign in")
    for key, expected in (("bj_wrong", "token invalid"), (plane.key, "looker")):
        run(
            browser,
            f"document.querySelector('[name=key]').value = '{key}'; document.querySelector('#sign-in').requestSubmit()",
        )
        until(lambda expected=expected: expected in text(browser), what=expected)  # type: ignore[misc]


def test_the_cookie_alone_changes_nothing_for_another_origin(plane: RunningPlane) -> None:
    with httpx.Client(base_url=plane.url) as client:
        cookie = client.post("/sign-in", json={"key": plane.key}).headers["set-cookie"]
        assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
        assert client.get("/api/me").is_success
        assert client.post("/api/keys", json={"user": "eve"}).status_code == 403
        evil = {"Origin": "https://evil.example"}
        assert client.post("/api/keys", json={"user": "eve"}, headers=evil).status_code == 403
        assert client.get("/s/looker/v1/health").status_code == 401
    page = httpx.get(plane.url + "/")
    assert "default-src 'none'" in page.headers["content-security-policy"]


def _running(plane: RunningPlane) -> list[dict[str, str]]:
    with plane.client() as client:
        found: list[dict[str, str]] = client.get("/api/sessions?state=running").json()["sessions"]
    return found
