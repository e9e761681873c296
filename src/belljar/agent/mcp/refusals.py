"""Problems in a tool's words: a code, whether trying again helps, and what to do; the page's words kept apart."""

from dataclasses import dataclass

from belljar.agent.mcp.answers import Answer
from belljar.agent.mcp.api import Refused
from belljar.agent.untrusted import one_line


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


def refusal(refused: Refused, *, link: str = "", url: str = "") -> Answer:
    """The answer to a call that was refused; `link` opens the live view for a person."""
    advice = ADVICE.get(refused.code)
    reason = str(refused.problem.get("reason", ""))
    if advice is None:
        retry = "yes" if refused.status in _RETRY_STATUS else "no"
        sentence, page = one_line(refused.detail, 300), ""
    else:
        retry = advice.retry
        sentence = _BLOCKED.get(reason, advice.sentence) if refused.code == "element_not_ready" else advice.sentence
        page = _words(refused)
    said = f"{refused.code} (retry: {retry}): {sentence}"
    return Answer(f"{said}\nLive view: {link}" if link else said, page, url, is_error=True)


def _words(refused: Refused) -> str:
    """What the page had to do with it, one line for each member."""
    lines = [one_line(refused.detail, 300)] if refused.code in ("browser_timeout", "script_error") else []
    for name in _PAGES:
        value = refused.problem.get(name)
        if isinstance(value, dict):
            value = f"{value.get('type', '')} {value.get('message', '')}"
        if isinstance(value, list):
            value = " | ".join(str(one["label"] if isinstance(one, dict) else one) for one in value)
        if value and (name, refused.code) != ("message", "script_error"):
            lines.append(f"{name}: {one_line(str(value), 300)}")
    return "\n".join(lines)
