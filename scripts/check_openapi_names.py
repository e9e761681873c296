"""Check that the OpenAPI documents still say what they said before their schemas and operations were named for clients.

`openapi/renamed.json`, beside this script, has the old name and the new one of every schema and operation (two where
two models were one schema by chance), and what was changed on purpose since, with the reason; `openapi/before.json.gz`
has both documents as they were at commit e061a44.  What they said must still be said: there may be more (paths,
schemas, properties that nobody has to give), never less or other.
"""

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

BESIDE = Path(__file__).parent / "openapi"
DOCUMENTS = Path(__file__).parent.parent / "openapi"
PLACE = "#/components/schemas/"
# Lists of which a new document may have more: a client that knows the old ones is none the worse for it.
GROWING = ("enum", "examples", "tags")


class Comparison:
    """One document, old and new, with the names that its parts have now."""

    def __init__(self, old: dict[str, Any], new: dict[str, Any], renamed: dict[str, Any]) -> None:
        self._old, self._new = old, new
        self._schemas: dict[str, list[str]] = renamed["schemas"]
        self._operations: dict[str, str] = renamed["operations"]
        self._changed: dict[str, str] = renamed["changed"]

    def differences(self) -> Iterator[str]:
        yield from self._bad_table()
        for path, methods in self._old["paths"].items():
            for method, operation in methods.items():
                found = self._new["paths"].get(path, {}).get(method)
                yield from self._compare(f"{method.upper()} {path}", operation, found)
        schemas = self._new["components"]["schemas"]
        for name, schema in self._old["components"]["schemas"].items():
            for now in self._schemas.get(name, [name]):
                yield from self._compare(now, schema, schemas.get(now))

    def _bad_table(self) -> Iterator[str]:
        """What would hide a difference: an entry for what was never there, or two names made one."""
        known = {one["operationId"] for methods in self._old["paths"].values() for one in methods.values()}
        yield from (f"renamed.json: no operation was called {name}" for name in self._operations.keys() - known)
        schemas = [name for names in self._schemas.values() for name in names]
        for now in (schemas, list(self._operations.values())):
            yield from (f"renamed.json: {name} is the new name of two" for name in {n for n in now if now.count(n) > 1})

    def _compare(self, where: str, old: Any, new: Any) -> Iterator[str]:
        if where in self._changed:
            return
        if isinstance(new, dict) and "$ref" in new and isinstance(old, dict) and "$ref" not in old:
            # It stood there in full, with what it refers to beside it.
            new = self._new["components"]["schemas"][new["$ref"].removeprefix(PLACE)]
            old = {key: value for key, value in old.items() if key != "$defs"}
        if isinstance(old, dict) and isinstance(new, dict):
            for key, value in old.items():
                if key not in new:
                    yield f"{where}: {key} is gone"
                else:
                    yield from self._compare(f"{where}/{key}", value, new[key])
            return
        key = where.rpartition("/")[2]
        if isinstance(old, list) and isinstance(new, list):
            if key in GROWING:
                yield from (f"{where}: {one!r} is gone" for one in old if one not in new)
            elif key == "required":
                if sorted(old) != sorted(new):
                    yield f"{where}: {sorted(old)} became {sorted(new)}"
            elif len(old) > len(new) or (len(old) < len(new) and key != "parameters"):
                yield f"{where}: {len(old)} became {len(new)}"
            else:
                for number, (was, now) in enumerate(zip(old, new, strict=False)):
                    yield from self._compare(f"{where}/{number}", was, now)
        elif old != new and new not in self._new_names(key, old):
            yield f"{where}: {old!r} became {new!r}"

    def _new_names(self, key: str, value: Any) -> list[str]:
        if not isinstance(value, str):
            return []
        if value.startswith(PLACE):
            return [PLACE + name for name in self._schemas.get(value.removeprefix(PLACE), [])]
        if key == "operationId":
            return [self._operations[value]] if value in self._operations else []
        if key == "title":
            # Of a schema, after its class alone; of an answer without a schema of its own, after the operation.
            ended = [names for name, names in self._schemas.items() if name.rpartition("__")[2] == value]
            answers = [f"Response {name.title()}" for name in self._operations.values()]
            return sum(ended, answers if value.startswith("Response ") else [])
        return []


def differences(before: dict[str, Any], now: dict[str, Any], renamed: dict[str, Any]) -> list[str]:
    """Of both documents, by their names, which the table has too."""
    return [
        f"{name}.json: {one}"
        for name, old in before.items()
        for one in Comparison(old, now[name], renamed[name]).differences()
    ]


def documents() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """As they were, as they are, and the table between them."""
    before = json.loads(gzip.decompress((BESIDE / "before.json.gz").read_bytes()))
    now = {name: json.loads((DOCUMENTS / f"{name}.json").read_text()) for name in before}
    return before, now, json.loads((BESIDE / "renamed.json").read_text())


def main() -> int:
    found = differences(*documents())
    for one in found:
        sys.stderr.write(f"{one}\n")
    if found:
        sys.stderr.write("A client made from the old document would miss these: see scripts/check_openapi_names.py.\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
