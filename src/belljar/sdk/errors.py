"""What can go wrong before a server answers.  What it answers with are `belljar.problems`."""

import importlib
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import belljar.problems
from belljar.problems import Problem, TokenInvalid, UnknownPath, problem_classes

_KEPT = frozenset({"type", "title", "status", "detail", "code"})


class Unreachable(ConnectionError):
    """The server cannot be reached, or hung up before it answered: whether it did what was asked is not known."""


class NotBelljar(Unreachable):
    """Something else answers there, or a proxy in between."""


class NoAnswer(TimeoutError):
    """The server took longer than the client waits."""


class CannotStart(RuntimeError):
    """The embedded box did not come up, or died; the message ends with what it said last."""


class PlaywrightMissing(ImportError):
    """`playwright()` was called where Playwright is not installed."""


class UnknownProblem(Problem):
    """A problem that this version does not know, of a newer server or a proxy in between; `code` is what it says."""


def rebuilt(status: int, body: Any, headers: Mapping[str, str]) -> Problem:
    """The exception that the server raised, out of the document it sent."""
    told: Mapping[str, Any] = body if isinstance(body, dict) else {}
    code = str(told.get("code", ""))
    detail = str(told.get("detail") or told.get("title") or f"The server answered {status}.")
    kinds = _kinds()
    kind = kinds.get((code, status)) or kinds.get((code, 0)) or UnknownProblem
    problem = kind.__new__(kind)
    members = {_snake(name): value for name, value in told.items() if name not in _KEPT and name not in ("headers",)}
    # Past the subclass, whose own `__init__` makes detail and members out of what only a server knows.
    Problem.__init__(problem, detail, headers=dict(headers), **members)
    if kind is UnknownProblem:
        vars(problem).update(status=status, code=code, title=str(told.get("title", "")))
    return problem


def explained(problem: Problem, url: str, *, has_token: bool) -> Problem:
    """With what the server does not know: what the caller may have meant."""
    more = ""
    if isinstance(problem, TokenInvalid):
        more = f"{url} does not take the one that was given" if has_token else "give one, or set BELLJAR_TOKEN"
    elif isinstance(problem, UnknownPath):
        more = f"{url}; a control plane has sessions, a box has browser, desktop and the rest"
    if more:
        problem.detail = f"{problem.detail}: {more}."
        problem.args = (problem.detail,)
    return problem


@cache
def _kinds() -> Mapping[tuple[str, int], type[Problem]]:
    """Every problem there is, by code and status; by code alone with 0, where one code has a single status."""
    for module in pkgutil.iter_modules(belljar.problems.__path__):
        importlib.import_module(f"belljar.problems.{module.name}")
    found: dict[tuple[str, int], type[Problem]] = {}
    for kind in problem_classes():
        found[kind.code, kind.status] = kind
        found.setdefault((kind.code, 0), kind)
    return found


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
