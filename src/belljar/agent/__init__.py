"""What agents are handed: MCP tools, the one browser tool, the provider.  Each is a thin layer over the HTTP API."""
