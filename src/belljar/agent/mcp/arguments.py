"""What a tool was called with, checked as it is asked for: a model's mistakes become sentences it can act on."""

import re
from typing import Any

from belljar.agent.untrusted import one_line

_REF = re.compile(r"(f\d{1,9})?e\d{1,9}")


class BadArgument(Exception):
    """A tool was called in a way it cannot be; the message says how it can."""


class Arguments:
    def __init__(self, given: dict[str, Any] | None) -> None:
        self._given = given or {}

    def check_known(self, tool: str, schema: dict[str, object]) -> None:
        """Raise `BadArgument` for a name that the tool does not have: what a model meant by it would not be done."""
        _check_known(tool, self._given, schema)

    def has(self, name: str) -> bool:
        return self._given.get(name) not in (None, "")

    def any(self, name: str) -> object:
        return self._given.get(name)

    def text(self, name: str, default: str | None = None) -> str:
        value = self._given.get(name, default)
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            raise BadArgument(f"{name} must be given, as text.")
        return value

    def optional(self, name: str) -> str | None:
        return self.text(name) if self.has(name) else None

    def flag(self, name: str) -> bool:
        value = self._given.get(name, False)
        return value.strip().lower() == "true" if isinstance(value, str) else bool(value)

    def number(self, name: str, default: float, *, least: float, most: float) -> float:
        value = self._given.get(name)
        try:
            number = default if value in (None, "") else float(value)
        except (TypeError, ValueError):
            raise BadArgument(f"{name} must be a number.") from None
        return min(max(number, least), most)

    def whole(self, name: str, default: int = 0, *, most: int = 10_000_000) -> int:
        return int(self.number(name, default, least=0, most=most))

    def texts(self, name: str) -> list[str]:
        value = self._given.get(name)
        if value is None:
            return []
        values = value if isinstance(value, list) else [value]
        return [str(one) for one in values]

    def one_of(self, name: str, words: tuple[str, ...], default: str | None = None) -> str:
        word = self._given.get(name) or default
        if word not in words:
            raise BadArgument(f"{name} must be one of {', '.join(words)}.")
        return str(word)


def element(target: Any) -> dict[str, Any]:
    """The argument that names an element: a ref of a snapshot, or a selector."""
    if not isinstance(target, str) or not target:
        raise BadArgument("target must be a ref such as e12, or a selector.")
    target = target.strip("[] ") if _REF.fullmatch(target.strip("[] ")) else target
    return {"ref": target} if _REF.fullmatch(target) else {"selector": target}


def selector(target: object) -> str | None:
    """An element for what takes selectors alone."""
    if target is None or target == "":
        return None
    named = element(target)
    return f"ref={named['ref']}" if "ref" in named else str(named["selector"])


def _check_known(what: str, given: dict[str, Any], schema: dict[str, Any]) -> None:
    known: dict[str, Any] = schema["properties"]
    unknown = [name for name in given if name not in known]
    if unknown:
        named = ", ".join(one_line(name, 60) for name in unknown[:5])
        raise BadArgument(f"{what} does not take {named}. It takes: {', '.join(known) or 'nothing'}.")
    for name, value in given.items():
        items = known[name].get("items", {})
        if isinstance(value, list) and "properties" in items:
            for number, one in enumerate(value):
                if isinstance(one, dict):
                    _check_known(f"{name}[{number}] of {what}", one, items)
