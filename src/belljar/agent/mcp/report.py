"""What a tool answers: our words first, then the page's between boundary lines; cut where it grows too long."""

from dataclasses import dataclass, field

from belljar.agent.untrusted import mark, one_line
from belljar.problems import Problem
from belljar.wire.browser.acting import ActionResult
from belljar.wire.browser.common import DialogInfo, PageInfo
from belljar.wire.browser.crawl import CrawledPage
from belljar.wire.browser.lifecycle import TabInfo
from belljar.wire.browser.reading import SnapshotResult

# Of the addresses that `resources/read` takes.
SCHEME = "belljar"
# What one answer shows of a page at most, and what of it when it comes along with something else.
SNAPSHOT_CHARS = 20_000
ALONG_CHARS = 12_000
MOST_ERRORS = 5


@dataclass(frozen=True)
class Picture:
    """Shown in the answer itself: there is no client that follows a link to one."""

    media_type: str
    content: bytes


@dataclass(frozen=True)
class Link:
    """A file that `resources/read` fetches."""

    uri: str
    name: str
    media_type: str = "application/octet-stream"
    size: int | None = None


@dataclass(frozen=True)
class Answer:
    """`said` is ours; `page` is whatever a page had a hand in, addresses and titles included."""

    said: str
    page: str = ""
    url: str = ""
    pictures: list[Picture] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    is_error: bool = False

    def text(self) -> str:
        page = self.page.strip("\n")
        if not page:
            return self.said
        return f"{self.said}\n{mark(page, self.url)}" if self.said else mark(page, self.url)


def piece(text: str, offset: int, most: int, how: str) -> tuple[str, str]:
    """Whole lines of `text` from `offset` on, at most `most` characters, and a sentence about the rest.

    `how` says how to read on, with `{}` for the next offset.
    """
    offset = max(0, min(offset, len(text)))
    if len(text) - offset <= most:
        return text[offset:], ""
    end = text.rfind("\n", offset, offset + most) + 1
    if end <= offset:
        end = offset + most
    return text[offset:end], f"Cut: characters {offset}–{end} of {len(text)}. {how.format(end)}"


def describe_action(did: str, done: ActionResult, *, more: str = "") -> Answer:
    """An action's result: what it caused, and what of the page changed."""
    report = done.report
    effects = _effects(done)
    changes = report.snapshot if report else ""
    lines, rest = piece(changes, 0, ALONG_CHARS, "Read on with snapshot, offset {}.")
    said = [did + (f" Revision {report.revision}." if report else "")]
    if report and not changes and not effects:
        said.append("Nothing changed.")
    if report and report.whole and changes:
        said.append("The page is new:")
    if report and not report.quiet:
        said.append("The page is still changing.")
    said += [word for word in (more, _remedy(done), rest) if word]
    url = (report.url if report else "") or done.navigated or ""
    return Answer(" ".join(said), "\n".join([*effects, lines] if lines else effects), url)


def describe_snapshot(
    did: str,
    snapshot: SnapshotResult,
    *,
    most: int = ALONG_CHARS,
    offset: int = 0,
    effects: ActionResult | None = None,
) -> Answer:
    """A snapshot, whole or changes only, with the `effects` of what led to it."""
    said = f"{did} Revision {snapshot.revision}.".lstrip()
    if snapshot.unchanged:
        return Answer(f"{said} Unchanged.")
    text, rest = piece(snapshot.snapshot, offset, most, "Read on with offset {}.")
    head = [place(snapshot.url, snapshot.title), *(_effects(effects) if effects else ())]
    remedy = _remedy(effects) if effects else ""
    return Answer(" ".join(word for word in (said, remedy, rest) if word), "\n".join([*head, text]), snapshot.url)


def describe_dialog(said: str, page: PageInfo | TabInfo, dialog: DialogInfo) -> Answer:
    """A page that a dialog keeps from going on."""
    return Answer(said, f"{place(page.url, page.title)}\n{dialog_line(dialog)}", page.url)


def describe_crawled(page: CrawledPage, most: int) -> str:
    content, rest = piece(page.content, 0, most, "Open it and read.")
    failed = f" {page.error}" if page.error else ""
    return f"# {place(page.url, page.title)} {page.status}{failed}\n{content}{rest and chr(10) + rest}"


def place(url: str, title: str) -> str:
    """Where a page is and what it calls itself, in a line."""
    return f"{one_line(url)} {quoted(title)}"


def dialog_line(dialog: DialogInfo) -> str:
    return f"dialog {dialog.type}: {quoted(dialog.message)}"


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def quoted(text: str) -> str:
    return '"' + one_line(text, 200).replace('"', "'") + '"'


def _effects(done: ActionResult) -> list[str]:
    lines = []
    if done.navigated:
        lines.append(f"navigated to {one_line(done.navigated)}")
    if done.dialog:
        lines.append(dialog_line(done.dialog))
    if done.popup:
        lines.append(f"new tab {done.popup.tab_id}: {one_line(done.popup.url)}")
    if done.download:
        lines.append(f"download {done.download.id}: {quoted(done.download.name)}")
    errors = done.report.console_errors if done.report else []
    return lines + [f"console error: {one_line(error, 300)}" for error in errors[-MOST_ERRORS:]]


def _remedy(done: ActionResult) -> str:
    """What to do next, where the page cannot go on by itself."""
    if done.dialog:
        return "A dialog is open: answer it with dialog."
    if done.file_chooser:
        return "The page asks for files: give them with upload."
    return ""


@dataclass(frozen=True)
class Advice:
    """`retry` is what the answer says about the same call again: `no`, `yes`, or after what."""

    sentence: str
    retry: str = "no"


# For problems whose own sentence names endpoints, or says the page's words.
ADVICE = {
    "browser_timeout": Advice("The page did not get there in time.", "yes"),
    "browser_not_active": Advice("The browser is not running and did not start.", "yes"),
    "control_held": Advice("A person has control. Give them time, or ask_person with wait.", "later"),
    "desktop_runtime_inactive": Advice(
        "There is no display: the browser runs headless. Use desktop before any browser tool, or serve with --headed "
        "(on a box: /mcp?headed=true)."
    ),
    "dialog_open": Advice("A dialog blocks the page. Answer it with the tool dialog first.", "after dialog"),
    "download_not_ready": Advice("The download is not complete.", "later"),
    "element_not_found": Advice("Nothing matched within the wait. Take a snapshot and use a ref.", "no"),
    "element_not_ready": Advice("The element cannot be acted on.", "no"),
    "frame_navigated": Advice("The page navigated meanwhile.", "yes"),
    "option_not_found": Advice("There is no such option, or it is not a select.", "no"),
    "script_error": Advice("The script threw.", "no"),
    "stale_ref": Advice("That element is gone. Take a snapshot and use its new ref.", "no"),
    "tab_closed": Advice("The tab was closed meanwhile. List tabs.", "no"),
    "tab_crashed": Advice("The page crashed and is being reloaded.", "yes"),
    "tab_oom": Advice("The page took nearly all memory, was ended and is being reloaded. Do less in it."),
    "tab_not_found": Advice("No tab has this id. List tabs.", "no"),
}

_BLOCKED = {
    "obscured": "Something covers the element: act on that first, or scroll.",
    "disabled": "The element is disabled.",
    "hidden": "The element does not show.",
    "moving": "The element keeps moving.",
    "not_editable": "The element cannot be edited.",
}

# Members of a problem that the page had a hand in.
_PAGES = ("obscuredBy", "element", "available", "message", "dialog", "netError", "selector")
_RETRY_STATUS = frozenset({429, 502, 503, 504})


def describe_refusal(refused: Problem, *, link: str = "", url: str = "") -> Answer:
    """The answer to a call that was refused; `link` opens the live view for a person."""
    code = refused.code or f"http_{refused.status}"
    advice = ADVICE.get(code)
    reason = str(refused.members.get("reason", ""))
    if advice is None:
        retry = "yes" if refused.status in _RETRY_STATUS else "no"
        sentence, page = one_line(refused.detail, 300), ""
    else:
        retry = advice.retry
        sentence = _BLOCKED.get(reason, advice.sentence) if code == "element_not_ready" else advice.sentence
        page = _words(refused)
    said = f"{code} (retry: {retry}): {sentence}"
    return Answer(f"{said}\nLive view: {link}" if link else said, page, url, is_error=True)


def _words(refused: Problem) -> str:
    """What the page had to do with it, one line for each member."""
    lines = [one_line(refused.detail, 300)] if refused.code in ("browser_timeout", "script_error") else []
    members = refused.body()
    for name in _PAGES:
        value = members.get(name)
        if isinstance(value, dict):
            value = f"{value.get('type', '')} {value.get('message', '')}"
        if isinstance(value, list):
            value = " | ".join(str(one["label"] if isinstance(one, dict) else one) for one in value)
        if value and (name, refused.code) != ("message", "script_error"):
            lines.append(f"{name}: {one_line(str(value), 300)}")
    return "\n".join(lines)
