"""Keeps the frames of a page to certain domains: a document of any other is refused before it is asked for.

Every document counts, whoever wanted it: the caller, a link, a redirect, a script, a frame, a window.  What documents
fetch besides (pictures, scripts, sockets) is the egress policy's business.
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from belljar.box.browser.cdp import Session

# What a refused document fails with, as pages and callers see it.
REFUSED = "ERR_BLOCKED_BY_CLIENT"
_DOCUMENTS = [{"urlPattern": "*", "resourceType": "Document"}]
# They come from no host: from the document that made them, or from nowhere.
_HOSTLESS = ("about", "blob", "data")


def is_within(url: str, domains: Sequence[str]) -> bool:
    """Whether the address is of one of the domains or of a name below one."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".").lower()
    except ValueError:
        return False
    if parts.scheme in _HOSTLESS:
        return True
    if parts.scheme not in ("http", "https"):
        return False
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def keep_to(session: Session, domains: Sequence[str]) -> None:
    """For a session of a page or frame, before anything runs in it."""

    def paused(params: dict[str, Any]) -> None:
        id = params["requestId"]
        if is_within(params["request"]["url"], domains):
            session.tell("Fetch.continueRequest", requestId=id)
        else:
            session.tell("Fetch.failRequest", requestId=id, errorReason="BlockedByClient")

    session.on("Fetch.requestPaused", paused)
    session.tell("Fetch.enable", patterns=_DOCUMENTS)
