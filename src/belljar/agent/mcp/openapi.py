"""`/mcp` as the OpenAPI document has it: that it is there, and how one speaks to it; the tools are MCP's to list."""

_MESSAGE = {
    "type": "object",
    "description": "JSON-RPC 2.0, as the Model Context Protocol has it.",
    "required": ["jsonrpc"],
    "properties": {
        "jsonrpc": {"const": "2.0"},
        "id": {"type": ["string", "integer"], "description": "Of a request; a notification has none."},
        "method": {"type": "string", "examples": ["tools/list", "tools/call"]},
        "params": {"type": "object", "examples": [{"name": "navigate", "arguments": {"url": "https://example.com"}}]},
    },
}
_ANSWER = {"schema": {"type": "object", "description": "JSON-RPC 2.0: `result` or `error`."}}


def operations(**queries: str) -> dict[str, object]:
    """By method; `queries` are what the address may say, with what it means."""
    return {
        "post": {
            "operationId": "mcp",
            "summary": "Speak MCP",
            "description": (
                "A message of the Model Context Protocol (streamable HTTP, without sessions): `initialize`, "
                "`tools/list`, `tools/call`, `resources/read`. GET and DELETE, which are for sessions, answer 405. The "
                "tools are in docs/reference/mcp.md."
            ),
            "tags": ["mcp"],
            "parameters": [
                {"name": name, "in": "query", "required": False, "description": what, "schema": {"type": "string"}}
                for name, what in queries.items()
            ],
            "requestBody": {"required": True, "content": {"application/json": {"schema": _MESSAGE}}},
            "responses": {
                "200": {
                    "description": "The answer, alone or as the event of a stream, as `Accept` allows.",
                    "content": {"application/json": _ANSWER, "text/event-stream": {}},
                },
                "202": {"description": "A notification was taken."},
            },
        }
    }


ON_BOX = operations(headed="`true` starts the browser on a display.")
ON_CONTROL_PLANE = operations(session="A session by name; one of the caller's own without it.")
