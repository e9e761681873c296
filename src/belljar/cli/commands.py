"""Every command of `belljar`."""

from typing import Annotated

import typer

from belljar.cli.box import box
from belljar.cli.doctor import doctor
from belljar.cli.egress import app as egress
from belljar.cli.install import app as install
from belljar.cli.keys import app as keys
from belljar.cli.mcp import mcp
from belljar.cli.openapi import openapi
from belljar.cli.serve import serve
from belljar.cli.sessions import app as sessions

app = typer.Typer(
    name="belljar",
    help="A computer of its own for an AI agent, under glass.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        from belljar import __version__

        typer.echo(f"belljar {__version__}")
        raise typer.Exit


@app.callback()
def belljar(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


app.command("box")(box)
app.add_typer(install, name="install")
app.command("doctor")(doctor)
app.command("openapi")(openapi)
app.command("mcp")(mcp)
app.command("serve")(serve)
app.add_typer(sessions, name="sessions")
app.add_typer(egress, name="egress")
app.add_typer(keys, name="keys")
