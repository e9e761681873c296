"""What an action did, in lines."""

from belljar.agent.mcp.answers import Answer, piece
from belljar.agent.mcp.api import Json
from belljar.agent.untrusted import one_line

# What one answer shows of a page at most, and what of it when it comes along with something else.
SNAPSHOT_CHARS = 20_000
ALONG_CHARS = 12_000
MOST_ERRORS = 5


def told(did: str, done: Json, *, more: str = "") -> Answer:
    """An action's result: what it caused, and what of the page changed."""
    report = done.get("report") or {}
    happened = _happened(done)
    changes = str(report.get("snapshot", ""))
    revision = report.get("revision")
    shown, rest = piece(changes, 0, ALONG_CHARS, "Read on with snapshot, offset {}.")
    said = [did + (f" Revision {revision}." if revision is not None else "")]
    if report and not changes and not happened:
        said.append("Nothing changed.")
    if report.get("whole") and changes:
        said.append("The page is new:")
    if report.get("quiet") is False:
        said.append("The page is still changing.")
    said += [word for word in (more, _remedy(done), rest) if word]
    lines = [*happened, shown] if shown else happened
    url = str(report.get("url") or done.get("navigated") or done.get("url") or "")
    return Answer(" ".join(said), "\n".join(lines), url)


def shown(
    did: str, snapshot: Json, *, most: int = ALONG_CHARS, offset: int = 0, happened: Json | None = None
) -> Answer:
    """A snapshot, whole or changes only."""
    said = f"{did} Revision {snapshot['revision']}.".lstrip()
    if snapshot.get("unchanged"):
        return Answer(f"{said} Unchanged.")
    text, rest = piece(str(snapshot["snapshot"]), offset, most, "Read on with offset {}.")
    head = [place(snapshot), *_happened(happened or {})]
    remedy = _remedy(happened or {})
    return Answer(" ".join(word for word in (said, remedy, rest) if word), "\n".join([*head, text]), snapshot["url"])


def place(page: Json) -> str:
    """Where a page is and what it calls itself, in a line."""
    return f"{one_line(str(page.get('url', '')))} {quoted(page.get('title', ''))}"


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def quoted(text: object) -> str:
    return '"' + one_line(str(text), 200).replace('"', "'") + '"'


def _happened(done: Json) -> list[str]:
    lines = []
    if done.get("navigated"):
        lines.append(f"navigated to {one_line(done['navigated'])}")
    if dialog := done.get("dialog"):
        lines.append(f"dialog {dialog['type']}: {quoted(dialog['message'])}")
    if popup := done.get("popup"):
        lines.append(f"new tab {popup['tabId']}: {one_line(popup['url'])}")
    if isinstance(download := done.get("download"), dict):
        lines.append(f"download {download['id']}: {quoted(download['name'])}")
    errors = (done.get("report") or {}).get("consoleErrors", [])
    lines += [f"console error: {one_line(error, 300)}" for error in errors[-MOST_ERRORS:]]
    return lines


def _remedy(done: Json) -> str:
    """What to do next, where the page cannot go on by itself."""
    if done.get("dialog"):
        return "A dialog is open: answer it with dialog."
    if done.get("fileChooser"):
        return "The page asks for files: give them with upload."
    return ""
