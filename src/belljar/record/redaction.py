"""What is taken out of events before they are written.

At every level: what is typed into fields, since nobody can tell a password from a word there; credentials, cookies,
tokens, headers, the values of queries, and who signs in by an address.  At `actions` also whatever a page showed.  A
field's name says what it holds; what stands in no table here is taken for content, so a source that tells of something
new tells too little until it is placed.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

from belljar.wire.record import RecordLevel

Item = TypeVar("Item")

REDACTED = "[redacted]"
MAX_TEXT = 500
MAX_ITEMS = 50
MAX_DEPTH = 4
# An event's data as JSON, at most.
MAX_DATA_BYTES = 4096

# Words, codes and ids that neither a person nor a page has written.
PLAIN = frozenset(
    """
    action actor adapter before button by cause chapter code codec colorScheme contentType context context_id contextId
    crawlId cut decision direction download_id downloadId encoding event extension extract extractMode film
    filmId format fromCache gesture height hit holder id initiator jail key kind level lifecycle locale method
    mime mimeType mode modifiers netError openerTabId operation outcome owner pending permissions pictureId point
    policyRule position process_id processId protocol reason recording_id recordingId ref remoteAddress requestId
    resourceType restartPolicy role rule scheme selection sessionId sha256 signal snapshotDigest state status stream
    streamAudioCodec streamVideoCodec tab_id tabId timezone transport type until user version via viewer
    viewerId waitUntil width windowId
    """.split()
)
# Where something is: kept without what is secret in it.
ADDRESSES = frozenset("url urls referrer documentUrl origin origins_allowed urlPattern openerUrl".split())
HOSTS = frozenset("host hosts domain allowedDomains address addresses allow deny only allowed_hosts upstream".split())
SELECTORS = frozenset("selector frame selectors".split())
# Of these the ending and the length are told.
FILES = frozenset("path paths file files filename fileName name_on_disk suggestedFilename destination cwd".split())
# Of these the last piece of the path, without what follows it.
PROGRAMS = frozenset("command app program".split())
_POINT = frozenset({"x", "y", "width", "height", "selector", "ref"})
# Said by somebody so that it can be found in the record.
MARKS = frozenset({"mark"})

# Never told, however it is spelled: what the field's name says it is.
_SECRET = re.compile(
    r"pass(word|wd|phrase|code)|\bpin\b|otp|secret|token|ticket|authori[sz]ation|cookie|credential|api[-_]?key|private[-_]?key"
    r"|signature|session[-_]?key|bearer|jwt|csrf|xsrf|localstorage|sessionstorage|headers$|^origins$|^env$",
    re.IGNORECASE,
)
# What looks like a key wherever it stands: JSON Web Tokens, schemes of Authorization, keys with well-known beginnings.
# Pages choose what is searched: nothing here may look at the same character more than a few times.
TOKENS = re.compile(
    r"eyJ[\w-]{6,}+(?:\.[\w-]*+)*+"
    r"|(?i:\b(?:bearer|basic|digest|negotiate))[ :]+[\w.~+/=-]{6,}"
    r"|\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|AKIA|ASIA|AIza|ya29|shpat|npm|pypi|hf)[-_.]?[\w-]{12,}"
    r"|-----BEGIN [A-Z ]+-----[\s\S]*"
)
# In text: a whole line, as a header is.
_HEADER = re.compile(r"((?:cookie|authorization)[\"']?\s*[:=]\s*)[^\r\n]+", re.IGNORECASE)
# In text: `password=…`, `"token": "…"`.
_SAID = re.compile(
    r"""(?ix)((?:pass(?:word|wd|phrase|code)?|secret|token|authorization|cookie|credential|api[-_]?key|otp|pin)\b
        ["']?\s*(?:[:=]|\bis\b)\s*)("[^"]*"|'[^']*'|[^\s,;&}]+)"""
)
# In text: `name:password@host`, where no scheme says that it is an address.
_SIGNS_IN = re.compile(r"(?<![\w.~%+-])[\w.~%+-]{1,64}:[^\s:@/]{1,128}@(?=[\w\[])")
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s\"'<>]+", re.IGNORECASE)
_VALUE_IN_SELECTOR = re.compile(
    r"(\[\s*(?!(?:name|type|id|class|role|for|rel)[\s~|^$*=\]])[\w:-]+\s*[~|^$*]?=\s*)(\"[^\"]*\"|'[^']*'|[^\]]+)"
)
_TEXT_IN_SELECTOR = re.compile(
    r"(text=|:has-text\(|:text(?:-is|-matches)?\(|:contains\(|:-belljar-text\()[^)\]]+", re.IGNORECASE
)
# Keys that are no text: `Enter`, `F5`, `Control+a`; a single character is.
_TEXT_KEY = re.compile(r"(?:Shift\+)?.", re.DOTALL)
# A piece of a path that nobody would call a name: long, and of letters and digits mixed.
_LONG_WORD = re.compile(r"(?=.*\d)(?=.*[A-Za-z]).{24,}", re.DOTALL)
# `;jsessionid=…` and the like: a value within a path.
_VALUE_IN_PATH = re.compile(r"(=)[^;,]+")


@dataclass(frozen=True)
class Typed:
    """What somebody types or pastes: of it only the kind and size are told, at every level."""

    value: object


def redact(data: Mapping[str, object], level: RecordLevel) -> dict[str, object]:
    """What may be written of an event's data."""
    return {_name(name): _field(name, value, level, 0) for name, value in _few(data.items())}


def _name(name: str) -> str:
    """A field's name is ours, but what stands inside of arguments is whatever a caller sent."""
    return name if len(name) <= 64 and not TOKENS.search(name) else name[:8] + "…"


def _field(name: str, value: object, level: RecordLevel, depth: int) -> object:
    if value is None or isinstance(value, bool):
        return value
    if _SECRET.search(name):
        return REDACTED
    if isinstance(value, Typed):
        return _described(value.value)
    if isinstance(value, (int, float)):
        return (
            value
            if depth == 0 or level is RecordLevel.CONTENT or name in PLAIN or len(name) <= 6
            else _described(value)
        )
    if isinstance(value, bytes):
        return _described(value)
    if isinstance(value, str):
        return _text(name, value, level)
    if depth >= MAX_DEPTH:
        return _described(value)
    if isinstance(value, Mapping):
        if level is RecordLevel.CONTENT or _is_placed(name) or _POINT.issuperset(value):
            return {_name(str(key)): _field(str(key), one, level, depth + 1) for key, one in _few(value.items())}
        return _described(value)
    if isinstance(value, (list, tuple)):
        if level is RecordLevel.CONTENT or _is_placed(name):
            return [_field(name, one, level, depth + 1) for one in _few(value)]
        return _described(value)
    return _described(str(value))


def _is_placed(name: str) -> bool:
    return name in PLAIN or name in ADDRESSES or name in HOSTS or name in SELECTORS or name in FILES


def _text(name: str, value: str, level: RecordLevel) -> object:
    if name in ADDRESSES:
        return clean_url(value, level)
    if name in MARKS:
        return clean_text(value)
    if name in SELECTORS:
        return clean_selector(value, level)
    if name == "key" and _TEXT_KEY.fullmatch(value):
        return {"length": 1}
    if level is RecordLevel.CONTENT:
        return clean_text(value)
    if name in PLAIN or name in HOSTS:
        return clean_text(value)[:200]
    if name in PROGRAMS:
        return clean_text(value.split(maxsplit=1)[0].rpartition("/")[2])[:64] if value.strip() else ""
    if name in FILES:
        return {"length": len(value), "extension": _extension(value)}
    return _described(value)


def _described(value: object) -> object:
    """A content's kind and size: enough to see that it was there."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float)):
        return {"type": "number"}
    if isinstance(value, Mapping):
        return {"type": "object", "length": len(value)}
    if isinstance(value, (list, tuple)):
        return {"type": "array", "length": len(value)}
    return {"length": len(value if isinstance(value, (str, bytes)) else str(value))}


def clean_text(text: str) -> str:
    """Words that somebody may read, without what they must not: tokens, and addresses' own secrets."""
    is_long = len(text) > MAX_TEXT
    # Cut before it is searched: a page chooses how long its lines are.
    text = text[: 4 * MAX_TEXT]
    text = _ADDRESS.sub(lambda found: clean_url(found[0], RecordLevel.CONTENT), text)
    text = _SIGNS_IN.sub(REDACTED + "@", text)
    text = _HEADER.sub(lambda found: found[1] + REDACTED, text)
    text = TOKENS.sub(REDACTED, text)
    text = _SAID.sub(lambda found: found[1] + REDACTED, text)
    return text[:MAX_TEXT] + "…" if is_long else text


def clean_url(url: str, level: RecordLevel) -> str:
    """Scheme, host, path and the names in its query.  Nothing of an address that is content itself."""
    try:
        parts = urlsplit(url[: 8 * MAX_TEXT])
        port = f":{parts.port}" if parts.port is not None else ""
    except ValueError:
        return REDACTED
    scheme = parts.scheme.lower()
    if scheme and scheme not in ("http", "https", "ws", "wss", "ftp", "file", "chrome", "about", "devtools"):
        return f"{scheme}:…"
    if scheme == "about":
        return url if url in ("about:blank", "about:srcdoc") else "about:…"
    path = "/".join(map(_clean_piece, parts.path.split("/")))
    cleaned = f"{scheme}://" if scheme else "//" if parts.netloc else ""
    cleaned += (f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or "") + port + path
    if parts.query:
        cleaned += "?" + _clean_query(parts.query)
    if parts.fragment:
        is_word = re.fullmatch(r"[a-zA-Z_-]{1,32}", parts.fragment)
        cleaned += "#" + (parts.fragment if is_word else "…")
    return cleaned[:MAX_TEXT]


def _clean_piece(piece: str) -> str:
    """Of a path: names stay, as in a query."""
    if _LONG_WORD.fullmatch(piece) or TOKENS.search(piece):
        name, semicolon, rest = piece.partition(";")
        return _clean_piece(name) + semicolon + "…" if semicolon and rest else REDACTED
    before, at, after = piece.rpartition("@")
    return _VALUE_IN_PATH.sub(r"\1…", f"…@{after}" if at and ":" in before else piece)


def _clean_query(query: str) -> str:
    """Names stay; of a query that has none nothing does."""
    pieces = []
    for piece in query.split("&")[:MAX_ITEMS]:
        name, equals, value = piece.partition("=")
        if not equals:
            pieces.append(piece if re.fullmatch(r"[a-zA-Z_]{1,12}", piece) else "…")
        else:
            pieces.append(f"{_name(name)}={'…' if value else ''}")
    return "&".join(pieces)


def clean_selector(selector: str, level: RecordLevel) -> str:
    """What finds an element, without the values and words it is found by; those that name it stay."""
    selector = selector[: 4 * MAX_TEXT]
    if level is not RecordLevel.CONTENT:
        selector = _TEXT_IN_SELECTOR.sub(lambda found: found[1] + "…", selector)
    selector = _VALUE_IN_SELECTOR.sub(lambda found: found[1] + '"…"', selector)
    return TOKENS.sub(REDACTED, selector)[:MAX_TEXT]


def _extension(name: str) -> str | None:
    _, dot, ending = name.rpartition(".")
    return ending.lower() if dot and re.fullmatch(r"[A-Za-z0-9]{1,8}", ending) else None


def _few(items: Iterable[Item]) -> list[Item]:
    return list(items)[:MAX_ITEMS]


def shortened(data: Mapping[str, object], encode: Callable[[object], bytes]) -> dict[str, object]:
    """Data that is too large for an event, cut to what fits; `cut` says so."""
    kept: dict[str, object] = {}
    left = MAX_DATA_BYTES - 32
    for name, value in data.items():
        short = value[:120] + "…" if isinstance(value, str) and len(value) > 120 else value
        size = len(encode({name: short}))
        if size > left // 2 and not isinstance(short, str):
            short = _described(short)
            size = len(encode({name: short}))
        if size <= left:
            kept[name] = short
            left -= size
    kept["cut"] = True
    return kept
