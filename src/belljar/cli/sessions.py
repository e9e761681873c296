"""`belljar sessions`: start, see and end sessions of a control plane."""

import json
import time
import webbrowser
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import quote

import typer

from belljar.cli.api import DEFAULT_SERVER, Api, AsJson, KeyFile, Server, fail

app = typer.Typer(
    help="Start, see and end sessions of a control plane.\n\nExample:  belljar sessions new --url https://example.com",
    no_args_is_help=True,
)

_ON_THEIR_WAY = {"pending": "Waiting for room…", "starting": "Starting a session…"}
_LOOK_SECONDS = 0.2

Id = Annotated[str, typer.Argument(help="The session's id.")]


@app.command("new")
def new(
    url: Annotated[str | None, typer.Option(help="The page to open first.")] = None,
    id: Annotated[str | None, typer.Option(help="An id of your own choice.")] = None,
    mode: Annotated[str, typer.Option(help="browser, desktop or none.")] = "browser",
    headless: Annotated[bool, typer.Option("--headless", help="Without a display.")] = False,
    viewport: Annotated[str, typer.Option(help="Width and height.")] = "1280x720",
    ttl: Annotated[int | None, typer.Option(help="Seconds until it ends.")] = None,
    idle_timeout: Annotated[int | None, typer.Option(help="Seconds without activity until it ends.")] = None,
    profile: Annotated[str | None, typer.Option(help="The profile to run on.")] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="On a copy of the profile; nothing is kept.")] = False,
    tag: Annotated[list[str] | None, typer.Option(help="name=value, to find it by.")] = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Do not wait until it runs.")] = False,
    as_json: AsJson = False,
    server: Server = DEFAULT_SERVER,
    key_file: KeyFile = None,
) -> None:
    """Start a session and print how to reach it.

    Example:  belljar sessions new --url https://example.com --ttl 600
    """
    width, _, height = viewport.partition("x")
    if not (width.isdigit() and height.isdigit()):
        fail("--viewport takes WIDTHxHEIGHT, such as 1280x720.", 2)
    wanted: dict[str, object] = {
        "url": url,
        "id": id,
        "mode": mode,
        "headless": headless,
        "viewport": {"width": int(width), "height": int(height)},
        "ttl": ttl,
        "idleTimeout": idle_timeout,
        "profileId": profile,
        "tags": dict(one.partition("=")[::2] for one in tag or []),
        "readOnly": read_only,
        "wait": as_json and not no_wait,
    }
    api = Api(server, key_file)
    session = api.call("POST", "/api/sessions", {name: value for name, value in wanted.items() if value is not None})
    if as_json:
        typer.echo(json.dumps(session, indent=2))
        return
    if not no_wait:
        session |= {"state": _watch_start(api, session["id"])}
    _print_connect(session)


@app.command("ls")
def ls(
    state: Annotated[list[str] | None, typer.Option(help="Only those in this state.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only those with this tag: name or name:value.")] = None,
    all: Annotated[bool, typer.Option("--all", help="Those that are over, too.")] = False,
    as_json: AsJson = False,
    server: Server = DEFAULT_SERVER,
    key_file: KeyFile = None,
) -> None:
    """List sessions, newest first.

    Example:  belljar sessions ls --tag team:a
    """
    states = state or (None if all else ["pending", "starting", "running", "stopping"])
    found = Api(server, key_file).call("GET", "/api/sessions", query={"state": states, "tag": tag, "limit": 1000})
    if as_json:
        typer.echo(json.dumps(found["sessions"], indent=2))
        return
    rows = [
        (one["id"], one["state"], one.get("reason", ""), one["userId"], _age(one["createdAt"]), _memory(one))
        for one in found["sessions"]
    ]
    _print_table(("ID", "STATE", "REASON", "USER", "AGE", "MEMORY"), rows)


@app.command("show")
def show(id: Id, as_json: AsJson = False, server: Server = DEFAULT_SERVER, key_file: KeyFile = None) -> None:
    """Show one session.

    Example:  belljar sessions show s-0123456789abcdef
    """
    session = Api(server, key_file).call("GET", _at(id))
    if as_json:
        typer.echo(json.dumps(session, indent=2))
        return
    _print_table(("", ""), [(name, _plain(value)) for name, value in session.items()], has_heading=False)


@app.command("rm")
def rm(
    ids: Annotated[list[str] | None, typer.Argument(help="The sessions' ids.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="All with this tag: name or name:value.")] = None,
    as_json: AsJson = False,
    server: Server = DEFAULT_SERVER,
    key_file: KeyFile = None,
) -> None:
    """End sessions; returns when their boxes are gone.

    Example:  belljar sessions rm s-0123456789abcdef
    """
    if not ids and not tag:
        fail("Name sessions, or a tag with --tag.", 2)
    api = Api(server, key_file)
    removed: list[str] = []
    code = 0
    for id in ids or []:
        try:
            removed.append(api.call("DELETE", _at(id))["id"])
        except typer.Exit as refused:
            # The others shall end all the same.
            code = refused.exit_code
    if tag:
        removed += api.call("DELETE", "/api/sessions", query={"tag": tag})["removed"]
    if as_json:
        typer.echo(json.dumps(removed))
    for id in () if as_json else removed:
        typer.echo(id)
    raise typer.Exit(code)


@app.command("open")
def open_viewer(
    id: Id,
    view_only: Annotated[bool, typer.Option("--view-only", help="A link that may watch, and do nothing else.")] = False,
    print_only: Annotated[bool, typer.Option("--print-only", help="Print the link instead of opening it.")] = False,
    server: Server = DEFAULT_SERVER,
    key_file: KeyFile = None,
) -> None:
    """Open a session's viewer in your browser, by a link that works once.

    Example:  belljar sessions open s-0123456789abcdef
    """
    role = "view" if view_only else "drive"
    link = Api(server, key_file).call("POST", f"{_at(id)}/tickets", {"role": role})["viewUrl"]
    if print_only or not webbrowser.open(link):
        typer.echo(link)


@app.command("logs")
def logs(
    id: Id,
    tail: Annotated[int, typer.Option(help="The last so many lines.")] = 1000,
    server: Server = DEFAULT_SERVER,
    key_file: KeyFile = None,
) -> None:
    """Print the log of a session's box, also after its end.

    Example:  belljar sessions logs s-0123456789abcdef --tail 50
    """
    typer.echo(Api(server, key_file).call("GET", f"{_at(id)}/logs", query={"tail": tail}), nl=False)


def _watch_start(api: Api, id: str) -> str:
    """Wait until the session runs, saying what it waits for; ends the program when it never does.

    Whoever interrupts the wait does not want the session any more.
    """
    from rich.console import Console

    try:
        with Console(stderr=True).status("Starting a session…") as status:
            while (session := api.call("GET", _at(id)))["state"] in _ON_THEIR_WAY:
                status.update(f"{_ON_THEIR_WAY[session['state']]} ({_age(session['createdAt'])})")
                time.sleep(_LOOK_SECONDS)
    except KeyboardInterrupt:
        api.call("DELETE", _at(id))
        fail(f"Interrupted; the session {id} was ended.", 130)
    if session["state"] != "running":
        fail(f"The session {id} did not start: {session.get('detail') or session['reason']}.", 1)
    return "running"


def _at(id: str) -> str:
    return f"/api/sessions/{quote(id, safe='')}"


def _print_connect(session: dict[str, Any]) -> None:
    rows = [("id", session["id"]), ("state", session["state"]), ("http", session["httpUrl"])]
    if "token" in session:
        rows += [("token", session["token"])]
    if "connect" in session:
        rows += [("cdp, once", session["connect"]["cdpUrl"]), ("view, once", session["connect"]["viewUrl"])]
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        typer.echo(f"{name:<{width}}  {value}")


def _print_table(heading: tuple[str, ...], rows: Sequence[tuple[str, ...]], *, has_heading: bool = True) -> None:
    """Plain columns: they survive being piped, and a narrow terminal cuts nothing off."""
    every = [heading, *rows] if has_heading else list(rows)
    widths = [max((len(row[at]) for row in every), default=0) for at in range(len(heading))]
    for row in every:
        typer.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


def _age(created: str) -> str:
    seconds = int((datetime.now(UTC) - datetime.fromisoformat(created)).total_seconds())
    for size, unit in ((86_400, "d"), (3600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def _memory(session: dict[str, object]) -> str:
    return f"{session['memoryMb']:.0f} MB" if "memoryMb" in session else ""


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
