"""A tab's console over HTTP."""

import json
from typing import Any

import httpx2 as httpx

from tests.site import Site


def go(api: httpx.Client, url: str) -> None:
    api.post("/v1/browser/navigate", json={"url": url}).raise_for_status()


def run(api: httpx.Client, script: str) -> None:
    api.post("/v1/browser/execute", json={"expression": f"{script}; 0"}).raise_for_status()


def messages(api: httpx.Client, **params: Any) -> list[dict[str, Any]]:
    answer = api.get("/v1/browser/console", params=params)
    answer.raise_for_status()
    found: list[dict[str, Any]] = answer.json()["messages"]
    return found


def settled(api: httpx.Client, text: str) -> dict[str, Any]:
    """The message with this text, once it is there."""
    for _ in range(200):
        for message in messages(api, limit=1000):
            if text in message["text"]:
                return message
        api.post("/v1/browser/execute", json={"expression": "new Promise((done) => setTimeout(done, 10))"})
    raise AssertionError(f"no message with {text!r}: {messages(api)}")


def test_every_level_and_every_kind_of_value_is_told(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    run(
        api,
        "console.log('plain', 1, true, null, undefined, {a: 1, b: 'x'}, [1, 2]); console.warn('careful');"
        "console.error(new Error('bad')); console.info('%s is %d', 'one', 1); console.debug('deep');"
        "console.assert(false, 'not so')",
    )
    levels = {message["text"].partition("\n")[0]: message["level"] for message in messages(api)}
    assert levels['plain 1 true null undefined {a: 1, b: "x"} [1, 2]'] == "log"
    assert levels["careful"] == "warn" and levels["deep"] == "debug" and levels["one is 1"] == "info"
    assert levels["Error: bad"] == "error" and levels["not so"] == "error"
    assert [message["text"] for message in messages(api, level="warn")] == ["careful"]


def test_exceptions_and_rejections_are_errors_with_their_place(api: httpx.Client, site: Site) -> None:
    go(api, site.url("reading/failing.html"))
    thrown = settled(api, "thrown here")
    assert thrown["level"] == "error" and "Uncaught" in thrown["text"]
    assert thrown["url"] == site.url("reading/failing.html") and thrown["line"] == 6
    assert settled(api, "rejected here")["level"] == "error"
    assert settled(api, "in the worker")["level"] == "log"
    assert settled(api, "404")["level"] == "error"
    assert settled(api, "from a frame")["level"] == "log"


def test_messages_are_kept_from_the_first_moment_on_and_at_most_a_thousand(api: httpx.Client, site: Site) -> None:
    go(api, site.url("_/html?body=<script>console.log('first moment')</script>"))
    assert [message["text"] for message in messages(api)] == ["first moment"]
    run(api, "for (let i = 0; i < 1500; i++) console.log('message ' + i)")
    settled(api, "message 1499")
    kept = messages(api, limit=1000)
    assert len(kept) == 1000 and kept[0]["text"] == "message 500"
    assert len(messages(api)) == 100


def test_a_cursor_gives_only_what_is_new(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    run(api, "console.log('old')")
    settled(api, "old")
    cursor = api.get("/v1/browser/console").json()["cursor"]
    run(api, "console.log('new')")
    settled(api, "new")
    assert [message["text"] for message in messages(api, since=cursor)] == ["new"]


def test_a_catastrophic_pattern_costs_nothing(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    run(api, "console.log('a'.repeat(9000) + '!')")
    settled(api, "aaa")
    assert messages(api, pattern="^(a+)+$") == []
    assert len(messages(api, pattern="a+!$")) == 1
    refused = api.get("/v1/browser/console", params={"pattern": "("})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")
    assert api.get("/v1/browser/console", params={"pattern": "x" * 5000}).status_code == 400


def test_messages_are_pushed_as_events(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    run(api, "console.log('before')")
    settled(api, "before")
    with api.stream("GET", "/v1/browser/console", params={"follow": True}) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        assert _next_event(lines)["text"] == "before"
        run(api, "console.log('after')")
        assert _next_event(lines)["text"] == "after"


def _next_event(lines: Any) -> dict[str, Any]:
    for line in lines:
        if line.startswith("data: "):
            found: dict[str, Any] = json.loads(line[6:])
            return found
    raise AssertionError("the stream ended")


def test_a_site_without_an_icon_is_no_error(api: httpx.Client, site: Site) -> None:
    go(api, site.url("index.html"))
    run(api, "await fetch('/favicon.ico'); await fetch('/missing.png')")
    settled(api, "404")
    failed = [message["url"] for message in messages(api, level="error", limit=1000)]
    assert [url for url in failed if url.endswith(("/favicon.ico", "/missing.png"))] == [site.url("missing.png")]
