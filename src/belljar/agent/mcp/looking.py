"""Tools that go somewhere or look: navigate, snapshot, find, read, wait, tabs."""

import re
from collections.abc import Callable

from belljar.agent.mcp.answers import Answer, piece
from belljar.agent.mcp.api import Json
from belljar.agent.mcp.arguments import Arguments
from belljar.agent.mcp.desk import REPORT, UNTOLD, BadArgument, Desk, element, selector
from belljar.agent.mcp.told import SNAPSHOT_CHARS, counted, place, quoted, shown
from belljar.agent.untrusted import one_line

READ_CHARS = 12_000
FOUND_LINES = 60


async def navigate(desk: Desk, given: Arguments) -> Answer:
    if given.has("url"):
        page = await desk.post("navigate", {"url": _address(given.text("url")), "report": REPORT})
    else:
        page = await desk.post(given.one_of("go", ("back", "forward", "reload")), {"report": REPORT})
    if page.get("dialog"):
        return Answer("A dialog is open: answer it with dialog.", f"{place(page)}\n{_dialog(page)}", page["url"])
    if page.get("download"):
        return Answer("That was a download, see downloads; the page stayed.", place(page), page["url"])
    status = f" HTTP {page['status']}." if page.get("status") not in (None, 0, 200) else ""
    did = "Opened." if page.get("moved", True) else "The page stayed where it was."
    report = page.get("report") or {}
    # Where little changed the report says only that; whoever goes somewhere wants to see it.
    seen = report if report.get("whole") else await desk.get("snapshot")
    return shown(did + status, {**seen, "title": page["title"]}, happened={**page, "dialog": None, "download": None})


async def snapshot(desk: Desk, given: Arguments) -> Answer:
    taken = await desk.get(
        "snapshot",
        since=given.whole("since") if given.has("since") else None,
        selector=selector(given.any("target")),
        interactiveOnly=given.flag("interactive") or None,
        urls=given.flag("urls") or None,
    )
    did = "Changes." if taken.get("delta") else ""
    return shown(did, taken, most=SNAPSHOT_CHARS, offset=given.whole("offset"))


async def find(desk: Desk, given: Arguments) -> Answer:
    is_wanted = _matcher(given.text("text"))
    taken = await desk.get("snapshot", **UNTOLD)
    lines = _matches(taken["snapshot"].split("\n"), is_wanted)
    if not lines:
        return Answer(f"Nothing on the page matches. Revision {taken['revision']}.")
    more = f" The first {FOUND_LINES} lines." if len(lines) > FOUND_LINES else ""
    return Answer(f"Found. Revision {taken['revision']}.{more}", "\n".join(lines[:FOUND_LINES]), taken["url"])


async def read(desk: Desk, given: Arguments) -> Answer:
    page = await desk.get("markdown", selector=selector(given.any("target")), mode=given.optional("mode"))
    text, rest = piece(page["markdown"], given.whole("offset"), READ_CHARS, "Read on with offset {}.")
    return Answer(rest, f"{place(page)}\n\n{text}", page["url"])


async def wait(desk: Desk, given: Arguments) -> Answer:
    wanted: Json = {"timeout": round(given.number("seconds", 10, least=0.05, most=600) * 1000)}
    for name in ("text", "url", "state"):
        if given.has(name):
            wanted[name] = given.text(name)
    if given.has("target"):
        wanted |= element(given.any("target"))
    if wanted.keys() == {"timeout"}:
        raise BadArgument("wait needs text, target, url or state.")
    found = (await desk.post("wait", wanted)).get("found")
    after = await desk.get("snapshot", sinceLast=True)
    if not found:
        answer = shown("timeout (retry: yes): it did not come true.", after)
        return Answer(answer.said, answer.page, answer.url, is_error=True)
    return shown("It is so.", after)


async def tabs(desk: Desk, given: Arguments) -> Answer:
    do = given.one_of("do", ("list", "new", "switch", "close"), "list")
    if do == "new":
        body = {"url": _address(given.text("url"))} if given.has("url") else {}
        tab = await desk.post("tabs", body)
        return shown(f"Opened tab {tab['id']}.", await desk.get("snapshot"))
    if do == "switch":
        tab = await desk.post(f"tabs/{_tab(given)}/activate", {})
        if tab.get("dialog"):
            return Answer("A dialog is open: answer it with dialog.", f"{place(tab)}\n{_dialog(tab)}", tab["url"])
        return shown(f"Tab {tab['id']}.", await desk.get("snapshot"))
    if do == "close":
        closed = (await desk.browser("DELETE", f"tabs/{_tab(given)}")).json()
        if closed.get("dialog"):
            return Answer("The tab asks before it closes: answer with dialog.", _dialog(closed))
    return _listed((await desk.get("tabs"))["tabs"], "Closed." if do == "close" else "")


def _listed(tabs: list[Json], said: str) -> Answer:
    lines = [f"{'*' if tab['active'] else ' '} {tab['id']} {place(tab)}" for tab in tabs]
    url = next((str(tab["url"]) for tab in tabs if tab["active"]), "")
    return Answer(f"{said} {counted(len(tabs), 'tab')}, * is active.".lstrip(), "\n".join(lines), url)


def _tab(given: Arguments) -> str:
    id = given.text("tab")
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", id):
        raise BadArgument("tab must be an id that tabs lists.")
    return id


def _address(url: str) -> str:
    """What a person would type: `example.com` is an address too."""
    return url if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d+(/|$))", url) else f"https://{url}"


def _dialog(page: Json) -> str:
    dialog = page["dialog"]
    return f"dialog {dialog['type']}: {quoted(dialog['message'])}"


def _matcher(text: str) -> Callable[[str], bool]:
    """Words as they stand, or between slashes a pattern: RE2's, which takes linear time whatever it is."""
    if len(text) <= 2 or not (text.startswith("/") and text.endswith("/")):
        words = text.casefold()
        return lambda line: words in line.casefold()
    import re2

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    try:
        pattern = re2.compile(text[1:-1], options)
    except re2.error:
        raise BadArgument("text is not a regular expression (RE2's syntax).") from None
    return lambda line: pattern.search(line) is not None


def _matches(lines: list[str], is_wanted: Callable[[str], bool]) -> list[str]:
    """Lines that match, each below the lines it stands in."""
    found: list[str] = []
    around: list[tuple[int, int, str]] = []
    told = -1
    for number, line in enumerate(lines):
        depth = len(line) - len(line.lstrip(" "))
        while around and around[-1][0] >= depth:
            around.pop()
        around.append((depth, number, line))
        if is_wanted(line):
            found += [_one_line_of(outer) for _, at, outer in around if at > told]
            told = number
    return found


def _one_line_of(line: str) -> str:
    """As long as a line of a snapshot may be here."""
    depth = len(line) - len(line.lstrip(" "))
    return " " * depth + one_line(line, 400)
