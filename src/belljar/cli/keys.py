"""`belljar keys`: API keys of a control plane, made on its own host, in its own database."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from belljar.cli.api import AsJson, fail
from belljar.cli.sessions import _age, _print_table

if TYPE_CHECKING:
    from belljar.plane.access.credentials import Credentials
    from belljar.plane.registry import KeyRow, Registry
    from belljar.wire.access import ApiKey

Found = TypeVar("Found")

app = typer.Typer(
    help="API keys of the control plane on this host.\n\nExample:  belljar keys new --user ann", no_args_is_help=True
)

StateDir = Annotated[Path | None, typer.Option(help="The control plane's state folder.")]
DatabaseUrl = Annotated[str | None, typer.Option(help="The control plane's database.")]


@app.command("new")
def new(
    user: Annotated[str, typer.Option(help="Whom the key belongs to.")],
    role: Annotated[str, typer.Option(help="user or admin.")] = "user",
    name: Annotated[str, typer.Option(help="What the key is for.")] = "",
    max_sessions: Annotated[int | None, typer.Option(help="Most sessions at a time, instead of the setting.")] = None,
    max_ttl: Annotated[int | None, typer.Option(help="Largest ttl in seconds.")] = None,
    as_json: AsJson = False,
    state_dir: StateDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make a key and print it; it is not shown again.

    Example:  belljar keys new --user ann --role admin
    """
    from pydantic import ValidationError

    from belljar.wire.access import CreateKey

    try:
        wanted = CreateKey.model_validate(
            {"user": user, "role": role, "name": name, "maxSessions": max_sessions, "maxTtl": max_ttl}
        )
    except ValidationError as error:
        fail("; ".join(f"{e['loc'][0]}: {e['msg']}" for e in error.errors(include_input=False)), 2)

    async def make(credentials: "Credentials", _: "Registry") -> "tuple[str, KeyRow]":
        return await credentials.make_key(wanted, actor="cli")

    key, row = _with_registry(state_dir, database_url, make)
    typer.echo(json.dumps({"id": row.id, "user": row.user_id, "role": row.role, "key": key}) if as_json else key)


@app.command("ls")
def ls(as_json: AsJson = False, state_dir: StateDir = None, database_url: DatabaseUrl = None) -> None:
    """List keys, without their secrets.

    Example:  belljar keys ls
    """
    from belljar.plane.views import key_view

    async def read(_: "Credentials", registry: "Registry") -> "list[ApiKey]":
        return [key_view(row) for row in await registry.keys.list()]

    keys = _with_registry(state_dir, database_url, read)
    if as_json:
        shown = [key.model_dump(mode="json", by_alias=True, exclude_none=True) for key in keys]
        typer.echo(json.dumps(shown, indent=2))
        return
    rows = [
        (
            key.id,
            key.user,
            key.role,
            key.name,
            _age(key.created_at.isoformat()),
            "never" if key.last_used_at is None else _age(key.last_used_at.isoformat()),
            "revoked" if key.revoked_at else "",
        )
        for key in keys
    ]
    _print_table(("ID", "USER", "ROLE", "NAME", "AGE", "USED", ""), rows)


@app.command("revoke")
def revoke(
    id: Annotated[str, typer.Argument(help="The key's id, as `ls` shows it.")],
    state_dir: StateDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make a key worthless; its open connections are closed within two seconds.

    Example:  belljar keys revoke 0123456789ab
    """

    async def end(_: "Credentials", registry: "Registry") -> bool:
        return await registry.keys.revoke(id, actor="cli") is not None

    if not _with_registry(state_dir, database_url, end):
        fail(f"There is no key {id}.", 1)


def _with_registry(
    state_dir: Path | None, database_url: str | None, do: "Callable[[Credentials, Registry], Awaitable[Found]]"
) -> Found:
    """Imports stand here so that `belljar --help` stays quick."""
    import anyio
    from sqlalchemy.exc import SQLAlchemyError

    from belljar.plane.access.credentials import Credentials
    from belljar.plane.access.secrets import MasterKeyError, load_master_key
    from belljar.plane.registry import open_registry
    from belljar.plane.settings import PlaneSettings

    given: dict[str, object] = {"state_dir": state_dir, "database_url": database_url}
    settings = PlaneSettings(**{name: value for name, value in given.items() if value is not None})

    async def run() -> Found:
        master = load_master_key(settings.master_key)
        async with open_registry(settings.database) as registry:
            return await do(Credentials(registry, master), registry)

    try:
        return anyio.run(run)
    except (SQLAlchemyError, MasterKeyError, OSError) as error:
        fail(f"Cannot use the control plane's database: {str(error).splitlines()[0]}", 2)
