"""Addresses, robots.txt and whose turn it is: tables of cases."""

import pytest

from belljar.box.browser.crawl.frontier import Frontier, is_within, key_of, parse


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.de/x#part", "http://a.de/x"),
        ("http://A.de:80/x", "http://a.de/x"),
        ("http://a.de", "http://a.de/"),
        ("http://a.de/?b=2&a=1", "http://a.de/?a=1&b=2"),
        ("http://a.de/%7Ex", "http://a.de/~x"),
    ],
)
def test_addresses_of_the_same_page_have_the_same_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


def test_different_pages_have_different_keys_and_what_is_no_page_has_none() -> None:
    assert len({key_of(f"http://a.de/{path}") for path in ("", "x", "x/", "x?a=1", "x?a=", "x?a=1&a=2")}) == 6
    for other in ("mailto:a@b", "ftp://a.de/", "http:///x", "/x", "http://a.de:x/", "javascript:1", ""):
        assert key_of(other) is None


def test_a_domain_includes_what_is_below_it() -> None:
    assert is_within("http://a.de/x", ["a.de"]) and is_within("http://www.a.de/", [".a.de"])
    assert is_within("http://a.de:8080/", ["a.de:8080"]) and not is_within("http://a.de:81/", ["a.de:8080"])
    assert not is_within("http://ba.de/", ["a.de"]) and not is_within("http://a.de.evil/", ["a.de"])


ROBOTS = """
User-agent: other
Disallow: /

User-agent: *
Disallow: /private
Allow: /private/open$   # a comment
Disallow: /*.pdf$
Disallow: /a*b*c
Crawl-delay: 2.5
"""


@pytest.mark.parametrize(
    ("path", "is_allowed"),
    [
        ("/", True),
        ("/private/x", False),
        ("/private/open", True),
        ("/private/open/x", False),
        ("/file.pdf", False),
        ("/file.pdf?x", True),
        ("/a1b2c3", False),
        ("/acb", True),
        ("/%70rivate", False),
    ],
)
def test_robots_decides_by_the_longest_rule(path: str, is_allowed: bool) -> None:
    robots = parse(ROBOTS)
    assert robots.allows(f"http://a.de{path}") is is_allowed
    assert robots.delay == 2.5


def test_a_group_of_our_own_goes_before_the_one_for_all() -> None:
    robots = parse("User-agent: *\nDisallow: /\nUser-agent: Belljar\nUser-agent: x\nDisallow: /no")
    assert robots.allows("http://a.de/yes") and not robots.allows("http://a.de/no")


def test_a_catastrophic_rule_costs_nothing() -> None:
    robots = parse("User-agent: *\nDisallow: /" + "*a" * 50 + "*b$")
    assert robots.allows("http://a.de/" + "a" * 50_000)


def test_a_host_is_left_alone_between_requests() -> None:
    frontier = Frontier(lambda url: True, per_host=1, delay=2.0)
    for url in ("http://a/1", "http://a/2", "http://b/1", "http://a/1#x"):
        frontier.add(url, 0)
    first, second = frontier.take(10), frontier.take(10)
    assert first and second and (first.url, second.url) == ("http://a/1", "http://b/1")
    assert frontier.take(10) is None and frontier.wait(10) is None
    frontier.done(first)
    assert frontier.take(11) is None and frontier.wait(11) == 1
    third = frontier.take(12)
    assert third and third.url == "http://a/2" and not frontier.waiting


def test_a_slow_host_is_asked_more_slowly() -> None:
    frontier = Frontier(lambda url: True, per_host=2, delay=0)
    frontier.slow_down("a", 5)
    frontier.add("http://a/1", 0)
    frontier.add("http://a/2", 0)
    assert frontier.take(0) and frontier.take(4) is None and frontier.take(5)
