"""What is at the root of a box: a word for programs, the way to the viewer page for people."""

import httpx2 as httpx
import pytest

from belljar import __version__
from tests.servers import RunningBox


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json, text/plain;q=0.5"])
def test_a_program_is_told_what_this_is_without_a_token(box: RunningBox, accept: str) -> None:
    answer = httpx.get(box.url + "/", headers={"Accept": accept})
    assert answer.status_code == 200
    assert answer.json() == {"name": "belljar", "version": __version__, "docs": "/openapi.json", "ui": "/ui/"}


def test_a_browser_is_led_to_the_web_page_without_a_token(box: RunningBox) -> None:
    headers = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    led = httpx.get(box.url + "/", headers=headers)
    assert (led.status_code, led.headers["location"]) == (303, "/ui/")
    shown = httpx.get(box.url + "/", headers=headers, follow_redirects=True)
    assert shown.status_code == 200 and shown.headers["content-type"].startswith("text/html")
