"""`interact`: every sub-action, the stability guard, and when a sequence ends early."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.agent.tool.conftest import Call, fields
from tests.site import Site

DEAD = "http://127.0.0.9:8000/"


def click(selector: str, **more: Any) -> dict[str, Any]:
    return {"action": "click", "selector": selector, **more}


def entries(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("[")]


@pytest.fixture
def desktop(site: Site) -> str:
    return site.url("agent/desktop.html")


# Every sub-action.


def test_a_calculator_is_driven_in_one_call(call: Call, desktop: str) -> None:
    text = call(
        "interact",
        url=desktop,
        actions=[
            click("#unlock-btn"),
            {"action": "wait_for_selector", "selector": "#lock-screen", "state": "hidden"},
            {"action": "dblclick", "selector": ".desktop-icon[data-app='calc']"},
            {"action": "wait_for_selector", "selector": "#calc-display"},
            click("#calc-btn-7"),
            click("#calc-btn-plus"),
            click("#calc-btn-3"),
            click("#calc-btn-eq"),
            {"action": "extract_text", "selector": "#calc-display"},
            {"action": "fill", "selector": "input[name='name']", "text": "Ada"},
            {"action": "sleep", "ms": 1},
            {"action": "extract_text", "selector": "#said", "max_chars": 5},
            {"action": "screenshot", "out_path": "calc_result.png"},
        ],
    )
    lines = entries(text)
    assert len(lines) == 13
    assert all("-> ok" in line for line in lines), text
    assert lines[8] == "[9] extract_text: #calc-display -> ok, 2 characters: see TEXT [9]"
    assert lines[11] == "[12] extract_text: #said -> ok, 5 characters, truncated: see TEXT [12]"
    assert lines[12] == "[13] screenshot: -> ok, /workspace/calc_result.png (/api/download/calc_result.png)"
    assert text.split("TEXT [9]:\n")[1].splitlines()[1] == "10"
    assert text.split("TEXT [12]:\n")[1].splitlines()[1] == "Hello"
    assert fields(text)["ABORTED"] == "false"


def test_a_single_click_does_not_double_click(call: Call, desktop: str) -> None:
    wait = {"action": "wait_for_selector", "selector": "#calc", "timeout_ms": 200}
    clicked, waited = entries(call("interact", url=f"{desktop}?open", actions=[click(".desktop-icon"), wait]))
    assert clicked.endswith("-> ok")
    assert "it is not visible" in waited


# The stability guard.


def test_wait_for_hidden_waits_for_an_overlay_to_fade(call: Call, desktop: str) -> None:
    actions = [click("#unlock-btn"), click("#start-btn", wait_for_hidden="#lock-screen")]
    text = call("interact", url=desktop, actions=[*actions, {"action": "extract_text", "selector": "#said"}])
    assert text.split("TEXT [3]:\n")[1].splitlines()[1] == "started"


@pytest.mark.parametrize("action", ["click", "dblclick", "fill"])
def test_an_overlay_that_stays_is_named(call: Call, desktop: str, action: str) -> None:
    guarded = {"action": action, "selector": "#start-btn", "wait_for_hidden": "#lock-screen", "wait_for_hidden_ms": 200}
    more = {"text": "x"} if action == "fill" else {}
    text = call("interact", url=f"{desktop}?stuck", actions=[{**guarded, **more}])
    (line,) = entries(text)
    assert f"error: wait_for_hidden(#lock-screen) timed out before {action}(#start-btn)" in line


def test_without_the_guard_what_is_in_the_way_is_named(call: Call, desktop: str) -> None:
    text = call("interact", url=f"{desktop}?stuck", actions=[click("#start-btn")], timeout_ms=3000)
    (line,) = entries(text)
    assert "error" in line
    assert "lock-screen" in line


def test_force_clicks_all_the_same(call: Call, desktop: str) -> None:
    text = call("interact", url=f"{desktop}?stuck", actions=[click("#start-btn", force=True)])
    assert entries(text) == ["[1] click: #start-btn -> ok"]


def test_an_overlay_that_is_not_there_is_gone(call: Call, desktop: str) -> None:
    text = call("interact", url=f"{desktop}?open", actions=[click("#start-btn", wait_for_hidden="#none")])
    assert entries(text) == ["[1] click: #start-btn -> ok"]


@pytest.mark.parametrize(
    ("selector", "state"),
    [("#lock-screen", "hidden"), ("#calc", "attached"), ("#none", "detached"), ("#start-btn", "visible")],
)
def test_each_state_can_be_waited_for(call: Call, desktop: str, selector: str, state: str) -> None:
    wait = {"action": "wait_for_selector", "selector": selector, "state": state}
    text = call("interact", url=f"{desktop}?open", actions=[wait])
    assert entries(text) == [f"[1] wait_for_selector: {selector} -> ok"]


def test_a_state_that_does_not_come_is_an_error(call: Call, desktop: str) -> None:
    wait = {"action": "wait_for_selector", "selector": "#lock-screen", "state": "hidden", "timeout_ms": 100}
    (line,) = entries(call("interact", url=f"{desktop}?stuck", actions=[wait]))
    assert "error: wait_for_selector(#lock-screen) timed out after 100 ms: it is not hidden." in line


# Sequences that end early: a navigation that fails is terminal, nothing else is.


def test_a_failed_first_address_aborts(call: Call) -> None:
    text = call("interact", url=DEAD, actions=[click("#a"), click("#b")])
    (line,) = entries(text)
    assert line.startswith(f"[0] goto: {DEAD} -> error: ")
    assert line.endswith("(aborted_sequence: true)")
    assert fields(text)["STATUS"] == "ERROR"
    assert "⚠ SEQUENCE ABORTED: initial_goto_failed. Remaining actions were NOT executed" in text
    assert (fields(text)["ABORTED"], fields(text)["ABORT_REASON"]) == ("true", "initial_goto_failed")


def test_a_failed_goto_aborts(call: Call) -> None:
    text = call("interact", actions=[{"action": "goto", "url": DEAD}, click("#a")])
    (line,) = entries(text)
    assert line.startswith("[1] goto")
    assert "aborted_sequence: true" in line
    assert fields(text)["ABORT_REASON"] == "goto_failed"


def test_a_failed_goto_in_the_middle_keeps_what_was_done(call: Call, desktop: str) -> None:
    actions = [click("#start-btn"), {"action": "goto", "url": DEAD}, click("#start-btn"), click("#start-btn")]
    text = call("interact", url=f"{desktop}?open", actions=actions)
    first, second = entries(text)
    assert first == "[1] click: #start-btn -> ok"
    assert "aborted_sequence: true" in second
    assert fields(text)["ABORT_REASON"] == "goto_failed"
    assert fields(text)["STATUS"] == "ERROR" and "STOPPED_AT" not in fields(text)


def test_a_failed_way_back_to_the_last_address_aborts(call: Call, passing_site: tuple[str, threading.Event]) -> None:
    url, go = passing_site
    assert fields(call("navigate", url=url))["STATUS"] == "OK"
    go.set()
    text = call("interact", actions=[click("#a")], timeout_ms=5000)
    (line,) = entries(text)
    assert line.startswith("[0] goto")
    assert fields(text)["ABORT_REASON"] == "initial_goto_failed"
    assert url in line


def test_a_long_sequence_does_not_wait_for_each_action(call: Call) -> None:
    text = call("interact", actions=[{"action": "goto", "url": DEAD}, *[click("#a")] * 53])
    assert len(entries(text)) == 1
    assert "⚠ SEQUENCE ABORTED: goto_failed. Remaining actions were NOT executed" in text


def test_other_failures_do_not_abort(call: Call, desktop: str) -> None:
    actions = [click("#none"), click("#start-btn")]
    text = call("interact", url=f"{desktop}?open", actions=actions, timeout_ms=3000)
    first, second = entries(text)
    assert "error: No element matches #none." in first
    assert second == "[2] click: #start-btn -> ok"
    assert (fields(text)["ABORTED"], fields(text)["ABORT_REASON"]) == ("false", "none")


def test_stop_on_error_ends_at_the_first_failure(call: Call, desktop: str) -> None:
    actions = [click("#none"), click("#start-btn")]
    text = call("interact", url=f"{desktop}?open", actions=actions, timeout_ms=3000, stop_on_error=True)
    assert len(entries(text)) == 1
    assert fields(text)["ABORTED"] == "false"
    assert "SEQUENCE ABORTED" not in text
    assert fields(text)["STATUS"] == "ERROR"
    assert (fields(text)["STOPPED_AT"], fields(text)["SKIPPED"]) == ("1", "1")
    assert "⚠ SEQUENCE STOPPED at action 1" in text


def test_a_last_action_that_fails_leaves_nothing_undone(call: Call, desktop: str) -> None:
    actions = [click("#start-btn"), click("#none")]
    text = call("interact", url=f"{desktop}?open", actions=actions, timeout_ms=3000, stop_on_error=True)
    assert fields(text)["STATUS"] == "OK"
    assert "SEQUENCE" not in text and "STOPPED_AT" not in fields(text)


def test_a_page_that_says_404_is_a_page(call: Call, site: Site) -> None:
    actions = [{"action": "goto", "url": site.url("_/status/404")}, {"action": "extract_text"}]
    text = call("interact", actions=actions)
    assert entries(text)[0].endswith("-> ok, HTTP 404")
    assert fields(text)["ABORTED"] == "false"


def test_a_sequence_that_goes_well_says_where_it_ended(call: Call, site: Site) -> None:
    text = call("interact", url=site.url("index.html"), actions=[click("#second")])
    assert (fields(text)["URL"], fields(text)["TITLE"]) == (site.url("second.html"), "The second page")
    assert (fields(text)["ABORTED"], fields(text)["ABORT_REASON"]) == ("false", "none")
    assert fields(call("extract_text"))["URL"] == site.url("second.html")


@pytest.fixture
def passing_site() -> Iterator[tuple[str, threading.Event]]:
    """A site that is there until the event is set: from then on it hangs up on everyone."""
    gone = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if gone.is_set():
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(b"hi")

        def log_message(self, format: str, *args: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/", gone
    finally:
        server.shutdown()
        thread.join(5)
        server.server_close()
