"""`belljar install`: the system packages that the browser and the desktop need."""

from pathlib import Path
from typing import Annotated

import typer

from belljar.cli.options import as_typed
from belljar.install.manager import ManagerName

app = typer.Typer(
    help="Install the system packages a box needs.\n\nExample:  belljar install browser --yes", no_args_is_help=True
)


Yes = Annotated[bool, typer.Option("--yes", "-y", help="Install without asking.")]
PrintOnly = Annotated[bool, typer.Option("--print-only", help="Print the exact commands and change nothing.")]
Manager = Annotated[
    ManagerName | None,
    typer.Option(help="Use this one instead of the distribution's own; apk is only printed."),
]
StateDir = Annotated[
    Path | None,
    typer.Option(envvar="BELLJAR_STATE_DIR", help="Where a vendor's Chromium goes when no package has one."),
]


@app.command("browser")
def browser(
    yes: Yes = False, print_only: PrintOnly = False, package_manager: Manager = None, state_dir: StateDir = None
) -> None:
    """Install Chromium, a virtual display, fonts and the jail.

    Example:  belljar install browser --yes
    """
    _install("browser", yes, print_only, package_manager, state_dir)


@app.command("desktop")
def desktop(
    yes: Yes = False, print_only: PrintOnly = False, package_manager: Manager = None, state_dir: StateDir = None
) -> None:
    """Install a virtual display, a window manager, fonts and what desktop programs like to have.

    Example:  belljar install desktop --print-only
    """
    _install("desktop", yes, print_only, package_manager, state_dir)


def _install(
    target: str, yes: bool, print_only: bool, package_manager: ManagerName | None, state_dir: Path | None
) -> None:
    from rich.console import Console

    from belljar.install.host import look_at_host
    from belljar.install.manager import InstallError
    from belljar.install.packages import Target
    from belljar.install.run import Request, install
    from belljar.state import default_state_dir

    request = Request(Target(target), yes=yes, print_only=print_only, manager=package_manager)
    try:
        install(request, look_at_host(state_dir or default_state_dir()), Console(), typer.confirm)
    except InstallError as error:
        typer.secho(f"belljar: {as_typed(str(error))}", fg="red", err=True)
        raise typer.Exit(1) from None
