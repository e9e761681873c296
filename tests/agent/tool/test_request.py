"""Parameters: what is refused before anything starts, and what a call may take."""

from typing import Any

import pytest

from belljar.agent.tool.failure import ToolFailure
from belljar.agent.tool.request import OPERATIONS, read_request


def test_an_unknown_operation_lists_those_there_are() -> None:
    with pytest.raises(ToolFailure) as refused:
        read_request({"operation": "fly"})
    assert all(operation in refused.value.error for operation in OPERATIONS)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"operation": "navigate"}, "navigate needs `url`"),
        ({"operation": "click"}, "click needs `selector`"),
        ({"operation": "interact"}, "interact needs `actions`"),
        ({"operation": "interact", "actions": []}, "interact needs `actions`"),
        ({"operation": "interact", "actions": "click"}, "must be a list"),
        ({"operation": "interact", "actions": [{"action": "jump"}]}, "Action 1 has the unknown kind 'jump'"),
        ({"operation": "interact", "actions": [{"action": "click"}]}, "Action 1: selector"),
        (
            {"operation": "interact", "actions": [{"action": "click", "selector": "a", "wait_for_hiden": "b"}]},
            "Action 1: wait_for_hiden",
        ),
        (
            {"operation": "interact", "actions": [{"action": "wait_for_selector", "selector": "a", "state": "gone"}]},
            "Action 1: state",
        ),
        ({"operation": "navigate", "url": "about:blank", "timeout_ms": 0}, "timeout_ms"),
        ({"operation": "navigate", "url": "about:blank", "wait_until": "soon"}, "wait_until"),
        ({"operation": "navigate", "url": "about:blank", "colour": "red"}, "colour"),
        ({"operation": "extract_text", "max_chars": 0}, "max_chars"),
    ],
)
def test_what_cannot_be_understood_is_named(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ToolFailure) as refused:
        read_request(given)
    assert said in refused.value.error
    assert refused.value.hint


def test_the_defaults_are_those_of_the_document() -> None:
    request = read_request({"operation": "extract_text"})
    assert (request.timeout_ms, request.max_chars, request.stop_on_error) == (30_000, 65_536, False)


def test_the_budget_grows_with_the_actions() -> None:
    def budget(count: int) -> float:
        actions = [{"action": "sleep", "ms": 1}] * count
        return read_request({"operation": "interact", "actions": actions, "timeout_ms": 2000}).budget

    assert budget(20) - budget(10) == 20.0
    assert budget(20) >= 40.0
    slow = [{"action": "sleep", "ms": 60_000}]
    assert read_request({"operation": "interact", "actions": slow, "timeout_ms": 1000}).budget > 60
