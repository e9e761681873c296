# Made from aio/client.py by scripts/make_sync_sdk.py: change it there.
"""`Belljar`: a box of one's own, a box somewhere, or a control plane with profiles, keys, records."""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from belljar.sdk.embedded import Address, EmbeddedBox
from belljar.sdk.encoding import DeliveryState, KeyRole, SignInKind, UsageGroup, body
from belljar.sdk.sync.box import Box
from belljar.sdk.sync.connection import Connection
from belljar.sdk.sync.http import Http
from belljar.sdk.sync.io import Transport
from belljar.sdk.sync.sessions import Sessions
from belljar.wire.access import ApiKey, KeyList, Me, Profile, ProfileList, SignInList
from belljar.wire.administration import (
    CheckReport,
    Host,
    HostList,
    KeyReach,
    KeyRevoked,
    LimitsReport,
    SettingsInForce,
    UsageReport,
    UserList,
)
from belljar.wire.base import Ok
from belljar.wire.record import RecordKey
from belljar.wire.sessions import EventList
from belljar.wire.webhooks import Webhook, WebhookDelivery, WebhookDeliveryList, WebhookList


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

    def get(self, key_id: str) -> KeyReach:
        """One of them, and what its revocation would end."""
        return self._http.get(f"/api/keys/{key_id}", KeyReach)

    def revoke(self, key_id: str, *, end_sessions: bool = False) -> KeyRevoked:
        """Make one worthless; with `end_sessions`, end what it started, too."""
        asked = body(endSessions=end_sessions)
        return self._http.delete(f"/api/keys/{key_id}", KeyRevoked, asked)

    def admit(self, key_id: str) -> ApiKey:
        """Let a person who was shut out sign in again; a key that was revoked stays so."""
        return self._http.post(f"/api/keys/{key_id}/admit", ApiKey)


class SignIns:
    """Browsers in which people are signed in, and apps that they let in over MCP."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self, *, user: str | None = None, kind: SignInKind | None = None, limit: int | None = None) -> SignInList:
        """Your own; an admin's key sees all, or those of one user."""
        return self._http.get("/api/sign-ins", SignInList, body(user=user, kind=kind, limit=limit))

    def end(self, sign_in_id: str) -> Ok:
        """Sign a browser out, or shut an app out, and close what they opened."""
        return self._http.delete(f"/api/sign-ins/{sign_in_id}", Ok)


class Webhooks:
    """Where you are told of sessions, for an admin's key."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def create(self, url: str, *, kinds: Sequence[str] | None = None, name: str = "") -> Webhook:
        """Be told at an address, of everything or of some kinds; its secret is in this answer and never again."""
        asked = body(url=url, kinds=None if kinds is None else [*kinds], name=name)
        return self._http.post("/api/webhooks", Webhook, asked)

    def list(self) -> WebhookList:
        """All of them, without their secrets."""
        return self._http.get("/api/webhooks", WebhookList)

    def delete(self, webhook_id: str) -> Ok:
        """Tell this address nothing more."""
        return self._http.delete(f"/api/webhooks/{webhook_id}", Ok)

    def rotate(self, webhook_id: str) -> Webhook:
        """A new secret; for a day the one before signs too."""
        return self._http.post(f"/api/webhooks/{webhook_id}/rotate", Webhook, {})

    def test(self, webhook_id: str) -> WebhookDelivery:
        """Send a `webhook.test`."""
        return self._http.post(f"/api/webhooks/{webhook_id}/test", WebhookDelivery, {})

    def deliveries(
        self,
        webhook_id: str,
        *,
        state: DeliveryState | None = None,
        after: str | None = None,
        limit: int | None = None,
    ) -> WebhookDeliveryList:
        """What was sent and what is to be, newest first; `state="dead"` for what was given up."""
        asked = body(state=state, after=after, limit=limit)
        return self._http.get(f"/api/webhooks/{webhook_id}/deliveries", WebhookDeliveryList, asked)

    def redeliver(self, webhook_id: str, delivery_id: str) -> WebhookDelivery:
        """Send one again that is over."""
        path = f"/api/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver"
        return self._http.post(path, WebhookDelivery, {})


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
        before: int | None = None,
        newest: bool | None = None,
        session: str | None = None,
        user: str | None = None,
        actor: str | None = None,
        action: str | None = None,
        q: str | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        count: bool | None = None,
        limit: int | None = None,
    ) -> EventList:
        """What was done, oldest first; `next` of the answer goes on as `after`, or with `newest` as `before`."""
        about = body(
            session=session, user=user, actor=actor, action=action, q=q, since=_time(since), until=_time(until)
        )
        return self._http.get(
            "/api/audit", EventList, about | body(after=after, before=before, newest=newest, count=count, limit=limit)
        )

    def record_key(self) -> RecordKey:
        """The installation's public key: keep it, to verify exported records with."""
        return self._http.get("/api/record/key", RecordKey)

    def usage(
        self,
        *,
        by: Sequence[UsageGroup] | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        user: str | None = None,
        tag: Sequence[str] | None = None,
        sessions: bool = False,
    ) -> UsageReport:
        """What sessions used, by `user` unless told `day` or `tag`; with `sessions`, each session by itself too."""
        asked = body(since=_time(since), until=_time(until), user=user, tag=tag and [*tag], sessions=sessions)
        return self._http.get("/api/usage", UsageReport, asked | body(by=by and [*by]))

    def usage_csv(
        self,
        by: UsageGroup = "user",
        *,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        user: str | None = None,
        tag: Sequence[str] | None = None,
    ) -> str:
        """The same as CSV, a line for each."""
        asked = body(by=by, since=_time(since), until=_time(until), user=user, tag=tag and [*tag])
        return self._http.text("/api/usage.csv", asked)


class Administration:
    """Users, limits, hosts, settings and checks, for an admin's key."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def users(self, *, q: str | None = None, after: str | None = None, limit: int | None = None) -> UserList:
        """Everybody who has a key or had sessions, with what they used; `next` of the answer goes on as `after`."""
        return self._http.get("/api/users", UserList, body(q=q, after=after, limit=limit))

    def limits(self) -> LimitsReport:
        """What sessions get and may have, and who is near that."""
        return self._http.get("/api/limits", LimitsReport)

    def hosts(self) -> HostList:
        """Hosts with their room, sessions and warm boxes."""
        return self._http.get("/api/hosts", HostList)

    def drain(self, name: str) -> Host:
        """Take no more sessions on a host, until `undrain`; nothing is ended."""
        return self._http.post(f"/api/hosts/{quote(name, safe='')}/drain", Host)

    def undrain(self, name: str) -> Host:
        """Take sessions again."""
        return self._http.post(f"/api/hosts/{quote(name, safe='')}/undrain", Host)

    def settings(self) -> SettingsInForce:
        """Every setting, with where it comes from and what it may be; secrets are masked."""
        return self._http.get("/api/settings", SettingsInForce)

    def checks(self, *, fresh: bool = False) -> CheckReport:
        """What `belljar doctor` finds on the server's host."""
        return self._http.get("/api/checks", CheckReport, body(fresh=fresh))


def _time(given: datetime | str | None) -> str | None:
    return given.isoformat() if isinstance(given, datetime) else given


URL_VARIABLE = "BELLJAR_URL"
TOKEN_VARIABLE = "BELLJAR_TOKEN"


class Belljar(Box):
    """A client.  `with Belljar() as jar:` closes it, and ends the box where it is ours.

    `url` and `token` (else `BELLJAR_URL` and `BELLJAR_TOKEN`) name a box or a control plane.  Without an address an
    embedded box is started with the first request; it ends with `close`, or with this process however that ends.

    `timeout` is the seconds an answer may take; calls that are given a longer deadline of their own wait for that.
    `control_wait` is the seconds an action waits, instead of failing, while a person holds control.  `box` are flags
    for an embedded box, as `belljar box` takes them; with them, or with `state_dir`, the box is embedded whatever the
    environment says.  `transport` is an httpx2 transport, to talk to an application in this process.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        control_wait: float = 0,
        headers: Mapping[str, str] | None = None,
        box: Sequence[str] | None = None,
        state_dir: str | os.PathLike[str] | None = None,
        transport: Transport | None = None,
    ) -> None:
        is_embedded = box is not None or state_dir is not None
        if is_embedded and url is not None:
            raise ValueError("Flags and a state folder are for an embedded box: leave the address out.")
        if url is None and not is_embedded:
            url = os.environ.get(URL_VARIABLE) or None
            token = token or os.environ.get(TOKEN_VARIABLE) or None
        kept = Path(state_dir).absolute() if state_dir is not None else None
        http = Connection(
            Address.of(url, token) if url else None,
            timeout=timeout,
            headers=headers or {},
            control_wait=control_wait,
            transport=transport,
            start=lambda: EmbeddedBox(box or (), kept),
        )
        super().__init__(http)
        self.sessions = Sessions(http)
        self.profiles = Profiles(http)
        self.keys = Keys(http)
        self.sign_ins = SignIns(http)
        self.webhooks = Webhooks(http)
        self.records = Records(http)
        self.administration = Administration(http)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
