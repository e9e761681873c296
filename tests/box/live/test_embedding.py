"""Who may show the viewer page and the app in a frame; web/live/test/embed*.test.ts tries what happens in one."""

import re

import httpx2 as httpx
import pytest
from pydantic import ValidationError

from belljar.box.settings import BoxSettings
from tests.servers import running_box

_NAMED = re.compile(r'<meta name="belljar-embed-origins" content="(.*?)">')


def ancestors(answer: httpx.Response) -> str:
    (policy,) = answer.headers.get_list("content-security-policy")
    return next(part.strip() for part in policy.split(";") if part.strip().startswith("frame-ancestors"))


def test_nobody_else_may_unless_named(api: httpx.Client) -> None:
    page = api.get("/view")
    assert ancestors(page) == "frame-ancestors 'self'"
    assert _NAMED.findall(page.text) == [""]
    app = api.get("/ui/")
    assert ancestors(app) == "frame-ancestors 'none'"
    assert _NAMED.findall(app.text) == [""]


def test_those_named_may_and_the_page_knows_them() -> None:
    with running_box("--embed-origin", "https://app.example", "--embed-origin", "http://[::1]:3000") as box:
        page = httpx.get(f"{box.url}/view")
        assert ancestors(page) == "frame-ancestors 'self' https://app.example http://[::1]:3000"
        assert _NAMED.findall(page.text) == ["https://app.example http://[::1]:3000"]
        app = httpx.get(f"{box.url}/ui/")
        assert ancestors(app) == "frame-ancestors https://app.example http://[::1]:3000"
        assert _NAMED.findall(app.text) == ["https://app.example http://[::1]:3000"]
        # Its parts are no pages.
        assert ancestors(httpx.get(f"{box.url}/view/main.js")) == "frame-ancestors 'self'"


@pytest.mark.parametrize(
    "origin",
    [
        "*",
        "https://*.example",
        "app.example",
        "https://app.example/",
        "https://app.example/path",
        "https://APP.example",
        "https://app.example:443",
        "http://app.example:80",
        "https://user@app.example",
        "https://app.example; script-src *",
        'https://app.example"><script>',
        "https://app.example\n",
        "null",
        "data:",
        "ftp://app.example",
        "https://",
    ],
)
def test_what_is_no_origin_is_refused_at_the_start(origin: str) -> None:
    with pytest.raises(ValidationError, match="is no origin such as"):
        BoxSettings(embed_origins=(origin,))
