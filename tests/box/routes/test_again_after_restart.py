"""Every use of the browser by a route is begun again in the next Chromium when the one it was meant for missed it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import belljar.box.routes.browser

FOLDER = Path(belljar.box.routes.browser.__file__).parent
BLOCKS = {"action", "answering", "use_page", "use_chromium"}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_blocks_stand_in_functions_that_are_begun_again(path: Path) -> None:
    for function in functions_in(ast.parse(path.read_text())):
        is_begun_again = any(ast.unparse(one) == "again_after_restart" for one in function.decorator_list)
        assert is_begun_again or not has_block(function), f"{path.name}: {function.name}"


def test_there_are_such_blocks() -> None:
    parsed = [ast.parse(path.read_text()) for path in FOLDER.glob("*.py")]
    assert sum(has_block(function) for tree in parsed for function in functions_in(tree)) > 30


def functions_in(tree: ast.AST) -> Iterator[ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef))


def has_block(function: ast.AsyncFunctionDef) -> bool:
    """Whether one of its own statements, not one of a function within, enters such a block."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.AsyncWith) and any(_is_block(item.context_expr) for item in node.items):
            return True
        if not isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def _is_block(entered: ast.expr) -> bool:
    called = entered.func if isinstance(entered, ast.Call) else None
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in BLOCKS | {"_going"}
