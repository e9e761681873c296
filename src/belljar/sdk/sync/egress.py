# Made from aio/egress.py by scripts/make_sync_sdk.py: change it there.
"""`egress`: where the box may connect to, and where it did."""

from collections.abc import Generator, Sequence

from belljar.sdk.choices import Decision
from belljar.sdk.encoding import body
from belljar.sdk.sync.http import Http
from belljar.wire.egress import EgressConnection, EgressLog, EgressPolicy, EgressSuggestion


class Egress:
    """The network policy, enforced outside the browser."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def policy(self) -> EgressPolicy:
        """The policy in force."""
        return self._http.get("/v1/egress/policy", EgressPolicy)

    def set_policy(self, policy: str, *, allow: Sequence[str] = ()) -> EgressPolicy:
        """Replace it: a name, or rules; only the operator's token may loosen it."""
        return self._http.put("/v1/egress/policy", EgressPolicy, body(policy=policy, allow=list(allow)))

    def restrict(self, *, deny: Sequence[str] = (), only: Sequence[str] = ()) -> EgressPolicy:
        """Refuse further hosts, or all but some, for as long as the box runs; whoever drives it may."""
        return self._http.post("/v1/egress/restrict", EgressPolicy, body(deny=list(deny), only=list(only)))

    def log(self, *, decision: Decision | None = None) -> EgressLog:
        """The newest connections and refusals, oldest first."""
        return self._http.get("/v1/egress/log", EgressLog, body(decision=decision))

    def follow_log(self, *, decision: Decision | None = None) -> Generator[EgressConnection, None, None]:
        """Connections as they are decided, and again when they end."""
        asked = body(decision=decision, follow=True)
        yield from self._http.events("/v1/egress/log", EgressConnection, asked)

    def suggestion(self) -> EgressSuggestion:
        """The smallest policy that would have allowed what was allowed so far."""
        return self._http.get("/v1/egress/suggestion", EgressSuggestion)
