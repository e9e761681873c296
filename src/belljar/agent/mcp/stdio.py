"""MCP over standard input and output.  Ends when the client closes its end, however it ended itself."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from belljar.agent.mcp.server import ClientOf, make_server
from belljar.tasks import background

_LONGEST_LINE = 64 * 1024 * 1024


async def serve_stdio(client_of: ClientOf) -> None:
    """Serve the one client until its end of the pipe closes."""
    server = make_server(client_of)
    async with _wire() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


@asynccontextmanager
async def _wire() -> AsyncIterator[tuple[Any, Any]]:
    """Messages in and out.  The pipes are read by the loop itself: a thread that waits in a read cannot be ended."""
    reader, writer = await _pipes()
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](16)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](16)

    async def read() -> None:
        async with to_server:
            while line := await _line(reader):
                try:
                    message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValidationError as error:
                    await to_server.send(error)
                    continue
                await to_server.send(SessionMessage(message))

    async def write() -> None:
        async with from_server:
            async for sent in from_server:
                writer.write(sent.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                try:
                    await writer.drain()
                except ConnectionError:
                    return

    async with background(write, name="mcp output"), background(read, name="mcp input"):
        yield incoming, outgoing


async def _line(reader: asyncio.StreamReader) -> bytes:
    """The next line; empty at the end, and for one that no honest client sends."""
    try:
        return await reader.readline()
    except (ValueError, ConnectionError):
        return b""


async def _pipes() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Our ends of the pipes, on descriptors of their own: whatever else prints goes to standard error."""
    loop = asyncio.get_running_loop()
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout.flush()
    reader = asyncio.StreamReader(limit=_LONGEST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(source, "rb", buffering=0))
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(sink, "wb", buffering=0)
    )
    return reader, asyncio.StreamWriter(transport, protocol, None, loop)
