"""The server inside one sandbox."""
