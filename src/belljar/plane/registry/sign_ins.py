"""Sign-ins at rest: browsers in which people are signed in, apps that act for them, and the digests of what they show.

Each goes back to a key, and ends with it; so do the tokens and tickets that were made by way of a sign-in.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from belljar.plane.registry.database import Database
from belljar.plane.registry.events import record
from belljar.plane.registry.keys import KeyRow, key_row
from belljar.plane.registry.schema import keys, oauth_clients, sign_in_secrets, sign_ins, tokens
from belljar.plane.registry.tokens import OriginRevoked, revoke_of_sign_in
from belljar.wire.access import SignInKind, SignInVia
from belljar.wire.sessions import TokenRole

# How long an ended one can still be read of, and a spent secret be known again.
_KEPT_SECONDS = 86_400.0
_UNUSED_CLIENT_SECONDS = 86_400.0
_LEFT_CLIENT_SECONDS = 90 * 86_400.0


class SecretUse(StrEnum):
    """The one thing a secret of a sign-in is good for."""

    COOKIE = "cookie"  # a browser's requests
    CODE = "code"  # an app's first tokens, once
    ACCESS = "access"  # an app's requests of /mcp
    REFRESH = "refresh"  # an app's next tokens, once


@dataclass(frozen=True)
class SignInRow:
    id: str
    kind: SignInKind
    user_id: str
    key_id: str
    via: SignInVia
    name: str
    address: str
    created_at: float
    seen_at: float
    expires_at: float
    role: TokenRole | None = None
    client_id: str | None = None
    resource: str | None = None
    redirect_uri: str | None = None
    challenge: str | None = None
    id_token: str | None = None
    revoked_at: float | None = None


@dataclass(frozen=True)
class SecretRow:
    digest: str
    sign_in_id: str
    use: SecretUse
    expires_at: float
    spent_at: float | None = None


@dataclass(frozen=True)
class FoundSecret:
    """A secret, whose it is, and the key that it goes back to."""

    secret: SecretRow
    sign_in: SignInRow
    key: KeyRow

    @property
    def is_over(self) -> bool:
        """Whether what it belongs to has ended, whatever the secret's own time."""
        return self.sign_in.revoked_at is not None or self.key.revoked_at is not None


@dataclass(frozen=True)
class ClientRow:
    """An app that registered itself."""

    id: str
    name: str
    redirect_uris: list[str]
    auth_method: str
    created_at: float
    secret_digest: str | None = None
    used_at: float | None = None
    address: str | None = None


class TooManyClients(Exception):
    """No further app can register itself until others are forgotten."""


# In the order in which `by_secret` reads them.
_SHOWN = (sign_in_secrets, sign_ins, keys)
_FIELDS = [one.name for one in fields(SignInRow)]


class SignIns:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, row: SignInRow, secrets: Collection[SecretRow]) -> None:
        """Raises `OriginRevoked` where its key is not good any more."""
        async with self._database.write() as connection:
            good = select(keys.c.id).where(keys.c.id == row.key_id, keys.c.revoked_at.is_(None))
            if (await connection.execute(good.with_for_update(read=True))).first() is None:
                raise OriginRevoked
            await connection.execute(insert(sign_ins).values(**vars(row)))
            await connection.execute(insert(sign_in_secrets), [vars(secret) for secret in secrets])
            await record(connection, f"{_word(row)}.made", actor=row.user_id, user_id=row.user_id, detail=_about(row))
            if row.client_id is not None:
                used = update(oauth_clients).where(oauth_clients.c.id == row.client_id)
                await connection.execute(used.values(used_at=row.created_at))

    async def by_secret(self, digest: str, use: SecretUse) -> FoundSecret | None:
        """Whatever has become of it: who asks looks at its time, and at what it belongs to."""
        which = (sign_in_secrets.c.digest == digest) & (sign_in_secrets.c.use == use)
        whole = sign_ins.join(sign_in_secrets, sign_ins.c.id == sign_in_secrets.c.sign_in_id)
        whole = whole.join(keys, keys.c.id == sign_ins.c.key_id)
        named = [column.label(f"{table.name}.{column.name}") for table in _SHOWN for column in table.c]
        async with self._database.read() as connection:
            found = (await connection.execute(select(*named).select_from(whole).where(which))).first()
        if found is None:
            return None
        secret, sign_in, key = (
            {column.name: found._mapping[f"{t.name}.{column.name}"] for column in t.c} for t in _SHOWN
        )
        return FoundSecret(SecretRow(**secret | {"use": use}), _row(sign_in), key_row(key))

    async def get(self, id: str) -> SignInRow | None:
        async with self._database.read() as connection:
            found = (await connection.execute(select(sign_ins).where(sign_ins.c.id == id))).first()
        return None if found is None else _row(found._mapping)

    async def list(self, user_id: str | None, kind: SignInKind | None, limit: int) -> Sequence[SignInRow]:
        """Those that are good now, newest first.  An app that was let in and has not fetched its tokens is not."""
        used = select(sign_in_secrets.c.sign_in_id).where(sign_in_secrets.c.use != SecretUse.CODE)
        query = select(sign_ins).where(
            sign_ins.c.revoked_at.is_(None), sign_ins.c.expires_at > time.time(), sign_ins.c.id.in_(used)
        )
        if user_id is not None:
            query = query.where(sign_ins.c.user_id == user_id)
        if kind is not None:
            query = query.where(sign_ins.c.kind == kind)
        async with self._database.read() as connection:
            found = await connection.execute(query.order_by(sign_ins.c.created_at.desc()).limit(limit))
            return [_row(one._mapping) for one in found]

    async def count_of_key(self, key_id: str) -> int:
        """Browsers and apps that are in by a key."""
        good = (sign_ins.c.key_id == key_id, sign_ins.c.revoked_at.is_(None), sign_ins.c.expires_at > time.time())
        async with self._database.read() as connection:
            return int(await connection.scalar(select(func.count()).select_from(sign_ins).where(*good)) or 0)

    async def over(self, ids: Collection[str]) -> frozenset[str]:
        """Those of `ids` that are not good any more."""
        if not ids:
            return frozenset()
        query = select(sign_ins.c.id).where(
            sign_ins.c.id.in_(ids), sign_ins.c.revoked_at.is_(None), sign_ins.c.expires_at > time.time()
        )
        async with self._database.read() as connection:
            return frozenset(ids) - frozenset(await connection.scalars(query))

    async def of_tokens(self, token_ids: Collection[str]) -> frozenset[str]:
        """The sign-ins that session tokens go back to."""
        if not token_ids:
            return frozenset()
        query = select(tokens.c.sign_in_id).where(tokens.c.id.in_(token_ids), tokens.c.sign_in_id.is_not(None))
        async with self._database.read() as connection:
            return frozenset(await connection.scalars(query))

    async def touch(self, seen: Mapping[str, float]) -> None:
        """Note when each was last seen; what another control plane saw later stands."""
        async with self._database.write() as connection:
            for id, at in seen.items():
                later = (sign_ins.c.id == id) & (sign_ins.c.seen_at < at)
                await connection.execute(update(sign_ins).where(later).values(seen_at=at))

    async def past(self, idle_since: float) -> Sequence[str]:
        """Those whose time is over, and browsers that were last seen before `idle_since`."""
        is_idle = (sign_ins.c.kind == SignInKind.BROWSER) & (sign_ins.c.seen_at < idle_since)
        query = select(sign_ins.c.id).where(
            sign_ins.c.revoked_at.is_(None), or_(sign_ins.c.expires_at <= time.time(), is_idle)
        )
        async with self._database.read() as connection:
            return (await connection.scalars(query.limit(500))).all()

    async def end(
        self, id: str, *, actor: str, why: str, idle_since: float | None = None
    ) -> Sequence[tuple[str, str]] | None:
        """The sessions' tokens that went with it: (session, token).  None where there is none such; twice is fine.

        With `idle_since` only if it was not seen again since, or its time is over.
        """
        async with self._database.write() as connection:
            found = (await connection.execute(select(sign_ins).where(sign_ins.c.id == id))).first()
            if found is None:
                return None
            good = (sign_ins.c.id == id) & sign_ins.c.revoked_at.is_(None)
            if idle_since is not None:
                good &= or_(sign_ins.c.seen_at < idle_since, sign_ins.c.expires_at <= time.time())
            now = time.time()
            done = await connection.execute(update(sign_ins).where(good).values(revoked_at=now, id_token=None))
            if done.rowcount == 0:
                return ()
            row = _row(found._mapping)
            detail = {**_about(row), "why": why}
            await record(connection, f"{_word(row)}.ended", actor=actor, user_id=row.user_id, detail=detail)
            return await revoke_of_sign_in(connection, id)

    async def exchange(
        self, spent: SecretRow, secrets: Collection[SecretRow], *, expires_at: float, seen_at: float
    ) -> bool:
        """New secrets for one that is spent by this; False where it was spent, or what it belongs to ended, before."""
        async with self._database.write() as connection:
            good = select(sign_ins.c.id).where(sign_ins.c.id == spent.sign_in_id, sign_ins.c.revoked_at.is_(None))
            if (await connection.execute(good.with_for_update())).first() is None:
                return False
            unspent = (sign_in_secrets.c.digest == spent.digest) & sign_in_secrets.c.spent_at.is_(None)
            done = await connection.execute(update(sign_in_secrets).where(unspent).values(spent_at=seen_at))
            if done.rowcount != 1:
                return False
            await connection.execute(insert(sign_in_secrets), [vars(secret) for secret in secrets])
            later = update(sign_ins).where(sign_ins.c.id == spent.sign_in_id)
            await connection.execute(later.values(expires_at=expires_at, seen_at=seen_at))
            return True

    async def add_client(self, row: ClientRow, most: int, most_unused: int) -> None:
        """Raises `TooManyClients`.

        One that nobody let in makes room, the oldest first: of the same address where that has `most_unused` of them,
        of any where there are `most` in all.  One that somebody let in never does.
        """
        unused = oauth_clients.c.used_at.is_(None)
        async with self._database.admission() as connection:
            await _make_room(connection, unused & (oauth_clients.c.address == row.address), most_unused)
            many = int(await connection.scalar(select(func.count()).select_from(oauth_clients)) or 0)
            let_in = int(await connection.scalar(select(func.count()).where(~unused)) or 0)
            if let_in >= most:
                raise TooManyClients
            if many >= most:
                await _make_room(connection, unused, most - let_in)
            await connection.execute(insert(oauth_clients).values(**vars(row)))
            detail = {"clientId": row.id, "name": row.name}
            await record(connection, "app.registered", actor="anybody", detail=detail)

    async def client(self, id: str) -> ClientRow | None:
        async with self._database.read() as connection:
            found = (await connection.execute(select(oauth_clients).where(oauth_clients.c.id == id))).first()
        return None if found is None else ClientRow(**found._mapping)

    async def forget(self) -> None:
        """What ended a day ago; secrets whose time has passed; apps that nobody lets in, or has let in for long."""
        now = time.time()
        async with self._database.write() as connection:
            past = or_(sign_ins.c.revoked_at < now - _KEPT_SECONDS, sign_ins.c.expires_at < now - _KEPT_SECONDS)
            await connection.execute(delete(sign_ins).where(past))
            gone = sign_in_secrets.c.sign_in_id.not_in(select(sign_ins.c.id))
            old = sign_in_secrets.c.expires_at < now - _KEPT_SECONDS
            await connection.execute(delete(sign_in_secrets).where(or_(gone, old)))
            await _forget_clients(connection, now)


async def _make_room(connection: AsyncConnection, which: ColumnElement[bool], most: int) -> None:
    """So that one more makes no more than `most`."""
    newest = select(oauth_clients.c.id).where(which).order_by(oauth_clients.c.created_at.desc()).limit(most - 1)
    await connection.execute(delete(oauth_clients).where(which, oauth_clients.c.id.not_in(newest)))


async def _forget_clients(connection: AsyncConnection, now: float) -> None:
    in_use = select(sign_ins.c.client_id).where(sign_ins.c.client_id.is_not(None), sign_ins.c.revoked_at.is_(None))
    unused = oauth_clients.c.used_at.is_(None) & (oauth_clients.c.created_at < now - _UNUSED_CLIENT_SECONDS)
    left = (oauth_clients.c.used_at < now - _LEFT_CLIENT_SECONDS) & oauth_clients.c.id.not_in(in_use)
    await connection.execute(delete(oauth_clients).where(or_(unused, left)))


def _word(row: SignInRow) -> str:
    return "app" if row.kind is SignInKind.APP else "signin"


def _about(row: SignInRow) -> dict[str, object]:
    said = {"signInId": row.id, "via": row.via, "name": row.name, "address": row.address}
    return said | ({} if row.client_id is None else {"clientId": row.client_id, "role": row.role})


def _row(found: Mapping[Any, Any]) -> SignInRow:
    row = {name: found[name] for name in _FIELDS}
    role = None if row["role"] is None else TokenRole(row["role"])
    return SignInRow(**row | {"kind": SignInKind(row["kind"]), "via": SignInVia(row["via"]), "role": role})
