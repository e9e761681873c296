"""Tools that act on elements: click, type, fill, press, select, hover, drag, scroll, upload; and ask a person to."""

import re
import time
from typing import Any

from belljar.agent.mcp.arguments import Arguments, BadArgument, element, selector
from belljar.agent.mcp.box_client import BoxClient
from belljar.agent.mcp.looking import REPORT, UNTOLD_DEPTH
from belljar.agent.mcp.report import Answer, describe_action, describe_refusal, describe_snapshot
from belljar.problems import Problem
from belljar.problems.browser import BrowserNotActive, ElementNotFound
from belljar.sdk.encoding import ControlMoment
from belljar.wire.browser.acting import ActionResult
from belljar.wire.control import HolderKind

# An element that is not there yet is waited for this long; one that is covered or disabled is told at once.
ACTION_SECONDS = 5.0
MOST_SECONDS = 600.0
MOST_QUESTION = 2000
_BOUNDED: dict[str, Any] = {"fail_fast": True, "timeout": ACTION_SECONDS}
_REPORTED: dict[str, Any] = {"report": REPORT, **_BOUNDED}
_CHECKABLE = ("checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio")


async def click(client: BoxClient, given: Arguments) -> Answer:
    options: dict[str, Any] = element(given.any("target"))
    if given.has("button"):
        options["button"] = given.text("button")
    if given.has("count"):
        options["click_count"] = given.whole("count")
    if given.has("modifiers"):
        options["modifiers"] = given.texts("modifiers")
    return describe_action("Clicked.", await client.browser.click(**options, **_REPORTED))


async def type_text(client: BoxClient, given: Arguments) -> Answer:
    text = given.text("text") + ("\n" if given.flag("submit") else "")
    named = element(given.any("target"))
    done = await client.browser.type(**named, text=text, clear=not given.flag("append"), **_REPORTED)
    return describe_action("Typed.", done)


async def press(client: BoxClient, given: Arguments) -> Answer:
    named = element(given.any("target")) if given.has("target") else {}
    return describe_action("Pressed.", await client.browser.press(given.text("key"), **named, **_REPORTED))


async def select(client: BoxClient, given: Arguments) -> Answer:
    named, values = element(given.any("target")), given.texts("values")
    return describe_action("Selected.", await client.browser.select(**named, value=values, **_REPORTED))


async def hover(client: BoxClient, given: Arguments) -> Answer:
    return describe_action("Hovering.", await client.browser.hover(**element(given.any("target")), **_REPORTED))


async def drag(client: BoxClient, given: Arguments) -> Answer:
    (start,), (end,) = (element(given.any(name)).values() for name in ("start", "end"))
    return describe_action("Dragged.", await client.browser.drag(start, end, **_REPORTED))


async def scroll(client: BoxClient, given: Arguments) -> Answer:
    options: dict[str, Any] = element(given.any("target")) if given.has("target") else {}
    for axis in ("x", "y"):
        if given.has(axis):
            options[axis] = given.number(axis, 0, least=-1_000_000, most=1_000_000)
    if not options:
        raise BadArgument("scroll needs pixels (x, y), a target, or both.")
    done = await client.browser.scroll(**options, report=REPORT, timeout=ACTION_SECONDS)
    at = done.position
    return describe_action("Scrolled.", done, more=f"At {at.y:.0f} of {at.max_y:.0f} down." if at else "")


async def dialog(client: BoxClient, given: Arguments) -> Answer:
    accept = given.flag("accept")
    text = given.text("text") if given.has("text") else None
    done = await client.browser.answer_dialog(accept=accept, text=text, report=REPORT)
    # The one that was answered is over; the page may have opened another.
    caused = ActionResult(
        dialog=done.next, popup=done.popup, navigated=done.navigated, download=done.download, report=done.report
    )
    return describe_action("Accepted." if accept else "Dismissed.", caused)


async def upload(client: BoxClient, given: Arguments) -> Answer:
    named = element(given.any("target")) if given.has("target") else {}
    if given.has("name"):
        # What a name may not have in the head of a part, or as the name of a file.
        name = re.sub(r'["\\\x00-\x1f\x7f/]', "_", given.text("name"))
        content = given.text("content", "").encode()
        done = await client.browser.upload({name: content}, **named, report=True, **_BOUNDED)
        return describe_action("Uploaded.", done)
    paths = given.texts("paths")
    if not paths:
        raise BadArgument("upload needs paths, or name and content.")
    return describe_action("Uploaded.", await client.browser.upload_from_box(paths, **named, **_REPORTED))


async def fill(client: BoxClient, given: Arguments) -> Answer:
    fields = given.any("fields")
    if not isinstance(fields, list) or not fields or not all(isinstance(one, dict) for one in fields):
        raise BadArgument("fields must be a list of {target, value}.")
    before = await client.browser.snapshot(depth=UNTOLD_DEPTH)
    for number, one in enumerate(fields):
        try:
            await _fill_one(client, one, before.snapshot)
        except Problem as refused:
            answer = describe_refusal(refused, url=before.url)
            said = f"{answer.said}\nField {number + 1} of {len(fields)} failed; those before it are filled."
            return Answer(said, answer.page, answer.url, is_error=True)
    if given.has("submit"):
        done = await client.browser.click(**element(given.any("submit")), **_REPORTED)
        return describe_action(f"Filled {len(fields)} fields and clicked.", done)
    return describe_snapshot(f"Filled {len(fields)} fields.", await client.browser.snapshot(since_last=True))


async def _fill_one(client: BoxClient, one: dict[str, object], snapshot: str) -> None:
    value: object = one.get("value")
    named = element(one.get("target"))
    line = await _line_of(client, named, snapshot)
    role = line.lstrip().partition(" ")[0]
    if role in _CHECKABLE or isinstance(value, bool):
        wanted = value.strip().lower() in ("true", "on", "yes") if isinstance(value, str) else bool(value)
        if wanted != _is_checked(line):
            await client.browser.click(**named, **_BOUNDED)
    elif isinstance(value, list) or (role in ("combobox", "listbox") and _has_options(line)):
        await client.browser.select(**named, value=value if isinstance(value, list) else str(value), **_BOUNDED)
    else:
        await client.browser.fill(**named, value="" if value is None else str(value), **_BOUNDED)


async def _line_of(client: BoxClient, named: dict[str, object], snapshot: str) -> str:
    """An element's own line of the snapshot."""
    if "ref" in named:
        mark = f"[{named['ref']}]"
        found = next((line for line in snapshot.split("\n") if mark in line), None)
        if found is not None:
            return found
    try:
        taken = await client.browser.snapshot(selector=selector(named.get("ref") or named["selector"]), depth=1)
    except ElementNotFound:
        # Not there yet: the action itself waits for it.
        return ""
    return taken.snapshot.partition("\n")[0]


def _outside_quotes(line: str) -> str:
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)


def _is_checked(line: str) -> bool:
    return bool(re.search(r"\bchecked\b", _outside_quotes(line)))


def _has_options(line: str) -> bool:
    return '(""' in _outside_quotes(line)


async def ask_person(client: BoxClient, given: Arguments) -> Answer:
    """A link that opens the live view; the next time, wait until a person came and gave control back."""
    wait = given.number("wait", 0, least=0, most=MOST_SECONDS)
    if given.has("question"):
        await client.box.control.ask(given.text("question")[:MOST_QUESTION])
    if wait == 0:
        link = await client.box.live.link()
        client.shared.asked = (time.time(), await _revision(client))
        return Answer(
            f"Show this link to the person; it opens once, within five minutes: {link}\n"
            "Then call ask_person again with wait, such as 300."
        )
    asked_at, revision = client.shared.asked or (time.time(), await _revision(client))
    until = time.monotonic() + wait
    if not await _came(client, asked_at, until):
        return Answer("nobody_came (retry: yes): nobody took control in that time.", is_error=True)
    if not await _until(client, "free", until):
        return Answer("control_held (retry: yes): the person still has control; wait again.", is_error=True)
    client.shared.asked = None
    return await _changed(client, revision)


async def _came(client: BoxClient, asked_at: float, until: float) -> bool:
    """Whether a person took control since they were asked, or does before `until`."""
    control = await client.box.control.show()
    if control.since.timestamp() > asked_at:
        return True
    return control.holder.kind is HolderKind.VIEWER or await _until(client, "person", until)


async def _until(client: BoxClient, what: ControlMoment, until: float) -> bool:
    control = await client.box.control.wait_for(what, timeout=max(0, until - time.monotonic()))
    return (control.holder.kind is HolderKind.VIEWER) == (what == "person")


async def _revision(client: BoxClient) -> int | None:
    """Of what the page is now, where there is one to be seen."""
    try:
        return (await client.box.browser.snapshot()).revision
    except Problem:
        return None


async def _changed(client: BoxClient, since: int | None) -> Answer:
    did = "The person gave control back."
    try:
        return describe_snapshot(did, await client.box.browser.snapshot(since=since))
    except BrowserNotActive:
        return Answer(did)
