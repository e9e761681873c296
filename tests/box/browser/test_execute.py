"""`POST /v1/browser/execute` as a client meets it."""

from typing import Any

import httpx2 as httpx
import pytest

from tests.site import Site


def run(api: httpx.Client, expression: str, **fields: Any) -> httpx.Response:
    return api.post("/v1/browser/execute", json={"expression": expression, **fields})


@pytest.mark.parametrize(
    ("expression", "result", "type"),
    [
        ("1 + 1", 2, "number"),
        ("'é😀'", "é😀", "string"),
        ("true", True, "boolean"),
        ("null", None, "null"),
        ("({a: [1, {b: null}]})", {"a": [1, {"b": None}]}, "object"),
        ("[1, 'two']", [1, "two"], "array"),
        ("new Date(0)", "1970-01-01T00:00:00.000Z", "date"),
        ("Promise.resolve(5)", 5, "number"),
        ("await Promise.resolve({a: 6})", {"a": 6}, "object"),
        ("const again = 1; again", 1, "number"),
        ("const again = 2; again", 2, "number"),
    ],
)
def test_json_values_come_back(api: httpx.Client, expression: str, result: object, type: str) -> None:
    assert run(api, expression).json() == {"result": result, "type": type}


@pytest.mark.parametrize(
    ("expression", "type", "description"),
    [
        ("undefined", "undefined", "undefined"),
        ("NaN", "number", "NaN"),
        ("-Infinity", "number", "-Infinity"),
        ("-0", "number", "-0"),
        ("10n", "bigint", "10n"),
        ("Symbol('s')", "symbol", "Symbol(s)"),
        ("() => 1", "function", "() => 1"),
        ("document.body", "node", "body"),
        ("new Error('lost')", "error", "Error: lost"),
        ("const cycle = {}; cycle.self = cycle; cycle", "object", "circular"),
    ],
)
def test_what_has_no_json_value_is_described(api: httpx.Client, expression: str, type: str, description: str) -> None:
    answer = run(api, expression).json()
    assert (answer["result"], answer["type"]) == (None, type)
    assert description in answer["description"]


def test_a_promise_need_not_be_awaited(api: httpx.Client) -> None:
    assert run(api, "new Promise(() => {})", awaitPromise=False).json()["type"] == "promise"


@pytest.mark.parametrize(
    ("expression", "name", "message", "line"),
    [
        ("1;\nthrow new TypeError('bad')", "TypeError", "bad", 2),
        ("1 +* 2", "SyntaxError", "Unexpected token '*'", 1),
        ("Promise.reject(new RangeError('no'))", "RangeError", "no", 1),
        ("nowhere.at.all", "ReferenceError", "nowhere is not defined", 1),
    ],
)
def test_what_it_throws_is_a_problem(api: httpx.Client, expression: str, name: str, message: str, line: int) -> None:
    response = run(api, expression)
    assert (response.status_code, response.json()["code"]) == (400, "script_error")
    assert response.json()["type"] == "tag:sandboxagent.dev,2025:browser/script-error"
    assert {key: response.json()[key] for key in ("name", "message", "line")} == {
        "name": name,
        "message": message,
        "line": line,
    }


def test_a_value_over_the_limit_is_left_out(api: httpx.Client) -> None:
    answer = run(api, "['x'.repeat(11_000_000)]").json()
    assert (answer["result"], answer["truncated"]) == (None, True)


def test_a_dialog_it_opens_is_its_answer(api: httpx.Client) -> None:
    answer = run(api, "prompt('name?', 'nobody')").json()
    assert answer["dialog"] == {"type": "prompt", "message": "name?", "defaultPrompt": "nobody"}
    refused = run(api, "1")
    assert (refused.status_code, refused.json()["code"]) == (409, "dialog_open")


def test_an_endless_loop_ends_at_the_deadline_and_the_page_lives_on(api: httpx.Client) -> None:
    stuck = run(api, "for (;;) {}", timeout=300)
    assert (stuck.status_code, stuck.json()["code"]) == (504, "browser_timeout")
    assert run(api, "1 + 1").json()["result"] == 2


def test_a_frame_is_named_by_its_element(api: httpx.Client, site: Site) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("frames.html")}).raise_for_status()
    assert run(api, "location.origin", frame="#cross").json()["result"] == site.origin(1)
    refused = run(api, "1", frame="#nowhere")
    assert (refused.status_code, refused.json()["code"]) == (404, "frame_not_found")
