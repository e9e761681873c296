"""`belljar hosts`: the hosts of a control plane, and draining one."""

import json
from typing import Annotated, Any
from urllib.parse import quote

import typer

from belljar.cli.api import DEFAULT_SERVER, Api, AsJson, KeyFile, Server
from belljar.cli.sessions import _age, _print_table

app = typer.Typer(
    help="Hosts of a control plane, for an admin's key.\n\nExample:  belljar hosts ls", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(help="The host's name, as `ls` shows it.")]


@app.command("ls")
def ls(as_json: AsJson = False, server: Server = DEFAULT_SERVER, key_file: KeyFile = None) -> None:
    """List hosts with their sessions, warm boxes and room.

    Example:  belljar hosts ls
    """
    hosts = Api(server, key_file).call("GET", "/api/hosts")["hosts"]
    if as_json:
        typer.echo(json.dumps(hosts, indent=2))
        return
    heading = ("NAME", "STATE", "SEEN", "SESSIONS", "WARM", "MEMORY", "DISK")
    _print_table(heading, [_row(host) for host in hosts])


@app.command("drain")
def drain(name: Name, server: Server = DEFAULT_SERVER, key_file: KeyFile = None) -> None:
    """Take no more sessions on a host, until `undrain` and over restarts. Nothing that runs is ended.

    Example:  belljar hosts drain node-3
    """
    host = Api(server, key_file).call("POST", f"/api/hosts/{quote(name, safe='')}/drain")
    left = host["sessions"]
    typer.echo(f"{name} takes no more sessions; {left or 'none'} {'is' if left == 1 else 'are'} left on it.")


@app.command("undrain")
def undrain(name: Name, server: Server = DEFAULT_SERVER, key_file: KeyFile = None) -> None:
    """Take sessions on a host again.

    Example:  belljar hosts undrain node-3
    """
    Api(server, key_file).call("POST", f"/api/hosts/{quote(name, safe='')}/undrain")
    typer.echo(f"{name} takes sessions again.")


def _row(host: dict[str, Any]) -> tuple[str, ...]:
    state = "drained" if "drainedAt" in host else "up" if host["isAlive"] else "gone"
    seen = max((plane["seenAt"] for plane in host["planes"]), default=None)
    return (
        host["name"],
        state,
        "" if seen is None else _age(seen),
        str(host["sessions"]),
        f"{host['warm']}/{host['warmWanted']}",
        _free(host.get("freeMemoryMb")),
        _free(host.get("freeDiskMb")),
    )


def _free(megabytes: int | None) -> str:
    return "" if megabytes is None else f"{megabytes} MB"
