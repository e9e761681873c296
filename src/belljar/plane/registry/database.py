"""The connection to SQLite or PostgreSQL, transactions on it, and its migrations."""

import fcntl
import logging
import os
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import anyio
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event, insert, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    DatabaseError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from belljar.logs import log
from belljar.plane.registry.protocol import check_none_older
from belljar.plane.registry.schema import installation
from belljar.problems import InvalidRequest
from belljar.problems.plane import DatabaseUnavailable
from belljar.state import make_private_file, shut_to_others

# Names of advisory locks, which PostgreSQL has by number.
_MIGRATING, _ADMITTING = 0x62656C6A, 0x62656C6B

# Bytes of SQLite's files that are kept free; more than its log has when it is begun anew, at a thousand pages.
_RESERVE = 5 << 20
_RESERVE_EVERY = 60.0

# How long a transaction may take, the waits for a connection and for other writers included, unless a setting says
# otherwise: a database that has stopped holds up nobody for longer.
PATIENCE = 10.0
# Shares of it.  SQLite says itself that it is locked, a moment earlier; so long may a control plane that was paused
# within a transaction hold up the others; a statement that nobody waits for ends a moment later.
_BUSY, _LEFT_OPEN, _COMMAND = 0.8, 0.8, 1.5
# What a caller that was refused should wait before it asks again.
_RETRY_SECONDS = 2
# Schemas change once, and then whoever starts meanwhile waits.
_MIGRATION_SECONDS = 60.0

# Classes of PostgreSQL's codes: connection, transaction left open, conflict with others, want of resources, want of a
# lock, an operator's doing, the system's failure.
_OUTAGES = ("08", "25P03", "40", "53", "55P03", "57", "58")
# PostgreSQL's code for text that is none in its encoding: with NUL in it.
_NO_TEXT = "22021"

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


class Database:
    """`read` for looking, `write` for changing; a block is one transaction.

    Cancelling waits for its end: half-way the driver would have to throw the connection away, and whoever was told to
    keep something would not know whether it was kept.
    """

    def __init__(self, engine: AsyncEngine, patience: float) -> None:
        self._engine = engine
        self._patience = patience
        # Since when it takes nothing, or gives nothing (monotonic): a locked SQLite can be read all the same.
        self._silent_since: dict[str, float] = {}
        self._has_grown_log = False

    @property
    def is_sqlite(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    @property
    def is_away(self) -> bool:
        """Whether what was last written to it was not taken."""
        return "write" in self._silent_since

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Raises `DatabaseUnavailable` when it takes longer than it may."""
        async with self._answering("read", self._patience), self._engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def write(self, within: float | None = None) -> AsyncIterator[AsyncConnection]:
        """SQLite's writers wait for each other at the beginning, not with an error at the end.

        After `DatabaseUnavailable` it may have been done or not: what was asked for is to be looked at again.
        """
        async with self._answering("write", within or self._patience), self._engine.connect() as connection:
            connection = await connection.execution_options(belljar_writes=True)
            async with connection.begin():
                yield connection

    @asynccontextmanager
    async def _answering(self, what: str, within: float) -> AsyncIterator[None]:
        """The only place that tells an outage from other faults, so that every use of the database does."""
        try:
            with anyio.fail_after(within, shield=True):
                yield
        except Exception as error:
            if is_about_text(error):
                raise InvalidRequest("Text that is looked for or kept may not have NUL in it.") from error
            if not is_outage(error):
                raise
            self._note_silence(what, error)
            raise DatabaseUnavailable(
                "The database does not answer; nothing is wrong with the request, so send it again in a moment.",
                headers={"Retry-After": str(_RETRY_SECONDS)},
                retry_after_ms=_RETRY_SECONDS * 1000,
            ) from error
        if (since := self._silent_since.pop(what, None)) is not None:
            log.info("database.back", to=what, after_s=round(time.monotonic() - since, 1))

    def _note_silence(self, what: str, error: Exception) -> None:
        """Said once: while it lasts every request would say it."""
        if what not in self._silent_since:
            self._silent_since[what] = time.monotonic()
            why = str(error).splitlines()[0] if str(error) else "no answer in time"
            log.error("database.unavailable", to=what, error=f"{type(error).__name__}: {why}")

    @asynccontextmanager
    async def admission(self) -> AsyncIterator[AsyncConnection]:
        """A `write` that only one control plane is in at a time, for counting and then adding."""
        async with self.write() as connection:
            if not self.is_sqlite:
                await connection.execute(text(f"select pg_advisory_xact_lock({_ADMITTING})"))
            yield connection

    async def migrate(self) -> None:
        """Bring the schema up to date; of two control planes that start at once, one does and the other waits."""
        async with self.write(_MIGRATION_SECONDS) as connection:
            if not self.is_sqlite:
                await connection.execute(text(f"set local lock_timeout = {round(_MIGRATION_SECONDS * 1000)}"))
                await connection.execute(text(f"select pg_advisory_xact_lock({_MIGRATING})"))
            await connection.run_sync(_upgrade)

    async def reserve_space(self) -> None:
        """Keep free pages in SQLite's own files, so that a disk that others fill does not stop us.

        What is written, checkpointed and then dropped leaves pages that belong to the database, and a write-ahead log
        that is used again from its beginning: neither needs the disk any more.  PostgreSQL's disk is its own.
        """
        if not self.is_sqlite or not await self._is_short_of_pages():
            return
        try:
            async with self.write() as connection:
                await connection.execute(text("drop table if exists space"))
                await connection.execute(text("create table space (kept blob)"))
                await connection.execute(text(f"insert into space values (zeroblob({_RESERVE}))"))
            async with self._engine.connect() as connection:
                # By itself: there is no checkpoint within a transaction.
                await connection.run_sync(_checkpoint)
            async with self.write() as connection:
                await connection.execute(text("drop table space"))
        except (DatabaseUnavailable, OperationalError) as error:
            # The disk is full by now, or another writes: what is there has to do.
            log.warning("database.no_reserve", error=str(error))
        else:
            self._has_grown_log = True

    async def keep_reserve(self) -> None:
        """Runs as long as the control plane: what was used up while the disk was full is kept anew."""
        while True:
            await anyio.sleep(_RESERVE_EVERY)
            try:
                await self.reserve_space()
            except DatabaseUnavailable:
                # It is told when it is away, and when it is back.
                continue

    async def _is_short_of_pages(self) -> bool:
        """The log is as short as it was written to since the first of our connections."""
        if not self._has_grown_log:
            return True
        async with self.read() as connection:
            pages = await connection.scalar(text("pragma freelist_count"))
            size = await connection.scalar(text("pragma page_size"))
        return int(pages or 0) * int(size or 0) < _RESERVE // 2

    async def installation(self) -> str:
        """The id of this installation, made when first asked for."""
        async with self.read() as connection:
            if found := await connection.scalar(select(installation.c.id)):
                return str(found)
        async with self.admission() as connection:
            if found := await connection.scalar(select(installation.c.id)):
                return str(found)
            new = secrets.token_hex(8)
            await connection.execute(insert(installation).values(id=new))
            return new


@asynccontextmanager
async def open_database(url: str, patience: float = PATIENCE) -> AsyncIterator[Database]:
    parsed = make_url(url)
    parsed = parsed.set(drivername=_DRIVERS.get(parsed.drivername, parsed.drivername))
    options = {} if parsed.get_backend_name() == "sqlite" else _postgres_options(patience)
    # An outage is said once, here; the pool would show a traceback for each connection that it gives up.
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)
    engine = create_async_engine(parsed, pool_timeout=patience, **options)
    if engine.dialect.name == "sqlite":
        _set_up_sqlite(engine, _BUSY * patience)
        await anyio.to_thread.run_sync(_keep_a_write_ahead_log, Path(parsed.database or ""), _BUSY * patience)
    database = Database(engine, patience)
    try:
        await database.migrate()
        yield database
    finally:
        with anyio.move_on_after(5, shield=True):
            await engine.dispose()


def is_outage(error: Exception) -> bool:
    """Whether a transaction failed for the database's sake (away, stopped, locked, full) and not for ours."""
    if isinstance(error, DBAPIError):
        if isinstance(error, (OperationalError, InterfaceError, InternalError)) or error.connection_invalidated:
            return True
        # SQLite's word for a file that is none of its own.
        is_unreadable = type(error) is DatabaseError
        return is_unreadable or str(getattr(error.orig, "sqlstate", None) or "").startswith(_OUTAGES)
    # The driver's own words come through unchanged while a connection is made.
    return isinstance(error, (OSError, PoolTimeout)) or type(error).__module__.partition(".")[0] == "asyncpg"


def is_about_text(error: Exception) -> bool:
    """Whether PostgreSQL was given text that it can neither keep nor compare: what only callers can have sent."""
    return isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) == _NO_TEXT


def is_taken(error: IntegrityError) -> bool:
    """Whether an insert failed because its id, or another unique value, is there already."""
    words = str(error.orig).lower()
    return "unique" in words


def _postgres_options(patience: float) -> dict[str, object]:
    """Bounds on both sides: for us should the server stop, for the others should we, within a transaction of ours."""
    left_open, lock = f"{_LEFT_OPEN * patience * 1000:.0f}ms", f"{patience * 1000:.0f}ms"
    settings = {"idle_in_transaction_session_timeout": left_open, "lock_timeout": lock}
    connect = {"timeout": patience, "command_timeout": _COMMAND * patience, "server_settings": settings}
    return {"pool_size": 8, "max_overflow": 8, "pool_pre_ping": True, "connect_args": connect}


def _keep_a_write_ahead_log(path: Path, busy_seconds: float) -> None:
    """Blocks.  The file remembers it, so only the first opening changes anything.

    SQLite does not wait for others here as it does elsewhere: of two that change it at once one is told that it is
    locked.  So they take turns, by the folder: closing a descriptor of the file itself would drop SQLite's own locks.
    """
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        # Users, sessions and the audit log are in it.  SQLite gives its log and index the mode of the database.
        make_private_file(path)
        for suffix in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                shut_to_others(path.with_name(path.name + suffix))
        with closing(sqlite3.connect(path, timeout=busy_seconds)) as connection:
            connection.execute("pragma journal_mode=wal")
    except sqlite3.Error as error:
        raise OSError(f"{path}: {error}") from error
    finally:
        os.close(folder)


def _set_up_sqlite(engine: AsyncEngine, busy_seconds: float) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: Any, _: object) -> None:
        # The driver's own idea of when a transaction begins would let two writers deadlock.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("synchronous=normal", f"busy_timeout={round(busy_seconds * 1000)}", "foreign_keys=on"):
            cursor.execute(f"pragma {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("belljar_writes")
        connection.exec_driver_sql("begin immediate" if writes else "begin")


def _checkpoint(connection: Connection) -> None:
    # The driver's own connection: SQLAlchemy would begin a transaction first.
    connection.connection.cursor().execute("pragma wal_checkpoint(passive)")


def migrations(connection: Connection) -> Config:
    """What Alembic's commands take."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection) -> None:
    config = migrations(connection)
    head = ScriptDirectory.from_config(config).get_current_head()
    if MigrationContext.configure(connection).get_current_revision() not in (None, head):
        check_none_older(connection)
    command.upgrade(config, "head")
