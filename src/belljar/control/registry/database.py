"""The connection to SQLite or PostgreSQL, transactions on it, and its migrations."""

import fcntl
import os
import secrets
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import anyio
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event, insert, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from belljar.control.registry.schema import installation
from belljar.state import make_private_file, shut_to_others

# Names of advisory locks, which PostgreSQL has by number.
_MIGRATING, _ADMITTING = 0x62656C6A, 0x62656C6B

# How long a transaction may take, the wait for other writers included.
_PATIENCE = 30.0

_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


class Database:
    """`read` for looking, `write` for changing; a block is one transaction.

    Cancelling waits for its end: half-way the driver would have to throw the connection away, and whoever was told to
    keep something would not know whether it was kept.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @property
    def is_sqlite(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        with anyio.fail_after(_PATIENCE, shield=True):
            async with self._engine.connect() as connection:
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """SQLite's writers wait for each other at the beginning, not with an error at the end."""
        with anyio.fail_after(_PATIENCE, shield=True):
            async with self._engine.connect() as connection:
                connection = await connection.execution_options(belljar_writes=True)
                async with connection.begin():
                    yield connection

    @asynccontextmanager
    async def admission(self) -> AsyncIterator[AsyncConnection]:
        """A `write` that only one control plane is in at a time, for counting and then adding."""
        async with self.write() as connection:
            if not self.is_sqlite:
                await connection.execute(text(f"select pg_advisory_xact_lock({_ADMITTING})"))
            yield connection

    async def migrate(self) -> None:
        """Bring the schema up to date; of two control planes that start at once, one does and the other waits."""
        async with self.write() as connection:
            if not self.is_sqlite:
                await connection.execute(text(f"select pg_advisory_xact_lock({_MIGRATING})"))
            await connection.run_sync(_upgrade)

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
async def open_database(url: str) -> AsyncIterator[Database]:
    parsed = make_url(url)
    parsed = parsed.set(drivername=_DRIVERS.get(parsed.drivername, parsed.drivername))
    options: dict[str, Any] = {"pool_size": 8, "max_overflow": 8} if parsed.get_backend_name() != "sqlite" else {}
    engine = create_async_engine(parsed, pool_pre_ping=parsed.get_backend_name() != "sqlite", **options)
    if engine.dialect.name == "sqlite":
        _set_up_sqlite(engine)
        await anyio.to_thread.run_sync(_keep_a_write_ahead_log, Path(parsed.database or ""))
    database = Database(engine)
    try:
        await database.migrate()
        yield database
    finally:
        with anyio.move_on_after(5, shield=True):
            await engine.dispose()


def is_taken(error: IntegrityError) -> bool:
    """Whether an insert failed because its id, or another unique value, is there already."""
    words = str(error.orig).lower()
    return "unique" in words


def _keep_a_write_ahead_log(path: Path) -> None:
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
        with closing(sqlite3.connect(path, timeout=_PATIENCE)) as connection:
            connection.execute("pragma journal_mode=wal")
    except sqlite3.Error as error:
        raise OSError(f"{path}: {error}") from error
    finally:
        os.close(folder)


def _set_up_sqlite(engine: AsyncEngine) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def connected(connection: Any, _: object) -> None:
        # The driver's own idea of when a transaction begins would let two writers deadlock.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("synchronous=normal", "busy_timeout=10000", "foreign_keys=on"):
            cursor.execute(f"pragma {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begun(connection: Connection) -> None:
        writes = connection.get_execution_options().get("belljar_writes")
        connection.exec_driver_sql("begin immediate" if writes else "begin")


def migrations(connection: Connection) -> Config:
    """What Alembic's commands take."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    return config


def _upgrade(connection: Connection) -> None:
    command.upgrade(migrations(connection), "head")
