# Made from aio/plane.py by scripts/make_sync_sdk.py: change it there.
"""What else a control plane keeps: profiles, keys, records."""

from belljar.sdk.choices import KeyRole
from belljar.sdk.encoding import body
from belljar.sdk.sync.http import Http
from belljar.wire.base import Ok
from belljar.wire.keys import ApiKey, KeyList, Me
from belljar.wire.profiles import Profile, ProfileList
from belljar.wire.sessions import EventList, UsageReport


class Profiles:
    """Browser profiles, which outlive sessions: give one's id to `sessions.create`."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def create(self, name: str = "") -> Profile:
        """An empty one."""
        return self._http.post("/api/profiles", Profile, body(name=name))

    def list(self) -> ProfileList:
        """Your own; an admin's key sees all."""
        return self._http.get("/api/profiles", ProfileList)

    def get(self, profile_id: str) -> Profile:
        """What is known of one, with the session that uses it."""
        return self._http.get(f"/api/profiles/{profile_id}", Profile)

    def delete(self, profile_id: str) -> Ok:
        """Forget it and all in it."""
        return self._http.delete(f"/api/profiles/{profile_id}", Ok)


class Keys:
    """API keys, for an admin's key."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
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
        return self._http.post("/api/keys", ApiKey, asked)

    def list(self) -> KeyList:
        """All of them, without their secrets."""
        return self._http.get("/api/keys", KeyList)

    def revoke(self, key_id: str) -> Ok:
        """Make one worthless."""
        return self._http.delete(f"/api/keys/{key_id}", Ok)


class Records:
    """Who you are, what was done, what it used."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def me(self) -> Me:
        """Whom the key belongs to."""
        return self._http.get("/api/me", Me)

    def audit(
        self,
        *,
        after: int | None = None,
        session: str | None = None,
        user: str | None = None,
        limit: int | None = None,
    ) -> EventList:
        """What was done, oldest first; `next` of the answer goes on as `after`."""
        asked = body(after=after, session=session, user=user, limit=limit)
        return self._http.get("/api/audit", EventList, asked)

    def usage(self, *, sessions: bool = False) -> UsageReport:
        """What each user's sessions used; with `sessions`, each session by itself too."""
        return self._http.get("/api/usage", UsageReport, body(sessions=sessions))
