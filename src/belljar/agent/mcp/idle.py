"""A browser that MCP started and nobody uses any more is closed: the next call starts one again."""

import time
from datetime import datetime

import anyio

from belljar.agent.mcp.api import Refused, Unreachable
from belljar.agent.mcp.desk import Starts
from belljar.logs import log


async def close_when_idle(starts: Starts, seconds: float) -> None:
    """With the rights of whoever started it, once the whole box has seen no activity for so long.  0 is never."""
    if seconds <= 0:
        await anyio.sleep_forever()
    while True:
        await anyio.sleep(max(0.05, min(seconds / 4, 60)))
        if starts.starter is None:
            continue
        try:
            health = (await starts.starter.call("GET", "/v1/health")).json()
            if not _is_idle(health, seconds):
                continue
            async with starts.lock:
                await starts.starter.call("POST", "/v1/browser/stop", {})
                log.info("mcp.idle_browser_closed")
        except (Refused, Unreachable):
            # Stopped already, or no longer ours to stop: somebody else's business either way.
            pass
        starts.starter = None


def _is_idle(health: dict[str, object], seconds: float) -> bool:
    last = datetime.fromisoformat(str(health["lastActivity"])).timestamp()
    return health.get("openStreams") == 0 and time.time() - last >= seconds
