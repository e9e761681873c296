"""An MCP server: few tools with short schemas, each a call or two of the HTTP API."""
