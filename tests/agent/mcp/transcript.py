"""The session that docs/guide/mcp.md shows: played by the official client, and written as it stands there."""

import json
import re

from mcp_types import CallToolResult

from tests.agent.mcp.clients import Agent

# How the test site is called there, and a boundary's number.
SHOWN_ORIGIN = "http://127.0.0.1:8000"
SHOWN_NUMBER = "5f0c3a9d21b74e68"

CALLS: list[tuple[str, dict[str, object]]] = [
    ("navigate", {"url": f"{SHOWN_ORIGIN}/agent/order.html"}),
    (
        "fill",
        {
            "fields": [
                {"target": "e1", "value": "Ann"},
                {"target": "e3", "value": "Plum"},
                {"target": "e4", "value": True},
            ],
            "submit": "e6",
        },
    ),
    ("click", {"target": "text=Ask"}),
    ("click", {"target": "text=New tab"}),
    ("dialog", {"accept": True}),
    ("click", {"target": "text=Under"}),
    ("snapshot", {"since": 3}),
    ("screenshot", {}),
]


async def played(agent: Agent, origin: str) -> str:
    """Calls and answers, with what differs from run to run replaced."""
    lines = []
    for name, arguments in CALLS:
        shown = json.dumps(arguments)
        result = await agent.client.call_tool(name, json.loads(shown.replace(SHOWN_ORIGIN, origin)))
        assert isinstance(result, CallToolResult)
        lines.append(f"→ {name} {shown}")
        for part in result.content:
            lines += (
                part.text.split("\n") if part.type == "text" else [f"({part.type} {getattr(part, 'mime_type', '')})"]
            )
    text = "\n".join(lines).replace(origin, SHOWN_ORIGIN)
    return re.sub(r"(</?untrusted )[0-9a-f]{16}", rf"\g<1>{SHOWN_NUMBER}", text)
