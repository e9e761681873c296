"""Selectors as callers write them, parsed into steps that pages can run (`js/selectors.js`).

`css`, `text=…`, `role=…[name=…]`, `xpath=…`, `ref=e12`, `nth=…`, `visible=…`, chained with `>>`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from belljar.problems.browser import BrowserInvalidSelector

Step = dict[str, Any]
MAX_SELECTOR_CHARS = 10_000

_ENGINE = re.compile(r"^\s*(css|text|role|xpath|ref|nth|visible|id|data-testid)\s*=(.*)$", re.DOTALL)
_REGEX = re.compile(r"^/(.*)/([a-z]*)$", re.DOTALL)
_ROLE = re.compile(r"^\s*([a-zA-Z]+)\s*(.*)$", re.DOTALL)
_ATTRIBUTE = re.compile(
    r"""\[\s*(?P<name>[a-z-]+)\s*
        (?:(?P<operator>[*^$]?=)\s*
           (?:"(?P<double>(?:[^"\\]|\\.)*)"|'(?P<single>(?:[^'\\]|\\.)*)'|/(?P<pattern>(?:[^/\\]|\\.)+)/(?P<regex_flags>[a-z]*)
              |(?P<bare>[^\]\s"'/]+))
           \s*(?P<flags>[is])?)?\s*\]\s*""",
    re.VERBOSE | re.DOTALL,
)
_ROLE_STATES = frozenset(
    {"checked", "disabled", "expanded", "level", "pressed", "selected", "required", "readonly", "invalid", "focused"}
)


@dataclass(frozen=True)
class Selector:
    """`text` is what the caller wrote; the steps run one inside the other."""

    text: str
    steps: tuple[Step, ...]


@lru_cache(maxsize=500)
def parse_selector(text: str) -> Selector:
    """Raises `BrowserInvalidSelector`.  Whether CSS, XPath and patterns are valid only a page can tell."""
    if not text.strip():
        raise BrowserInvalidSelector(text, "it is empty.")
    if len(text) > MAX_SELECTOR_CHARS:
        raise BrowserInvalidSelector(text[:100], f"it is longer than {MAX_SELECTOR_CHARS} characters.")
    parts = _split_chain(text)
    if any(not part.strip() for part in parts):
        raise BrowserInvalidSelector(text, "a part beside >> is empty.")
    return Selector(text, tuple(_step(text, part) for part in parts))


def _split_chain(text: str) -> list[str]:
    """Cut at `>>` where it stands outside of quotes and brackets."""
    parts, start, at, quote, depth = [], 0, 0, "", 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 2
            continue
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'" and _opens_string(text, at):
            quote = char
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth = max(0, depth - 1)
        elif text.startswith(">>", at) and depth == 0:
            parts.append(text[start:at])
            at += 2
            start = at
            continue
        at += 1
    return [*parts, text[start:]]


def _opens_string(text: str, at: int) -> bool:
    """An apostrophe within a word, as in `text=Don't`, opens nothing."""
    return at == 0 or not text[at - 1].isalnum()


def _step(whole: str, part: str) -> Step:
    found = _ENGINE.match(part)
    body = part.strip()
    if found is None:
        if body.startswith(("//", "(//", "..")):
            return {"engine": "xpath", "path": body}
        if body[0] in "\"'" and body[-1] == body[0] and len(body) > 1:
            return _text_step(body)
        return {"engine": "css", "css": body}
    engine, body = found.group(1), found.group(2).strip()
    if not body:
        raise BrowserInvalidSelector(whole, f"nothing follows {engine}=")
    match engine:
        case "css":
            return {"engine": "css", "css": body}
        case "id" | "data-testid":
            quoted = body.replace("\\", "\\\\").replace('"', '\\"')
            return {"engine": "css", "css": f'[{engine}="{quoted}"]'}
        case "text":
            return _text_step(body)
        case "xpath":
            return {"engine": "xpath", "path": body}
        case "ref":
            return {"engine": "ref", "ref": body}
        case "role":
            return _role_step(whole, body)
        case "visible":
            return {"engine": "visible", "visible": body.lower() != "false"}
        case _:
            return _nth_step(whole, body)


def _text_step(body: str) -> Step:
    """`text=Save` contains it in any case, `text="Save"` is it exactly, `text=/Sav(e|ed)/i` is a pattern."""
    regex = _REGEX.match(body)
    if regex is not None:
        return {"engine": "text", "pattern": regex.group(1), "flags": regex.group(2)}
    if len(body) > 1 and body[0] in "\"'" and body[-1] == body[0]:
        return {"engine": "text", "text": _unescaped(body[1:-1]), "exact": True}
    return {"engine": "text", "text": body, "exact": False}


def _role_step(whole: str, body: str) -> Step:
    found = _ROLE.match(body)
    if found is None:
        raise BrowserInvalidSelector(whole, "role= is followed by a role, as in role=button.")
    attributes, hidden, rest = [], False, found.group(2)
    while rest:
        attribute = _ATTRIBUTE.match(rest)
        if attribute is None:
            raise BrowserInvalidSelector(whole, f'cannot read {rest[:50]!r}; write it like [name="Save"].')
        rest = rest[attribute.end() :]
        if attribute["name"] == "include-hidden":
            hidden = True
        else:
            attributes.append(_role_attribute(whole, attribute))
    return {"engine": "role", "role": found.group(1).lower(), "attributes": attributes, "hidden": hidden}


def _role_attribute(whole: str, found: re.Match[str]) -> Step:
    name = found["name"]
    if name != "name" and name not in _ROLE_STATES:
        known = ", ".join(sorted({"name", "include-hidden", *_ROLE_STATES}))
        raise BrowserInvalidSelector(whole, f"role= has no attribute {name}; it has {known}.")
    if name == "name" and found["operator"] is None:
        raise BrowserInvalidSelector(whole, "[name] needs a value.")
    attribute: Step = {"name": name}
    if found["operator"] is not None:
        attribute["operator"] = found["operator"]
    if found["pattern"] is not None:
        return attribute | {"pattern": found["pattern"], "flags": found["regex_flags"]}
    quoted = found["double"] if found["double"] is not None else found["single"]
    value = _unescaped(quoted) if quoted is not None else found["bare"]
    if value is not None:
        attribute["value"] = value
    return attribute | {"flags": found["flags"] or ""}


def _nth_step(whole: str, body: str) -> Step:
    try:
        return {"engine": "nth", "index": int(body)}
    except ValueError:
        raise BrowserInvalidSelector(whole, "nth= is followed by a number, 0 for the first, -1 for the last.") from None


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
