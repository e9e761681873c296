"""CDP's words do not leave `browser/`: the live view and its stream know pages, events and frames."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import belljar.box.live

FILES = sorted(Path(belljar.box.live.__path__[0]).rglob("*.py"))
# `Page.frameNavigated`; not `Live.watch`, which no string has.
METHOD = re.compile(r"[A-Z][A-Za-z]+\.[a-z][A-Za-z]+")
# What of a page leads to Chromium's own words.
WAYS = {"session", "sessions", "connection"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_it_names_no_cdp_method_and_reaches_for_no_session(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert not [text for text in strings_in(tree) if METHOD.fullmatch(text)]
    imported = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [name for name in imported if name.startswith("belljar.box.browser.cdp")]
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & WAYS
    # A display's connection is the X server's.
    assert used <= ({"connection"} if path.stem in ("desktop_source", "capture") else set())


def strings_in(tree: ast.AST) -> Iterator[str]:
    return (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
