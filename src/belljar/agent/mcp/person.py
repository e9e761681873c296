"""Asking a person for help: a link that opens the live view, and waiting until they gave control back."""

import time
from datetime import datetime

from belljar.agent.mcp.answers import Answer
from belljar.agent.mcp.api import Api, Json, Refused
from belljar.agent.mcp.arguments import Arguments
from belljar.agent.mcp.desk import Desk
from belljar.agent.mcp.told import shown

MOST_SECONDS = 600.0
MOST_QUESTION = 2000


async def ask_person(desk: Desk, given: Arguments) -> Answer:
    wait = given.number("wait", 0, least=0, most=MOST_SECONDS)
    if given.has("question"):
        await desk.call("POST", "/v1/control", {"action": "ask", "question": given.text("question")[:MOST_QUESTION]})
    if wait == 0:
        link = await live_link(desk)
        desk.asked = (time.time(), await _revision(desk))
        return Answer(
            f"Show this link to the person; it opens once, within five minutes: {link}\n"
            "Then call ask_person again with wait, such as 300."
        )
    asked_at, revision = desk.asked or (time.time(), await _revision(desk))
    until = time.monotonic() + wait
    if not await _came(desk, asked_at, until):
        return Answer("nobody_came (retry: yes): nobody took control in that time.", is_error=True)
    if not await _until(desk, "free", until):
        return Answer("control_held (retry: yes): the person still has control; wait again.", is_error=True)
    desk.asked = None
    return await _changed(desk, revision)


async def live_link(desk: Api) -> str:
    """A link that signs a person in once, with no more rights than the caller's."""
    return str((await desk.call("POST", "/v1/live/links", {})).json()["link"])


async def _came(desk: Desk, asked_at: float, until: float) -> bool:
    """Whether a person took control since they were asked, or does before `until`."""
    control = (await desk.call("GET", "/v1/control")).json()
    if datetime.fromisoformat(control["since"]).timestamp() > asked_at:
        return True
    return bool(control["holder"]["kind"] == "viewer") or await _until(desk, "person", until)


async def _until(desk: Desk, what: str, until: float) -> bool:
    left = max(0, round((until - time.monotonic()) * 1000))
    control: Json = (await desk.call("GET", "/v1/control", query={"until": what, "timeout": left})).json()
    return bool((control["holder"]["kind"] == "viewer") == (what == "person"))


async def _revision(desk: Desk) -> int | None:
    """Of what the page is now, where there is one to be seen."""
    try:
        return int((await desk.call("GET", "/v1/browser/snapshot")).json()["revision"])
    except Refused:
        return None


async def _changed(desk: Desk, since: int | None) -> Answer:
    did = "The person gave control back."
    try:
        query = {} if since is None else {"since": since}
        return shown(did, (await desk.call("GET", "/v1/browser/snapshot", query=query)).json())
    except Refused as refused:
        if refused.code == "browser_not_active":
            return Answer(did)
        raise
