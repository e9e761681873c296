"""The record of a box: `jar.events`."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager

from belljar.sdk.aio.http import AsyncDownload, AsyncHttp
from belljar.sdk.encoding import ActorKind, EventKind, ExportFormat, body, joined
from belljar.wire.record import MarkedMoment, RecordEvent, RecordPage, RecordProof

_PAGE = 1000


class AsyncEvents:
    """What agent, person, page and policy did, in one order.  Times are microseconds since 1970, as `t` of an event."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(
        self,
        *,
        since: int = 0,
        kinds: Sequence[EventKind] | None = None,
        actor: ActorKind | None = None,
        tab: str | None = None,
        from_: int | None = None,
        to: int | None = None,
        limit: int | None = None,
    ) -> RecordPage:
        """One page, oldest first; `cursor` of the answer goes on as `since`, while there is `more`."""
        asked = body(since=since, kinds=joined(kinds), actor=actor, tab=tab, from_=from_, to=to, limit=limit)
        return await self._http.get("/v1/events", RecordPage, asked)

    async def all(
        self,
        *,
        since: int = 0,
        kinds: Sequence[EventKind] | None = None,
        actor: ActorKind | None = None,
        tab: str | None = None,
        from_: int | None = None,
        to: int | None = None,
    ) -> AsyncGenerator[RecordEvent, None]:
        """Every event there is, page by page."""
        while True:
            page = await self.list(since=since, kinds=kinds, actor=actor, tab=tab, from_=from_, to=to, limit=_PAGE)
            for event in page.events:
                yield event
            if not page.more:
                return
            since = page.cursor

    async def follow(
        self,
        *,
        since: int = 0,
        kinds: Sequence[EventKind] | None = None,
        actor: ActorKind | None = None,
        tab: str | None = None,
        from_: int | None = None,
        to: int | None = None,
    ) -> AsyncGenerator[RecordEvent, None]:
        """As `all`, and then whatever happens, until the box ends.

        After a connection that broke, `since` with the last event's `seq` goes on where it ended.
        """
        asked: dict[str, object] = body(
            since=since, kinds=joined(kinds), actor=actor, tab=tab, from_=from_, to=to, follow=True
        )
        async for event in self._http.events("/v1/events", RecordEvent, asked, name="record"):
            yield event

    @asynccontextmanager
    async def export(self, format: ExportFormat = "zip") -> AsyncIterator[AsyncDownload]:
        """The whole record as other programs read it, streamed; `playwright` is for its trace viewer."""
        async with self._http.stream("/v1/events/export", body(format=format)) as exported:
            yield exported

    async def picture(self, sha256: str) -> bytes:
        """The JPEG that an event of kind `screen` names."""
        return await self._http.fetch(f"/v1/events/pictures/{sha256}")

    async def proof(self) -> RecordProof:
        """The public key that signs the record, and the last head that was signed."""
        return await self._http.get("/v1/events/proof", RecordProof)

    async def mark(self, text: str, *, film: bool | None = None) -> MarkedMoment:
        """Mark this moment, to find it again in the record and in films.

        With `film` the last minutes become a film, in a session with `film="on_failure"`.
        """
        return await self._http.post("/v1/events/marks", MarkedMoment, body(text=text, film=film))
