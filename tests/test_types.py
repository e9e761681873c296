"""How much of the code is typed in earnest: `Any` turns the checker off wherever it comes to."""

import ast
from pathlib import Path

import belljar

SOURCE = Path(belljar.__file__).parent
# In a thousand lines that are not blank.  Playwright's Python client has 13.6, mitmproxy 2.7.
MOST = 5.0


def test_any_is_rare() -> None:
    lines = 0
    places: dict[str, int] = {}
    for file in SOURCE.rglob("*.py"):
        text = file.read_text()
        lines += sum(1 for line in text.splitlines() if line.strip())
        found = sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(ast.parse(text)))
        if found:
            places[str(file.relative_to(SOURCE))] = found
    share = 1000 * sum(places.values()) / lines
    worst = sorted(places.items(), key=lambda place: -place[1])[:10]
    assert share < MOST, f"{share:.2f} in a thousand lines; most in {worst}"
