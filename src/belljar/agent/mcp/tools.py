"""Every tool by its name, and one call of one of them."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import anyio

from belljar.agent.mcp import acting, around, looking, person, pictures
from belljar.agent.mcp.answers import Answer
from belljar.agent.mcp.api import Refused, Unreachable
from belljar.agent.mcp.arguments import Arguments
from belljar.agent.mcp.definitions import BY_NAME
from belljar.agent.mcp.desk import BadArgument, Desk
from belljar.agent.mcp.desktop import desktop
from belljar.agent.mcp.refusals import refusal
from belljar.agent.untrusted import one_line

Tool = Callable[[Desk, Arguments], Awaitable[Answer]]

TOOLS: dict[str, Tool] = {
    "navigate": looking.navigate,
    "snapshot": looking.snapshot,
    "find": looking.find,
    "click": acting.click,
    "type": acting.type_text,
    "fill": acting.fill,
    "press": acting.press,
    "select": acting.select,
    "hover": acting.hover,
    "drag": acting.drag,
    "scroll": acting.scroll,
    "wait": looking.wait,
    "tabs": looking.tabs,
    "dialog": acting.dialog,
    "upload": acting.upload,
    "downloads": around.downloads,
    "screenshot": pictures.screenshot,
    "read": looking.read,
    "evaluate": around.evaluate,
    "console": around.console,
    "network": around.network,
    "desktop": desktop,
    "ask_person": person.ask_person,
    "crawl": around.crawl,
}


async def use(name: str, desk: Desk, given: Arguments) -> Answer:
    """What the tool answers; what goes wrong in a way that a model can act on is an answer too."""
    try:
        given.check_known(name, BY_NAME[name]["inputSchema"])
        answer = await TOOLS[name](desk, given)
        return replace(answer, url=await _url(desk)) if answer.page and not answer.url else answer
    except BadArgument as error:
        return Answer(f"bad_argument (retry: no): {error}", is_error=True)
    except Unreachable as error:
        return Answer(f"unreachable (retry: later): {one_line(str(error), 300)}", is_error=True)
    except Refused as refused:
        return refusal(refused, link=await _link(desk, refused), url=await _url(desk))


async def _link(desk: Desk, refused: Refused) -> str:
    """The live view, for whoever wants to know what the person who holds control is doing."""
    if refused.code != "control_held":
        return ""
    try:
        with anyio.move_on_after(2):
            return await person.live_link(desk)
    except (Refused, Unreachable):
        pass
    return ""


async def _url(desk: Desk) -> str:
    """Whose words an answer repeats, where it does not say."""
    try:
        with anyio.move_on_after(2):
            return str((await desk.call("GET", "/v1/browser/status")).json().get("url", ""))
    except (Refused, Unreachable):
        pass
    return ""
