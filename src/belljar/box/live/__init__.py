"""Live sessions: one WebSocket for each viewer, with frames, input, commands and events."""
