"""What can go wrong before a server answers.  What it answers with are `belljar.problems`."""

import importlib
import pkgutil
import re
from collections.abc import Mapping
from functools import cache

import belljar.problems
from belljar.problems import Problem, StreamError, TokenInvalid, UnknownPath, problem_classes
from belljar.problems.browser import UploadFileNotFound

# What the server's sentences name, as it is called here.
METHODS = {
    "GET /v1/browser/contexts": "browser.contexts()",
    "GET /v1/browser/snapshot": "browser.snapshot()",
    "GET /v1/browser/status": "browser.status()",
    "GET /v1/browser/tabs": "browser.tabs()",
    "GET /v1/browser/text": "browser.text()",
    "GET /v1/desktop/windows": "desktop.windows.list()",
    "POST /api/sessions/{id}/tokens": "sessions.create_token()",
    "POST /v1/browser/dialog": "browser.answer_dialog()",
    "POST /v1/browser/execute": "browser.execute()",
    "POST /v1/browser/start": "browser.start()",
    "POST /v1/browser/stop": "browser.stop()",
    "POST /v1/browser/upload": "browser.upload()",
    "POST /v1/control": "control.request()",
    "POST /v1/desktop/start": "desktop.start()",
    "POST /v1/desktop/stop": "desktop.stop()",
    "PUT /v1/browser/partitions/{name}": "browser.put_partition()",
}
_KEPT = frozenset({"type", "title", "status", "detail", "code"})


class Unreachable(ConnectionError):
    """The server cannot be reached, or hung up before it answered: whether it did what was asked is not known."""


class NotBelljar(Unreachable):
    """Something else answers there, or a proxy in between."""


class NoAnswer(TimeoutError):
    """The server took longer than the client waits."""


class CannotStart(RuntimeError):
    """The embedded box did not come up, or died; the message ends with what it said last."""


class DownloadFailed(RuntimeError):
    """A download that was waited for ended without its file."""


class PlaywrightMissing(ImportError):
    """`playwright()` was called where Playwright is not installed."""


class UnknownProblem(Problem):
    """A problem that this version does not know, of a newer server or a proxy in between; `code` is what it says."""


def rebuilt(status: int, body: object, headers: Mapping[str, str], *, reword: bool = True) -> Problem:
    """The exception that the server raised, out of the document it sent; with `reword` in the words of this client."""
    told: Mapping[str, object] = body if isinstance(body, dict) else {}
    code = str(told.get("code", ""))
    detail = str(told.get("detail") or told.get("title") or f"The server answered {status}.")
    kinds = _kinds()
    kind = kinds.get((code, status)) or kinds.get((code, 0)) or UnknownProblem
    detail = in_python(detail) if reword else detail
    problem = kind.__new__(kind)
    members = {_snake(name): value for name, value in told.items() if name not in _KEPT and name not in ("headers",)}
    # Past the subclass, whose own `__init__` makes detail and members out of what only a server knows.
    Problem.__init__(problem, detail, headers=dict(headers), **members)
    if kind is UnknownProblem:
        vars(problem).update(status=status, code=code, title=str(told.get("title", "")))
    return problem


def in_python(detail: str) -> str:
    """A server's sentence in the words of this client: its methods instead of requests, seconds as it takes them."""
    for call, method in METHODS.items():
        detail = re.sub(rf"{re.escape(call)}(?![\w/])", method, detail)
    return re.sub(r"\b(\d+) ms\b", lambda found: f"{int(found[1]) / 1000:g} s", detail)


def explained(problem: Problem, url: str, *, has_token: bool, sent: Mapping[str, object]) -> Problem:
    """With what the server does not know or does not repeat: what the caller may have meant, and what was `sent`."""
    more = _passed(problem, sent)
    if isinstance(problem, TokenInvalid):
        more = f"{url} does not take the one that was given" if has_token else "give one, or set BELLJAR_TOKEN"
    elif isinstance(problem, UnknownPath):
        more = f"{url}; a control plane has sessions, a box has browser, desktop and the rest"
    if more:
        problem.detail = f"{problem.detail.removesuffix('.')}: {more}."
        problem.args = (problem.detail,)
    return problem


def _passed(problem: Problem, sent: Mapping[str, object]) -> str:
    """The values that a refusal is about, in Python's names."""
    if isinstance(problem, StreamError) and "command" in sent:
        return f"the program is {sent['command']!r}"
    if isinstance(problem, UploadFileNotFound):
        return repr(problem.members.get("path"))
    errors = problem.members.get("errors")
    fields = [str(one.get("field", "")) for one in errors if isinstance(one, dict)] if isinstance(errors, list) else []
    given = [f"{_snake(field)}={sent[field]!r}" for field in fields if field in sent]
    return f"{', '.join(given)[:500]} was passed" if given else ""


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
