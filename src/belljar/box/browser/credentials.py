"""HTTP authentication: the answer to a server that asks who we are."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from belljar.box.browser.cdp import Session
from belljar.box.browser.emulation import Credentials


def answer_servers(session: Session, credentials: Callable[[], Credentials | None]) -> None:
    """Give the credentials that are set at the time; a server that refuses them is not given them again."""
    refused: set[str] = set()

    def asked(params: dict[str, Any]) -> None:
        id, known = params["requestId"], credentials()
        if known is None or id in refused or not _is_for(known, params["authChallenge"]["origin"]):
            session.tell("Fetch.continueWithAuth", requestId=id, authChallengeResponse={"response": "CancelAuth"})
            return
        refused.add(id)
        answer = {"response": "ProvideCredentials", "username": known.username, "password": known.password}
        session.tell("Fetch.continueWithAuth", requestId=id, authChallengeResponse=answer)

    def paused(params: dict[str, Any]) -> None:
        # Without credentials it is not for them that requests are intercepted.
        if credentials() is not None:
            session.tell("Fetch.continueRequest", requestId=params["requestId"])

    session.on("Fetch.authRequired", asked)
    session.on("Fetch.requestPaused", paused)


def _is_for(credentials: Credentials, origin: str) -> bool:
    if credentials.origin is None:
        return True
    ours, theirs = urlsplit(credentials.origin), urlsplit(origin)
    return (ours.scheme, ours.netloc) == (theirs.scheme, theirs.netloc)
