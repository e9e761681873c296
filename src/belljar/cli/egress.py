"""`belljar egress …`: look at a box's network policy from the outside."""

from typing import Annotated

import typer

from belljar.cli.api import DEFAULT_SERVER, Api, KeyFile, Server

app = typer.Typer(
    no_args_is_help=True, help="The network policy of a box.\n\nExample:  belljar egress suggest > policy"
)


@app.callback()
def egress() -> None:
    pass


@app.command("suggest")
def suggest(server: Server = DEFAULT_SERVER, key_file: KeyFile = None, session: Annotated[
    str | None, typer.Option(help="A session of a control plane, instead of a box of its own.")
] = None) -> None:  # fmt: skip
    """Print the smallest policy that would have allowed what a box reached so far; run it with --egress learn first.

    Example:  belljar egress suggest > policy; belljar box --egress policy
    """
    prefix = f"/s/{session}" if session else ""
    typer.echo(Api(server, key_file).call("GET", f"{prefix}/v1/egress/suggestion")["policy"], nl=False)
