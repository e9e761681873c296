"""The MCP server: every tool by its name, and resources; whichever way its messages come.  Loaded at first use."""

import base64
from collections.abc import Awaitable, Callable
from dataclasses import replace
from urllib.parse import quote

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from belljar import __version__
from belljar.agent.mcp import acting, inspecting, looking
from belljar.agent.mcp.arguments import Arguments, BadArgument
from belljar.agent.mcp.box_client import FAILED, NO_ANSWER, BoxClient
from belljar.agent.mcp.definitions import BY_NAME, DEFINITIONS, INSTRUCTIONS
from belljar.agent.mcp.desktop import desktop
from belljar.agent.mcp.report import SCHEME, Answer, describe_refusal
from belljar.agent.untrusted import one_line
from belljar.problems import Problem
from belljar.problems.box import ControlHeld

Context = object
# Whose client a request is answered with: over HTTP each request brings its own credential.
ClientOf = Callable[[Context], BoxClient]
Tool = Callable[[BoxClient, Arguments], Awaitable[Answer]]

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
    "downloads": inspecting.downloads,
    "screenshot": looking.screenshot,
    "read": looking.read,
    "evaluate": inspecting.evaluate,
    "console": inspecting.console,
    "network": inspecting.network,
    "desktop": desktop,
    "ask_person": acting.ask_person,
    "crawl": inspecting.crawl,
}

_MOST_RESOURCE = 32 * 1024 * 1024


def make_server(client_of: ClientOf) -> Server[object]:
    async def list_tools(ctx: Context, params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool.model_validate(one) for one in DEFINITIONS])

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in BY_NAME:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {one_line(params.name, 60)}.")
        return _result(await use(params.name, client_of(ctx), Arguments(params.arguments)))

    async def list_resources(ctx: Context, params: object) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[])

    async def read_resource(ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        media_type, content = await _read(client_of(ctx), uri)
        blob = base64.b64encode(content).decode()
        return types.ReadResourceResult(
            contents=[types.BlobResourceContents(uri=params.uri, mime_type=media_type, blob=blob)]
        )

    server: Server[object] = Server(
        "belljar",
        version=__version__,
        instructions=INSTRUCTIONS,
        get_tool_input_schema=lambda name: BY_NAME[name]["inputSchema"] if name in BY_NAME else None,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )
    # Spans for a tracer that nobody installed.
    server.middleware.clear()
    return server


def _result(answer: Answer) -> types.CallToolResult:
    content: list[types.ContentBlock] = []
    if text := answer.text():
        content.append(types.TextContent(text=text))
    for picture in answer.pictures:
        data = base64.b64encode(picture.content).decode()
        content.append(types.ImageContent(data=data, mime_type=picture.media_type))
    content += [
        types.ResourceLink(uri=link.uri, name=link.name, mime_type=link.media_type, size=link.size)
        for link in answer.links
    ]
    return types.CallToolResult(content=content, is_error=answer.is_error)


async def _read(client: BoxClient, uri: str) -> tuple[str, bytes]:
    kind, _, id = uri.removeprefix(f"{SCHEME}://").partition("/")
    if kind == "download" and id:
        try:
            media_type, content = await client.fetch(f"/v1/browser/downloads/{quote(id, safe='')}")
        except FAILED as error:
            raise MCPError(types.INVALID_PARAMS, one_line(str(error), 200)) from error
        if len(content) <= _MOST_RESOURCE:
            return media_type, content
        raise MCPError(types.INVALID_PARAMS, "This file is too large to be read here.")
    raise MCPError(types.INVALID_PARAMS, "There is no such resource.")


async def use(name: str, client: BoxClient, given: Arguments) -> Answer:
    """What the tool answers; what goes wrong in a way that a model can act on is an answer too."""
    try:
        given.check_known(name, BY_NAME[name]["inputSchema"])
        answer = await TOOLS[name](client, given)
        return replace(answer, url=await _url(client)) if answer.page and not answer.url else answer
    except BadArgument as error:
        return Answer(f"bad_argument (retry: no): {error}", is_error=True)
    except NO_ANSWER as error:
        return Answer(f"unreachable (retry: later): {one_line(str(error), 300)}", is_error=True)
    except Problem as refused:
        return describe_refusal(refused, link=await _live_link(client, refused), url=await _url(client))


async def _live_link(client: BoxClient, refused: Problem) -> str:
    """The live view, for whoever wants to know what the person who holds control is doing."""
    if not isinstance(refused, ControlHeld):
        return ""
    try:
        with anyio.move_on_after(2):
            return await client.box.live.link()
    except FAILED:
        pass
    return ""


async def _url(client: BoxClient) -> str:
    """Whose words an answer repeats, where it does not say."""
    try:
        with anyio.move_on_after(2):
            return await client.url()
    except FAILED:
        pass
    return ""
