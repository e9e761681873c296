"""Every command of `belljar`, each imported when it is wanted; and Ctrl-C while that goes on.

Python would raise KeyboardInterrupt in the middle of some library's import and print forty lines about it.  Nothing has
been started by then that would need an end of its own.
"""

import signal
from collections.abc import Callable, Mapping
from typing import Annotated

import typer


def interrupts_end() -> None:
    _set(signal.default_int_handler, signal.SIG_DFL)


def interrupts_raise() -> None:
    """For what has blocks to leave: from here on KeyboardInterrupt comes as usual."""
    _set(signal.SIG_DFL, signal.default_int_handler)


def _set(expected: object, handler: "signal._HANDLER") -> None:
    """Only where nobody else said otherwise: a shell has its jobs in the background ignore the signal."""
    if signal.getsignal(signal.SIGINT) == expected:
        signal.signal(signal.SIGINT, handler)


def make_app(wanted: str | None = None) -> typer.Typer:
    """With the command `wanted`; with all of them where it is none of ours, for help and for the complaint."""
    app = typer.Typer(
        name="belljar",
        help="A computer of its own for an AI agent, under glass.\n\nExample:  belljar serve",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
    )
    app.callback()(belljar)
    for name in [wanted] if wanted in _COMMANDS else _COMMANDS:
        _COMMANDS[name](app)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from belljar import __version__

        typer.echo(f"belljar {__version__}")
        raise typer.Exit


def belljar(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def _box(app: typer.Typer) -> None:
    from belljar.cli.box import box

    app.command("box")(box)


def _install(app: typer.Typer) -> None:
    from belljar.cli.install import app as install

    app.add_typer(install, name="install")


def _doctor(app: typer.Typer) -> None:
    from belljar.cli.doctor import doctor

    app.command("doctor")(doctor)


def _openapi(app: typer.Typer) -> None:
    from belljar.cli.openapi import openapi

    app.command("openapi")(openapi)


def _mcp(app: typer.Typer) -> None:
    from belljar.cli.mcp import mcp

    app.command("mcp")(mcp)


def _provider(app: typer.Typer) -> None:
    from belljar.cli.provider import provider

    app.command("provider")(provider)


def _serve(app: typer.Typer) -> None:
    from belljar.cli.serve import serve

    app.command("serve")(serve)


def _sessions(app: typer.Typer) -> None:
    from belljar.cli.sessions import app as sessions

    app.add_typer(sessions, name="sessions")


def _egress(app: typer.Typer) -> None:
    from belljar.cli.egress import app as egress

    app.add_typer(egress, name="egress")


def _keys(app: typer.Typer) -> None:
    from belljar.cli.keys import app as keys

    app.add_typer(keys, name="keys")


def _hosts(app: typer.Typer) -> None:
    from belljar.cli.hosts import app as hosts

    app.add_typer(hosts, name="hosts")


def _events(app: typer.Typer) -> None:
    from belljar.cli.events import app as events

    app.add_typer(events, name="events")


_COMMANDS: Mapping[str | None, Callable[[typer.Typer], None]] = {
    "box": _box,
    "install": _install,
    "doctor": _doctor,
    "openapi": _openapi,
    "mcp": _mcp,
    "provider": _provider,
    "serve": _serve,
    "sessions": _sessions,
    "egress": _egress,
    "keys": _keys,
    "hosts": _hosts,
    "events": _events,
}
