"""The SDK has a method for every operation there is, each with a docstring, and the same ones twice."""

import ast
import inspect
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from pydantic.alias_generators import to_camel

import belljar.sdk.encoding as choices
from belljar import AsyncBelljar, Belljar
from belljar.wire import access, control, processes, sessions
from belljar.wire import live as live_wire
from belljar.wire.browser import acting, common, crawl, lifecycle, reading
from belljar.wire.desktop import ClipboardFormat

ROOT = Path(__file__).parent.parent.parent
AIO = ROOT / "src/belljar/sdk/aio"

# What no program calls by a method of its own, and why.
LEFT_OUT = {
    ("GET", "/healthz"): "a probe for load balancers; `health()` says more",
    ("GET", "/api/download/{}"): "a link that agents give to people; `files` reads `/workspace` too",
    ("GET", "/readyz"): "a probe; the client waits for it itself when it starts a box",
    ("GET", "/v1/browser/cdp/json/list"): "for CDP clients that look for a tab's socket; `tabs()` lists them",
    ("GET", "/v1/browser/cdp"): "a WebSocket: `playwright()` connects to it",
    ("GET", "/v1/desktop/stream/signaling"): "a WebSocket that browsers speak WebRTC over",
    ("POST", "/v1/claim"): "for the control plane that lends the box",
    ("POST", "/mcp"): "for MCP clients; its tools are calls that the SDK has",
    ("POST", "/api/apps/question"): "for the page on which a person is asked whether to let an app in",
    ("POST", "/api/apps/consent"): "for the page on which a person is asked whether to let an app in",
    ("POST", "/view/session"): "for the viewer page, which wants a cookie",
    ("DELETE", "/view/session"): "for the viewer page, which wants a cookie",
}
# The client's own methods that call a path, and the HTTP method they do it by.
CALLS = {"get": "GET", "fetch": "GET", "text": "GET", "stream": "GET", "events": "GET", "websocket": "GET"}
CALLS |= {"post": "POST", "_crawl": "POST", "put": "PUT", "patch": "PATCH", "delete": "DELETE"}


SCHEMAS: dict[str, Any] = {
    name: schema
    for file in ("box", "control")
    for name, schema in json.loads((ROOT / f"openapi/{file}.json").read_text())["components"]["schemas"].items()
}


@cache
def operations() -> dict[tuple[str, str], dict[str, Any]]:
    """By method and path, with `{}` for what is filled in."""
    found = {}
    for name in ("box", "control"):
        described = json.loads((ROOT / f"openapi/{name}.json").read_text())
        for path, methods in described["paths"].items():
            for method, operation in methods.items():
                found[method.upper(), _blank(path)] = operation
    return found


@cache
def called() -> dict[tuple[str, str], set[str]]:
    """What the SDK's source asks of a server: every path that stands in it, and the arguments of who asks."""
    found: dict[tuple[str, str], set[str]] = {}
    for file in set(AIO.glob("*.py")) - {AIO / "http.py", AIO / "connection.py"}:
        for function in ast.walk(ast.parse(file.read_text())):
            if isinstance(function, ast.AsyncFunctionDef):
                arguments = {one.arg for one in (*function.args.args, *function.args.kwonlyargs)}
                for call in _calls(function):
                    found.setdefault(call, set()).update(arguments)
    return found


def _calls(function: ast.AsyncFunctionDef) -> Iterator[tuple[str, str]]:
    names = {
        node.targets[0].id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        arguments = list(node.args)
        method = CALLS.get(node.func.attr)
        if node.func.attr == "request" and arguments and isinstance(arguments[0], ast.Constant):
            method = str(arguments.pop(0).value)  # type: ignore[attr-defined]
        given = arguments[0] if arguments else None
        path = _path(names.get(given.id, given) if isinstance(given, ast.Name) else given)
        if method and path.startswith("/"):
            yield method, path


def _path(node: ast.AST | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)  # type: ignore[misc]
    return ""


def _blank(path: str) -> str:
    return "/".join("{}" if part.startswith("{") else part for part in path.split("/"))


def test_every_operation_has_a_method() -> None:
    assert sorted(operations().keys() - called().keys() - {(m, _blank(p)) for m, p in LEFT_OUT}) == []


def test_nothing_is_left_out_that_has_one() -> None:
    assert [left for left in LEFT_OUT if left in called() or left not in operations()] == []


def test_no_method_calls_what_is_not_there() -> None:
    assert sorted(called().keys() - operations().keys() - {("GET", "/v1/live")}) == []


# Fields that an argument of another name gives, or the SDK by itself.
OTHERWISE = {
    "tabId": "the page's own",
    "delayMs": "delay, in seconds",
    "timeoutMs": "timeout, in seconds",
    "waitMs": "wait, in seconds",
    "follow": "the methods that follow",
    "action": "one method each",
    "encoding": "always base64",
    "path": "`paths` of uploads, and addresses",
}
# Bodies that are given whole, as their model, and one that several methods share.
WHOLE = {("POST", "/v1/browser/storage"), ("POST", "/v1/processes/config"), ("POST", "/v1/control")}
# For servers that are called by others than the SDK; accepted and not used.
UNUSED = {("POST", "/v1/desktop/start"): {"stateDir"}}


@pytest.mark.parametrize("operation", sorted(operations().keys() & called().keys() - WHOLE), ids=" ".join)
def test_everything_that_can_be_asked_is_an_argument(operation: tuple[str, str]) -> None:
    given = {to_camel(name.rstrip("_")) for name in called()[operation]}
    asked = fields(operations()[operation]) - OTHERWISE.keys() - UNUSED.get(operation, set())
    assert sorted(asked - given) == []


def fields(operation: dict[str, Any]) -> set[str]:
    """The names of what an operation takes, in its query or its body."""
    found = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}
    taken = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return found | properties(taken.get("schema", {}))


def properties(schema: dict[str, Any]) -> set[str]:
    if "$ref" in schema:
        return properties(SCHEMAS[schema["$ref"].rpartition("/")[2]])
    return set(schema.get("properties", {})).union(*map(properties, schema.get("anyOf", [])))


def classes(client: Any, seen: set[type] | None = None) -> set[type]:
    """The class of a client, of its namespaces and of theirs."""
    seen = seen if seen is not None else set()
    if type(client) not in seen:
        seen.add(type(client))
        for name, value in vars(client).items():
            if not name.startswith("_") and type(value).__module__.startswith("belljar.sdk"):
                classes(value, seen)
    return seen


def methods(kind: type) -> dict[str, Any]:
    return {name: value for name, value in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")}


NAMESPACES = sorted(classes(AsyncBelljar("http://localhost")), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", NAMESPACES, ids=lambda kind: kind.__name__)
def test_every_method_says_what_it_does(kind: type) -> None:
    assert [name for name, method in methods(kind).items() if not inspect.getdoc(method)] == []


def test_both_clients_have_the_same_shape() -> None:
    blocking = {kind.__name__: methods(kind) for kind in classes(Belljar("http://localhost"))}
    for kind in NAMESPACES:
        twin = blocking[kind.__name__.removeprefix("Async")]
        assert {name: _shape(method) for name, method in methods(kind).items()} == {
            name: _shape(method) for name, method in twin.items()
        }


def _shape(method: Any) -> list[tuple[str, Any, Any]]:
    return [(one.name, one.kind, one.default) for one in inspect.signature(method).parameters.values()]


def models_given(kind: Any, seen: set[type]) -> set[type]:
    """Pydantic models in an annotation, and in theirs."""
    if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in seen:
        seen.add(kind)
        for field in kind.model_fields.values():
            models_given(field.annotation, seen)
    for inner in get_args(kind):
        models_given(inner, seen)
    return seen


def test_models_that_callers_make_name_their_defaults() -> None:
    """`Field(default=None)`, not `Field(None)`: type checkers without Pydantic's plugin know no other."""
    found: set[type] = set()
    for method in (method for kind in NAMESPACES for method in methods(kind).values()):
        for name, hint in method.__annotations__.items():
            models_given(hint if name != "return" else None, found)
    assert sessions.SessionPolicy in found
    for kind in found:
        calls = [node for node in ast.walk(ast.parse(inspect.getsource(kind))) if isinstance(node, ast.Call)]
        assert [ast.unparse(call) for call in calls if ast.unparse(call.func) == "Field" and call.args] == [], kind


ENUMS = {
    "Button": acting.Button,
    "Modifier": acting.Modifier,
    "WaitUntil": common.WaitUntil,
    "WaitState": acting.WaitState,
    "ImageFormat": reading.ImageFormat,
    "PaperFormat": reading.PaperFormat,
    "MarkdownMode": reading.MarkdownMode,
    "ConsoleLevel": reading.ConsoleLevel,
    "Extract": crawl.Extract,
    "ColorScheme": lifecycle.ColorScheme,
    "Owner": processes.ProcessOwner,
    "RestartPolicy": processes.RestartPolicy,
    "LogStream": processes.LogStream,
    "ClipboardFormat": ClipboardFormat,
    "ControlMoment": control.ControlMoment,
    "TokenRole": sessions.TokenRole,
    "KeyRole": access.KeyRole,
    "SessionMode": sessions.SessionMode,
    "SessionState": sessions.SessionState,
    "MouseAction": live_wire.MouseAction,
    "LiveButton": live_wire.MouseButton,
    "KeyAction": live_wire.KeyAction,
}


@pytest.mark.parametrize("name", ENUMS)
def test_the_words_of_an_argument_are_those_of_the_wire(name: str) -> None:
    module: ModuleType = choices
    assert set(get_args(getattr(module, name))) == {member.value for member in ENUMS[name]}
