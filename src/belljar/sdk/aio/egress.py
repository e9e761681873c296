"""`egress`: where the box may connect to, and where it did."""

from collections.abc import AsyncGenerator, Sequence

from belljar.sdk.aio.http import AsyncHttp
from belljar.sdk.choices import Decision
from belljar.sdk.encoding import body
from belljar.wire.egress import EgressConnection, EgressLog, EgressPolicy, EgressSuggestion


class AsyncEgress:
    """The network policy, enforced outside the browser."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def policy(self) -> EgressPolicy:
        """The policy in force."""
        return await self._http.get("/v1/egress/policy", EgressPolicy)

    async def set_policy(self, policy: str, *, allow: Sequence[str] = ()) -> EgressPolicy:
        """Replace it: a name, or rules; only the operator's token may loosen it."""
        return await self._http.put("/v1/egress/policy", EgressPolicy, body(policy=policy, allow=list(allow)))

    async def restrict(self, *, deny: Sequence[str] = (), only: Sequence[str] = ()) -> EgressPolicy:
        """Refuse further hosts, or all but some, for as long as the box runs; whoever drives it may."""
        return await self._http.post("/v1/egress/restrict", EgressPolicy, body(deny=list(deny), only=list(only)))

    async def log(self, *, decision: Decision | None = None) -> EgressLog:
        """The newest connections and refusals, oldest first."""
        return await self._http.get("/v1/egress/log", EgressLog, body(decision=decision))

    async def follow_log(self, *, decision: Decision | None = None) -> AsyncGenerator[EgressConnection, None]:
        """Connections as they are decided, and again when they end."""
        asked = body(decision=decision, follow=True)
        async for connection in self._http.events("/v1/egress/log", EgressConnection, asked):
            yield connection

    async def suggestion(self) -> EgressSuggestion:
        """The smallest policy that would have allowed what was allowed so far."""
        return await self._http.get("/v1/egress/suggestion", EgressSuggestion)
