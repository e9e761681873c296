"""The Python client: `Belljar` for threads, `AsyncBelljar` for asyncio, the same shape."""
