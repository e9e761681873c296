"""What is taken out of events, and what stays so that a record says something."""

import time
from typing import Any

import msgspec
import pytest

from belljar.record.redaction import MAX_DATA_BYTES, REDACTED, Typed, clean_text, clean_url, redact, shortened
from belljar.wire.record import RecordLevel

ACTIONS, CONTENT = RecordLevel.ACTIONS, RecordLevel.CONTENT
SECRET = "hunter2-Zq9"


@pytest.mark.parametrize(
    "data",
    [
        {"text": SECRET},
        {"value": SECRET},
        {"value": [SECRET]},
        {"expression": f"login('{SECRET}')"},
        {"title": SECRET},
        {"question": SECRET},
        {"args": ["--key", SECRET]},
        {"data": SECRET},
        {"path": f"/home/me/{SECRET}.pdf"},
        {"paths": [f"/home/me/{SECRET}.pdf"]},
        {"filename": f"{SECRET}.pdf"},
        {"anything_new": SECRET},
        {"nested": {"deep": {"deeper": SECRET}}},
        {"selector": f"input[value='{SECRET}']"},
        {"selector": f"text={SECRET}"},
        {"selectors": {"a": f"[data-user={SECRET}]"}},
        {"command": f"curl -H {SECRET}"},
        {"detail": SECRET},
        {"initScripts": [SECRET]},
        {"url": f"data:text/html,{SECRET}"},
        {"url": f"javascript:alert('{SECRET}')"},
        {"url": f"https://host/path#{SECRET}"},
        {"url": f"https://host/?{SECRET}"},
    ],
)
def test_content_is_not_told_at_actions(data: dict[str, Any]) -> None:
    assert SECRET not in str(redact(data, ACTIONS))


@pytest.mark.parametrize("level", [ACTIONS, CONTENT])
@pytest.mark.parametrize(
    "data",
    [
        {"password": SECRET},
        {"userPassword": SECRET},
        {"token": SECRET},
        {"accessToken": SECRET},
        {"Authorization": SECRET},
        {"cookies": [{"name": "sid", "value": SECRET}]},
        {"set-cookie": f"sid={SECRET}"},
        {"headers": {"Authorization": f"Bearer {SECRET}", "Cookie": f"a={SECRET}", "X-Api-Key": SECRET}},
        {"extraHeaders": {"X-Custom": SECRET}},
        {"httpCredentials": {"username": "me", "password": SECRET}},
        {"origins": [{"localStorage": [{"name": "a", "value": SECRET}]}]},
        {"env": {"HOME": SECRET}},
        {"url": f"https://me:{SECRET}@host/"},
        {"url": f"https://host/?q={SECRET}&b={SECRET}"},
        {"url": f"https://host/cb#access_token={SECRET}"},
        {"url": f"//me:{SECRET}@host/?a={SECRET}"},
        {"text": f"go to https://me:{SECRET}@host/a?b={SECRET} now"},
        {"text": f"password={SECRET}"},
        {"text": f'{{"token": "{SECRET}"}}'},
        {"text": f"Authorization: Bearer {SECRET}"},
        {"method": f"Bearer {SECRET}"},
        {"url": f"https://host/app;jsessionid={SECRET}"},
        {"url": f"https://host/app;jsessionid={SECRET}{SECRET}0123456789abcdef/list"},
        {"url": f"https://host/bot110201543:{SECRET}AAHdqTcvCH1vGWJxfSeof/getMe"},
        {"url": f"https://host/verify/code={SECRET}"},
        {"url": f"https://host/to/me:{SECRET}@elsewhere/"},
        {"proxy": f"me:{SECRET}@proxy.example:8080"},
        {"upstream": [f"me:{SECRET}@proxy.example:8080"]},
        {"headers": {"X-Custom": SECRET}},
        {"requestHeaders": [{"name": "X-Custom", "value": SECRET}]},
        {"text": Typed(SECRET)},
        {"value": Typed([SECRET])},
        {"selector": f"[id-card='{SECRET}']"},
        {"url": "https://host/reset/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyLVpxOSJ9.c2lnbmF0dXJl"},
    ],
)
def test_credentials_are_told_at_no_level(data: dict[str, Any], level: RecordLevel) -> None:
    told = str(redact(data, level))
    assert SECRET not in told and "eyJhbGci" not in told


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        ({"selector": "form#login button.primary"}, "form#login button.primary"),
        ({"selector": "input[name='user']"}, "input[name='user']"),
        ({"key": "Enter"}, "Enter"),
        ({"key": "Control+a"}, "Control+a"),
        ({"url": "https://host:8443/a/b?page=2&q="}, "https://host:8443/a/b?page=…&q="),
        ({"host": "example.org"}, "example.org"),
        ({"x": 3, "y": 4.5}, {"x": 3, "y": 4.5}),
        ({"to": {"x": 3, "y": 4}}, {"x": 3, "y": 4}),
        ({"modifiers": ["Shift"]}, ["Shift"]),
        ({"mark": "checkout begins"}, "checkout begins"),
        ({"command": "/usr/bin/python3"}, "python3"),
        ({"path": "/tmp/report.PDF"}, {"length": 15, "extension": "pdf"}),
        ({"text": "hello"}, {"length": 5}),
    ],
)
def test_what_says_where_and_how_stays(data: dict[str, Any], kept: Any) -> None:
    told = redact(data, ACTIONS)
    assert told == kept or next(iter(told.values())) == kept


def test_a_key_that_is_text_is_no_key() -> None:
    assert redact({"key": "s"}, ACTIONS) == {"key": {"length": 1}}
    assert redact({"key": "Shift+S"}, ACTIONS) == {"key": {"length": 1}}
    # One after another they are a password.
    assert redact({"key": "s"}, CONTENT) == {"key": {"length": 1}}
    assert redact({"key": "Enter"}, CONTENT) == {"key": "Enter"}


def test_of_what_is_typed_the_size_is_told() -> None:
    for level in (ACTIONS, CONTENT):
        assert redact({"text": Typed("hello"), "value": Typed(4711)}, level) == {
            "text": {"length": 5},
            "value": {"type": "number"},
        }


def test_content_is_there_when_it_was_asked_for() -> None:
    assert redact({"text": "hello", "title": "Inbox"}, CONTENT) == {"text": "hello", "title": "Inbox"}


@pytest.mark.parametrize(
    "url", ["http://[", "http://host:99999/", "http://[::1]:8/a", "", "x" * 100_000, "https://" + "?=&" * 50_000]
)
def test_no_address_is_too_strange(url: str) -> None:
    assert len(clean_url(url, ACTIONS)) <= 500


def test_long_text_is_cut_before_it_is_searched() -> None:
    began = time.process_time()
    for hostile in ("eyJ" * 500_000, "a-" * 500_000, "password" * 200_000, "x://" * 300_000):
        assert len(clean_text(hostile)) <= 501
    # Not how fast it is: whether it ends.
    assert time.process_time() - began < 20


def test_too_much_data_is_cut_and_says_so() -> None:
    data = redact({f"field{n}": "word " * 90 for n in range(40)}, CONTENT)
    cut = shortened(data, msgspec.json.encode)
    assert cut["cut"] is True and 3 < len(cut)
    assert len(msgspec.json.encode(cut)) <= MAX_DATA_BYTES


def test_redacted_says_that_something_was_there() -> None:
    assert redact({"password": "x"}, ACTIONS) == {"password": REDACTED}
