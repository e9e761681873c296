"""`belljar serve`: the control plane."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from belljar.cli.box import _fail, _url


def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on. [default: 127.0.0.1]", show_default=False)
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="Port; 0 takes a free one. [default: 2468]", show_default=False)
    ] = None,
    state_dir: Annotated[Path | None, typer.Option(help="Folder for what outlives the process.")] = None,
    log_format: Annotated[str | None, typer.Option(help="auto, json or console.")] = None,
    log_level: Annotated[str | None, typer.Option(help="debug, info, warning or error.")] = None,
    allowed_host: Annotated[
        list[str] | None, typer.Option(help="Another Host name a loopback server answers for.")
    ] = None,
    cors_origin: Annotated[
        list[str] | None, typer.Option(help="A web origin whose pages may call this server.")
    ] = None,
    max_body: Annotated[int | None, typer.Option(help="Largest request body in bytes.")] = None,
    public_url: Annotated[str | None, typer.Option(help="Where callers reach this server.")] = None,
    trusted_proxy: Annotated[
        list[str] | None, typer.Option(help="A proxy's address whose X-Forwarded-* headers are believed.")
    ] = None,
    database_url: Annotated[str | None, typer.Option(help="postgresql://… or sqlite:///…")] = None,
    master_key_file: Annotated[Path | None, typer.Option(help="The master key; made if it is not there.")] = None,
    host_name: Annotated[str | None, typer.Option(help="This host's name among control planes.")] = None,
    peer_url: Annotated[str | None, typer.Option(help="Where control planes on other hosts reach this one.")] = None,
    ttl: Annotated[int | None, typer.Option(help="Seconds a session lives. [default: 3600]")] = None,
    max_ttl: Annotated[int | None, typer.Option(help="Largest ttl. [default: 86400]")] = None,
    idle_timeout: Annotated[
        int | None, typer.Option(help="Seconds without activity until a session ends. [default: 600]")
    ] = None,
    watching_counts: Annotated[
        bool | None, typer.Option("--watching-counts", help="An open stream alone is activity.")
    ] = None,
    max_sessions: Annotated[int | None, typer.Option(help="Most sessions in all. [default: 100]")] = None,
    max_sessions_per_user: Annotated[int | None, typer.Option(help="Most sessions of a user. [default: 5]")] = None,
    queue_wait: Annotated[float | None, typer.Option(help="Seconds to wait for room. [default: 30]")] = None,
    queue_length: Annotated[int | None, typer.Option(help="Most that wait. [default: 100]")] = None,
    memory_per_session: Annotated[
        int | None, typer.Option(help="Megabytes that must be free for one more. [default: 350]")
    ] = None,
    memory_reserve: Annotated[int | None, typer.Option(help="Megabytes that stay free. [default: 300]")] = None,
    start_timeout: Annotated[float | None, typer.Option(help="Seconds a box may take to start. [default: 60]")] = None,
    pool_size: Annotated[int | None, typer.Option(help="Boxes started ahead of need. [default: 0]")] = None,
    pool_mode: Annotated[str | None, typer.Option(help="What runs in warm boxes: browser or none.")] = None,
    headless: Annotated[bool | None, typer.Option("--headless", help="Warm boxes are headless.")] = None,
    width: Annotated[int | None, typer.Option(help="Width of warm boxes. [default: 1280]")] = None,
    height: Annotated[int | None, typer.Option(help="Height of warm boxes. [default: 720]")] = None,
    jail: Annotated[str | None, typer.Option(help="How boxes confine what they start. [default: auto]")] = None,
    egress: Annotated[str | None, typer.Option(help="Where boxes may connect to. [default: public]")] = None,
    allow: Annotated[list[str] | None, typer.Option(help="A host, or host:port, that boxes may reach too.")] = None,
    gateway_timeout: Annotated[
        float | None, typer.Option(help="Seconds a box may take to begin an answer. [default: 300]")
    ] = None,
    retain: Annotated[float | None, typer.Option(help="Days that what is over is kept. [default: 7]")] = None,
    drain: Annotated[float | None, typer.Option(help="Seconds open requests may take. [default: 30]")] = None,
    keep_sessions: Annotated[
        bool | None, typer.Option("--keep-sessions", help="Leave boxes running at the end.")
    ] = None,
) -> None:
    """Run the control plane: sessions, each in a box of its own, behind API keys, with a dashboard.

    The first start makes an admin's key and prints it once. Every option is also a variable, such as BELLJAR_PORT.

    Example:  belljar serve --port 8080 --pool-size 2
    """
    given = {name: value for name, value in locals().items() if value is not None}
    renamed = {"allowed_host": "allowed_hosts", "cors_origin": "cors_origins", "trusted_proxy": "trusted_proxies"}
    _run({renamed.get(name, name): value for name, value in given.items()})


def _run(given: dict[str, Any]) -> None:
    """Imports stand here so that `belljar --help` stays quick."""
    import anyio

    from belljar.asgi.logs import set_up_logs
    from belljar.asgi.serving import CannotListen, bind, serve
    from belljar.control.app import create_app
    from belljar.control.first import DatabaseUnavailable, prepare
    from belljar.control.secrets import MasterKeyError, load_master_key
    from belljar.control.settings import ControlSettings

    try:
        settings = ControlSettings(**given)
    except ValidationError as error:
        _fail("; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_input=False)))
    set_up_logs(settings.log_format, settings.log_level)
    try:
        master = load_master_key(settings.master_key)
        listener = bind(settings.host, settings.port)
        welcome = anyio.run(prepare, settings, master)
    except (MasterKeyError, CannotListen, DatabaseUnavailable) as error:
        _fail(str(error))
    url = settings.public_url or _url(listener)
    application = create_app(settings, master)

    def announce() -> None:
        _announce(url, welcome.new_key, welcome.ticket)

    if not serve(
        application.app, listener, on_listening=announce, on_stopping=application.stopping.set, drain=settings.drain
    ):
        raise typer.Exit(1)


def _announce(url: str, new_key: str | None, ticket: str | None) -> None:
    """Standard output is for people; logs go to standard error."""
    out = sys.stdout
    out.write(f"Belljar listens on {url}\n")
    if new_key is not None:
        out.write(f"Admin key, shown this once: {new_key}\n")
        out.write(f"\nTry:  curl -X POST -H 'Authorization: Bearer {new_key}' {url}/api/sessions\n")
    if ticket is not None:
        out.write(f"\nDashboard, signed in once by this link: {url}/sign-in?ticket={ticket}\n")
    out.flush()
