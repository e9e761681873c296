"""A control plane's API as if it were a box: one session, found again by its name, made when it is first needed."""

from typing import Any

import anyio

from belljar.agent.mcp.api import Api, Below, Body, Json, Query, Refused, Reply

TAG = "mcp"
DEFAULT_NAME = "default"
IDLE_SECONDS = 900
# Problems that mean: this session is no more.
_OVER = frozenset({"session_over", "session_not_found"})


class SessionApi:
    """Calls go to the session of this name of the caller's; a client that reconnects finds the same one.

    A session that ended, because it was idle or someone ended it, is replaced by a new one at the next call.
    """

    def __init__(self, control: Api, name: str, known: "Known") -> None:
        self._control = control
        self._name = name
        self._known = known

    async def call(self, method: str, path: str, body: Json | Body | None = None, query: Query | None = None) -> Reply:
        id = await self._session()
        try:
            return await Below(self._control, f"/s/{id}").call(method, path, body, query)
        except Refused as refused:
            if refused.code not in _OVER:
                raise
        self._known.id = None
        return await Below(self._control, f"/s/{await self._session()}").call(method, path, body, query)

    async def _session(self) -> str:
        async with self._known.lock:
            if self._known.id is None:
                self._known.id = await self._find() or await self._create()
            return self._known.id

    async def _find(self) -> str | None:
        me = (await self._control.call("GET", "/api/me")).json()
        wanted: Query = {"user": me["user"], "tag": f"{TAG}:{self._name}", "state": "running", "limit": 1}
        found: list[Any] = (await self._control.call("GET", "/api/sessions", query=wanted)).json()["sessions"]
        return str(found[0]["id"]) if found else None

    async def _create(self) -> str:
        body = {"headless": True, "idleTimeout": IDLE_SECONDS, "tags": {TAG: self._name}}
        return str((await self._control.call("POST", "/api/sessions", body)).json()["id"])


class Known:
    """The session that a caller of ours uses, once it is known; shared by the requests of that caller."""

    def __init__(self) -> None:
        self.id: str | None = None
        self.lock = anyio.Lock()
