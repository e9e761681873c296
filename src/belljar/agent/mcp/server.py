"""The MCP server itself, on the official SDK's low-level one.  Importing this costs 30 MB: done on first use."""

import base64
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from belljar import __version__
from belljar.agent.mcp.answers import SCHEME, Answer
from belljar.agent.mcp.api import Refused, Unreachable
from belljar.agent.mcp.arguments import Arguments
from belljar.agent.mcp.definitions import BY_NAME, DEFINITIONS, INSTRUCTIONS
from belljar.agent.mcp.desk import Desk
from belljar.agent.mcp.tools import use
from belljar.agent.untrusted import one_line

Context = Any
# Whose desk a request is for: over HTTP each request brings its own credential.
DeskOf = Callable[[Context], Desk]

_MOST_RESOURCE = 32 * 1024 * 1024


def make_server(desk_of: DeskOf) -> Server[Any]:
    async def list_tools(ctx: Context, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[types.Tool.model_validate(one) for one in DEFINITIONS])

    async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in BY_NAME:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {one_line(params.name, 60)}.")
        return _result(await use(params.name, desk_of(ctx), Arguments(params.arguments)))

    async def list_resources(ctx: Context, params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[])

    async def read_resource(ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        media_type, content = await _read(desk_of(ctx), uri)
        blob = base64.b64encode(content).decode()
        return types.ReadResourceResult(
            contents=[types.BlobResourceContents(uri=params.uri, mime_type=media_type, blob=blob)]
        )

    server: Server[Any] = Server(
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


async def _read(desk: Desk, uri: str) -> tuple[str, bytes]:
    kind, _, id = uri.removeprefix(f"{SCHEME}://").partition("/")
    if kind == "download" and id:
        try:
            reply = await desk.call("GET", f"/v1/browser/downloads/{quote(id, safe='')}")
        except (Refused, Unreachable) as error:
            raise MCPError(types.INVALID_PARAMS, one_line(str(error), 200)) from error
        if len(reply.content) <= _MOST_RESOURCE:
            return reply.media_type, reply.content
        raise MCPError(types.INVALID_PARAMS, "This file is too large to be read here.")
    raise MCPError(types.INVALID_PARAMS, "There is no such resource.")
