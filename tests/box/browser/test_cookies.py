"""Cookies over HTTP, as the sites see them."""

import time
from typing import Any

import httpx2 as httpx
import pytest

from tests.site import Site


@pytest.fixture(autouse=True)
def no_cookies(api: httpx.Client) -> None:
    api.delete("/v1/browser/cookies").raise_for_status()


def cookies(api: httpx.Client, **params: str) -> dict[str, dict[str, Any]]:
    answer = api.get("/v1/browser/cookies", params=params)
    answer.raise_for_status()
    return {cookie["name"]: cookie for cookie in answer.json()["cookies"]}


def set_cookies(api: httpx.Client, *given: dict[str, Any]) -> httpx.Response:
    return api.post("/v1/browser/cookies", json={"cookies": given})


def test_what_is_set_comes_back_and_reaches_the_site(api: httpx.Client, site: Site) -> None:
    later = int(time.time()) + 3600
    plain = {"name": "plain", "value": "1", "url": site.url()}
    full = {
        "name": "full",
        "value": "a b=c",
        "domain": "127.0.0.1",
        "path": "/_/",
        "expires": later,
        "httpOnly": True,
        "sameSite": "Strict",
    }
    assert set_cookies(api, plain, full).json() == {"ok": True}
    found = cookies(api)
    assert found["full"] | full == found["full"] and found["full"]["secure"] is False
    assert found["plain"]["expires"] == -1 and found["plain"]["sameSite"] == "Lax"
    assert set(cookies(api, url=site.url("index.html"))) == {"plain"}
    assert set(cookies(api, url=site.url("_/echo"))) == {"plain", "full"}
    api.post("/v1/browser/navigate", json={"url": site.url("_/echo")})
    text = api.get("/v1/browser/text").json()["text"]
    assert "plain=1" in text and "full=a b=c" in text
    shown = api.post("/v1/browser/execute", json={"expression": "document.cookie"}).json()["result"]
    assert shown == "plain=1"


def test_a_partitioned_cookie_makes_the_round_trip(api: httpx.Client) -> None:
    key = {"topLevelSite": "https://top.example", "hasCrossSiteAncestor": True}
    given = {
        "name": "__Host-part",
        "value": "p",
        "url": "https://inner.example/",
        "path": "/",
        "secure": True,
        "sameSite": "None",
        "partitionKey": key,
    }
    assert set_cookies(api, given).status_code == 200
    found = cookies(api)["__Host-part"]
    assert found["partitionKey"] == key and found["sameSite"] == "None" and found["secure"] is True
    again = {name: value for name, value in found.items() if name != "domain"} | {"url": "https://inner.example/"}
    api.delete("/v1/browser/cookies", params={"name": "__Host-part"})
    assert "__Host-part" not in cookies(api)
    assert set_cookies(api, again).status_code == 200
    assert cookies(api)["__Host-part"] == found


def test_a_cookie_without_a_place_is_one_of_the_page(api: httpx.Client, site: Site) -> None:
    refused = set_cookies(api, {"name": "x", "value": "1"})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")
    api.post("/v1/browser/navigate", json={"url": site.url("index.html")})
    assert set_cookies(api, {"name": "x", "value": "1"}).status_code == 200
    assert cookies(api)["x"]["domain"] == "127.0.0.1"


def test_cookies_are_deleted_by_name_by_domain_and_all(api: httpx.Client) -> None:
    places = [("a", "one.example"), ("b", "one.example"), ("a", ".sub.one.example"), ("a", "two.example")]
    set_cookies(api, *({"name": name, "value": "1", "domain": domain} for name, domain in places))

    def left() -> int:
        return len(api.get("/v1/browser/cookies").json()["cookies"])

    assert left() == 4
    answer = api.delete("/v1/browser/cookies", params={"name": "b"})
    assert answer.json() == {"ok": True, "deleted": 1}
    assert api.delete("/v1/browser/cookies", params={"domain": "one.example", "name": "a"}).json()["deleted"] == 2
    assert left() == 1
    api.delete("/v1/browser/cookies")
    assert left() == 0


def test_one_bad_cookie_stops_them_all(api: httpx.Client) -> None:
    good = {"name": "good", "value": "1", "domain": "one.example"}
    bad = {"name": "bad", "value": "1", "url": "nonsense"}
    assert set_cookies(api, good, bad).status_code == 400
    assert cookies(api) == {}
    assert set_cookies(api, {"name": "x", "value": "1", "sameSite": "lax"}).status_code == 422
    assert api.get("/v1/browser/cookies", params={"url": "nonsense"}).status_code == 400


@pytest.mark.parametrize(
    ("refused", "why"),
    [
        ({"sameSite": "None", "domain": "shop.example"}, "sameSite None needs secure"),
        ({"name": "__Host-a", "domain": ".shop.example", "secure": True}, "begins with __Host- needs"),
        ({"name": "__Secure-a", "domain": "shop.example"}, "begins with __Secure- needs"),
        ({"domain": "shop.example", "value": "a\nb"}, "cookie"),
    ],
)
def test_a_cookie_that_chromium_refuses_is_told_and_nothing_is_set(
    api: httpx.Client, refused: dict[str, Any], why: str
) -> None:
    kept = {"name": "kept", "value": "1", "domain": "shop.example"}
    assert set_cookies(api, kept).json() == {"ok": True}
    before = cookies(api)
    other = {"name": "other", "value": "2", "domain": "shop.example"}
    answer = set_cookies(api, {**kept, "value": "changed"}, other, {"name": "a", "value": "3", **refused})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert why in answer.json()["detail"]
    assert cookies(api) == before


def test_a_cookie_whose_time_has_passed_is_deleted(api: httpx.Client) -> None:
    one = {"name": "a", "value": "1", "domain": "shop.example"}
    set_cookies(api, one).raise_for_status()
    assert set_cookies(api, {**one, "expires": 1000}).json() == {"ok": True}
    assert cookies(api) == {}
