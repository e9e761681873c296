"""Tools that act on elements: click, type, fill, press, select, hover, drag, scroll, upload, and answering dialogs."""

import re
import secrets
from typing import Any

from belljar.agent.mcp.answers import Answer
from belljar.agent.mcp.api import Body, Json, Refused
from belljar.agent.mcp.arguments import Arguments
from belljar.agent.mcp.desk import ACTION_MS, REPORT, UNTOLD, BadArgument, Desk, element, selector
from belljar.agent.mcp.refusals import refusal
from belljar.agent.mcp.told import shown, told

_CHECKABLE = ("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio")


async def click(desk: Desk, given: Arguments) -> Answer:
    body = element(given.any("target"))
    if given.has("button"):
        body["button"] = given.text("button")
    if given.has("count"):
        body["clickCount"] = given.whole("count")
    if given.has("modifiers"):
        body["modifiers"] = given.texts("modifiers")
    return told("Clicked.", await desk.act("click", body))


async def type_text(desk: Desk, given: Arguments) -> Answer:
    text = given.text("text") + ("\n" if given.flag("submit") else "")
    body = {**element(given.any("target")), "text": text, "clear": not given.flag("append")}
    return told("Typed.", await desk.act("type", body))


async def press(desk: Desk, given: Arguments) -> Answer:
    body = {"key": given.text("key"), **(element(given.any("target")) if given.has("target") else {})}
    return told("Pressed.", await desk.act("press", body))


async def select(desk: Desk, given: Arguments) -> Answer:
    body = {**element(given.any("target")), "value": given.texts("values")}
    return told("Selected.", await desk.act("select", body))


async def hover(desk: Desk, given: Arguments) -> Answer:
    return told("Hovering.", await desk.act("hover", element(given.any("target"))))


async def drag(desk: Desk, given: Arguments) -> Answer:
    body = {"from": element(given.any("start")), "to": element(given.any("end"))}
    return told("Dragged.", await desk.act("drag", body))


async def scroll(desk: Desk, given: Arguments) -> Answer:
    body: Json = element(given.any("target")) if given.has("target") else {}
    for axis in ("x", "y"):
        if given.has(axis):
            body[axis] = given.number(axis, 0, least=-1_000_000, most=1_000_000)
    if not body:
        raise BadArgument("scroll needs pixels (x, y), a target, or both.")
    done = await desk.act("scroll", body)
    at = done.get("position") or {}
    where = f"At {at['y']:.0f} of {at['maxY']:.0f} down." if at else ""
    return told("Scrolled.", done, more=where)


async def dialog(desk: Desk, given: Arguments) -> Answer:
    body: Json = {"accept": given.flag("accept")}
    if given.has("text"):
        body["text"] = given.text("text")
    done = await desk.post("dialog", {**body, "report": REPORT})
    # The one that was answered is over; the page may have opened another.
    return told("Accepted." if body["accept"] else "Dismissed.", {**done, "dialog": done.get("next")})


async def upload(desk: Desk, given: Arguments) -> Answer:
    named = element(given.any("target")) if given.has("target") else {}
    if given.has("name"):
        done = await desk.browser("POST", "upload", _form(named, given.text("name"), given.text("content", "")))
        return told("Uploaded.", done.json())
    paths = given.texts("paths")
    if not paths:
        raise BadArgument("upload needs paths, or name and content.")
    return told("Uploaded.", await desk.act("upload", {**named, "paths": paths}))


def _form(fields: Json, name: str, content: str) -> Body:
    """The multipart body with one text file in it."""
    boundary = secrets.token_hex(16)
    name = re.sub(r'["\\\x00-\x1f\x7f/]', "_", name)
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in {**fields, "report": "true", "failFast": "true", "timeout": str(ACTION_MS)}.items()
    ]
    parts.append(
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
        f"Content-Type: text/plain; charset=utf-8\r\n\r\n{content}\r\n--{boundary}--\r\n"
    )
    return Body("".join(parts).encode(), f"multipart/form-data; boundary={boundary}")


async def fill(desk: Desk, given: Arguments) -> Answer:
    fields = given.any("fields")
    if not isinstance(fields, list) or not fields or not all(isinstance(one, dict) for one in fields):
        raise BadArgument("fields must be a list of {target, value}.")
    before = await desk.get("snapshot", **UNTOLD)
    for number, one in enumerate(fields):
        try:
            await _fill_one(desk, one, before["snapshot"])
        except Refused as refused:
            answer = refusal(refused, url=before["url"])
            said = f"{answer.said}\nField {number + 1} of {len(fields)} failed; those before it are filled."
            return Answer(said, answer.page, answer.url, is_error=True)
    if given.has("submit"):
        return told(f"Filled {len(fields)} fields and clicked.", await desk.act("click", element(given.any("submit"))))
    return shown(f"Filled {len(fields)} fields.", await desk.get("snapshot", sinceLast=True))


async def _fill_one(desk: Desk, one: Json, snapshot: str) -> None:
    value: Any = one.get("value")
    body = {**element(one.get("target")), "failFast": True, "timeout": ACTION_MS}
    line = await _line_of(desk, body, snapshot)
    role = line.lstrip().partition(" ")[0]
    if role in _CHECKABLE or isinstance(value, bool):
        wanted = value.strip().lower() in ("true", "on", "yes") if isinstance(value, str) else bool(value)
        if wanted != _is_checked(line):
            await desk.post("click", body)
    elif isinstance(value, list) or (role in ("combobox", "listbox") and _has_options(line)):
        await desk.post("select", {**body, "value": value if isinstance(value, list) else str(value)})
    else:
        await desk.post("fill", {**body, "value": "" if value is None else str(value)})


async def _line_of(desk: Desk, named: Json, snapshot: str) -> str:
    """An element's own line of the snapshot."""
    if "ref" in named:
        mark = f"[{named['ref']}]"
        found = next((line for line in snapshot.split("\n") if mark in line), None)
        if found is not None:
            return found
    try:
        taken = await desk.get("snapshot", selector=selector(named.get("ref") or named["selector"]), depth=1)
    except Refused as refused:
        if refused.code != "element_not_found":
            raise
        # Not there yet: the action itself waits for it.
        return ""
    return str(taken["snapshot"]).partition("\n")[0]


def _outside_quotes(line: str) -> str:
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)


def _is_checked(line: str) -> bool:
    return bool(re.search(r"\bchecked\b", _outside_quotes(line)))


def _has_options(line: str) -> bool:
    return '(""' in _outside_quotes(line)
