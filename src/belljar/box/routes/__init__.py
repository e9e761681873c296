"""HTTP and WebSocket: parse, one call, answer."""
