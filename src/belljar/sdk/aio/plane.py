"""What else a control plane keeps: profiles, keys, records."""

from belljar.sdk.aio.http import AsyncHttp
from belljar.sdk.choices import KeyRole
from belljar.sdk.encoding import body
from belljar.wire.base import Ok
from belljar.wire.keys import ApiKey, KeyList, Me
from belljar.wire.profiles import Profile, ProfileList
from belljar.wire.sessions import EventList, UsageReport


class AsyncProfiles:
    """Browser profiles, which outlive sessions: give one's id to `sessions.create`."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(self, name: str = "") -> Profile:
        """An empty one."""
        return await self._http.post("/api/profiles", Profile, body(name=name))

    async def list(self) -> ProfileList:
        """Your own; an admin's key sees all."""
        return await self._http.get("/api/profiles", ProfileList)

    async def get(self, profile_id: str) -> Profile:
        """What is known of one, with the session that uses it."""
        return await self._http.get(f"/api/profiles/{profile_id}", Profile)

    async def delete(self, profile_id: str) -> Ok:
        """Forget it and all in it."""
        return await self._http.delete(f"/api/profiles/{profile_id}", Ok)


class AsyncKeys:
    """API keys, for an admin's key."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def create(
        self,
        user: str,
        *,
        role: KeyRole = "user",
        name: str = "",
        max_sessions: int | None = None,
        max_ttl: int | None = None,
    ) -> ApiKey:
        """A key for a user; the key itself is in this answer and never again."""
        asked = body(user=user, role=role, name=name, max_sessions=max_sessions, max_ttl=max_ttl)
        return await self._http.post("/api/keys", ApiKey, asked)

    async def list(self) -> KeyList:
        """All of them, without their secrets."""
        return await self._http.get("/api/keys", KeyList)

    async def revoke(self, key_id: str) -> Ok:
        """Make one worthless."""
        return await self._http.delete(f"/api/keys/{key_id}", Ok)


class AsyncRecords:
    """Who you are, what was done, what it used."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def me(self) -> Me:
        """Whom the key belongs to."""
        return await self._http.get("/api/me", Me)

    async def audit(
        self,
        *,
        after: int | None = None,
        session: str | None = None,
        user: str | None = None,
        limit: int | None = None,
    ) -> EventList:
        """What was done, oldest first; `next` of the answer goes on as `after`."""
        asked = body(after=after, session=session, user=user, limit=limit)
        return await self._http.get("/api/audit", EventList, asked)

    async def usage(self, *, sessions: bool = False) -> UsageReport:
        """What each user's sessions used; with `sessions`, each session by itself too."""
        return await self._http.get("/api/usage", UsageReport, body(sessions=sessions))
