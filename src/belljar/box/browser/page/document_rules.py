"""Rules for every document of a page: domains, HTTP authentication, the caller's own scripts.

Every document counts, whoever wanted it: the caller, a link, a redirect, a script, a frame, a window.  What documents
fetch besides (pictures, scripts, sockets) is the egress policy's business.
"""

from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from belljar.box.browser.cdp import Session
from belljar.box.browser.cdp.events import AuthRequired, RequestPaused
from belljar.box.browser.cdp.replies import ScriptAdded
from belljar.box.browser.page.emulation import Credentials


def answer_servers(
    session: Session, credentials: Callable[[], Credentials | None], ask: Callable[[AuthRequired], bool]
) -> None:
    """Give the credentials that are set at the time; a server that refuses them is not given them again.

    Without any, `ask` says whether somebody else answers.
    """
    refused: set[str] = set()

    def asked(event: AuthRequired) -> None:
        id, known = event.request_id, credentials()
        if known is None and ask(event):
            return
        if known is None or id in refused or not _is_for(known, event.auth_challenge.origin):
            session.tell("Fetch.continueWithAuth", requestId=id, authChallengeResponse={"response": "CancelAuth"})
            return
        refused.add(id)
        answer = {"response": "ProvideCredentials", "username": known.username, "password": known.password}
        session.tell("Fetch.continueWithAuth", requestId=id, authChallengeResponse=answer)

    def paused(event: RequestPaused) -> None:
        # Without credentials it is not for them that requests are intercepted.
        if credentials() is not None:
            session.tell("Fetch.continueRequest", requestId=event.request_id)

    session.on(AuthRequired, asked)
    session.on(RequestPaused, paused)


def _is_for(credentials: Credentials, origin: str) -> bool:
    if credentials.origin is None:
        return True
    ours, theirs = urlsplit(credentials.origin), urlsplit(origin)
    return (ours.scheme, ours.netloc) == (theirs.scheme, theirs.netloc)


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

    def paused(event: RequestPaused) -> None:
        if is_within(event.request.url, domains):
            session.tell("Fetch.continueRequest", requestId=event.request_id)
        else:
            session.tell("Fetch.failRequest", requestId=event.request_id, errorReason="BlockedByClient")

    session.on(RequestPaused, paused)
    session.tell("Fetch.enable", patterns=_DOCUMENTS)


class InitScripts:
    """Those of one session.  Nothing waits: Chromium takes commands in order."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._sources: tuple[str, ...] = ()
        # What Chromium calls them, once it has said so; scripts that were taken back meanwhile are of an earlier turn.
        self._ids: list[str] = []
        self._turn = 0

    def set(self, sources: tuple[str, ...]) -> None:
        """Have these scripts, from the next document on; those that are there already stay."""
        if sources[: len(self._sources)] != self._sources:
            self._take_back()
        for source in sources[len(self._sources) :]:
            self._add(source)
        self._sources = sources

    def _add(self, source: str) -> None:
        turn = self._turn

        def added(script: ScriptAdded) -> None:
            if turn == self._turn:
                self._ids.append(script.identifier)
            else:
                self._remove(script.identifier)

        self._session.ask(ScriptAdded, "Page.addScriptToEvaluateOnNewDocument", added, source=source)

    def _take_back(self) -> None:
        self._turn += 1
        ids, self._ids, self._sources = self._ids, [], ()
        for id in ids:
            self._remove(id)

    def _remove(self, id: str) -> None:
        self._session.tell("Page.removeScriptToEvaluateOnNewDocument", identifier=id)
