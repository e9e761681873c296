"""Page content as an agent gets it: marked as somebody else's words, between lines that those words cannot forge.

    <untrusted 5f0c3a9d21b74e68 https://example.com>
    whatever the page says
    </untrusted 5f0c3a9d21b74e68>

The number is fresh and random for each answer, so no page can know it; and what would look like such a line in the
content, whoever it may fool, is broken up.
"""

import re
import secrets
from urllib.parse import urlsplit

WORD = "untrusted"

# The word after an opening bracket of any script, with whatever a reader would not notice in between.
_GAP = r"[\s\u200c\u200d\ufe0f]*"
_FORGERY = re.compile(rf"([<＜‹〈⟨«﹤](?:{_GAP}[/／∕⁄\\])*{_GAP})({_GAP.join(WORD)})", re.IGNORECASE)
# Not to be seen, and so good for nothing but to hide words from people or to break up ours: controls (but tab and
# newline), soft hyphens, zero-width spaces, bidirectional marks, byte order marks, variation selectors and tag
# characters.  The joiners that Persian, Hindi and emoji are written with stay.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# What an origin of ours can hold; an odd one is not repeated.
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://[A-Za-z0-9._:\[\]-]{1,253}")


def mark(content: str, url: str) -> str:
    """`content` between boundary lines that name the origin of `url`."""
    nonce = secrets.token_hex(8)
    return f"<{WORD} {nonce} {origin_of(url)}>\n{harmless(content)}\n</{WORD} {nonce}>"


def harmless(content: str) -> str:
    """The same to a reader, without invisible characters, and without anything that could pass for a boundary."""
    return _FORGERY.sub(r"\1-\2", _INVISIBLE.sub("", content))


def one_line(text: str, most: int = 500) -> str:
    """A title, an address, a message in one line, cut where it is too long to be one."""
    line = " ".join(_INVISIBLE.sub("", text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def origin_of(url: str) -> str:
    """`https://example.com:8443`; for addresses without a host the scheme alone (`data:`, `about:`)."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "unknown:"
    if not host:
        return f"{parts.scheme}:" if re.fullmatch(r"[a-z][a-z0-9+.-]{0,20}", parts.scheme) else "unknown:"
    name = f"[{host}]" if ":" in host else host
    origin = f"{parts.scheme}://{name}" + (f":{port}" if port is not None else "")
    return origin if _ORIGIN.fullmatch(origin) else "unknown:"
