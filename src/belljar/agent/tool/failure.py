"""Failures in words for a model: a sentence, and what to do about it."""

import json

from belljar.problems import Problem
from belljar.problems.box import AddressDenied, EgressDenied
from belljar.problems.browser import (
    BrowserInstallRequired,
    BrowserInvalidSelector,
    BrowserTimeout,
    ElementNotFound,
    ElementNotReady,
    NavigationFailed,
)
from belljar.sdk.errors import CannotStart, NoAnswer, Unreachable

INSTALL_HINT = "Install what is missing: `belljar install browser --yes`, then check with `belljar doctor`."
LOOK_HINT = "Look at the page with extract_text or screenshot, then try again with another selector."


class ToolFailure(Exception):
    """Ends a call with `STATUS: ERROR`."""

    def __init__(self, error: str, hint: str) -> None:
        super().__init__(error)
        self.error = error
        self.hint = hint


def timeout_hint(timeout_ms: int) -> str:
    return (
        f'Raise timeout_ms (it was {timeout_ms}), or wait for less: wait_until="domcontentloaded", '
        "or a wait_for_selector for what is really needed."
    )


def failure_of(error: Exception, timeout_ms: int) -> ToolFailure:
    """What a model is told about an exception of the SDK's."""
    if isinstance(error, ToolFailure):
        return error
    return ToolFailure(sentence_of(error), _hint(error, timeout_ms))


def sentence_of(error: Exception) -> str:
    if isinstance(error, NavigationFailed):
        return f"{error.detail} ({error.members.get('url', '')})"
    if isinstance(error, Problem):
        return error.detail
    if isinstance(error, CannotStart):
        return f"No box could be started: {_last_reason(str(error))}"
    return str(error) or type(error).__name__


def _last_reason(said: str) -> str:
    """The box's log is lines of JSON; the last one that gives a reason is what matters."""
    for line in reversed(said.splitlines()):
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if isinstance(told, dict) and "reason" in told:
            return f"{told['reason']}."
    return said[-500:]


def _hint(error: Exception, timeout_ms: int) -> str:
    if isinstance(error, BrowserInstallRequired):
        return INSTALL_HINT
    if isinstance(error, CannotStart):
        return "`belljar doctor` says what is amiss; a workspace must be a folder that the box's user can reach."
    if isinstance(error, BrowserTimeout | NoAnswer | TimeoutError):
        return timeout_hint(timeout_ms)
    if isinstance(error, ElementNotReady):
        return "Wait for what is in the way to go (wait_for_hidden), or pass force if it is certain to be right."
    if isinstance(error, ElementNotFound):
        return LOOK_HINT
    if isinstance(error, BrowserInvalidSelector):
        return "Use a CSS selector, text=…, role=… or xpath=…."
    if isinstance(error, EgressDenied | AddressDenied):
        return "The network policy of the box does not allow it; its operator can."
    if isinstance(error, NavigationFailed):
        return "Check the URL, and that its server is running and can be reached from the box."
    if isinstance(error, Unreachable):
        return "Check BELLJAR_URL and that the box is running."
    return "Try again; if it stays, the log of the box says more."
