"""`belljar doctor`: what this host can do, and what would mend the rest."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from belljar.cli.options import as_typed

if TYPE_CHECKING:
    from belljar.doctor.trial import Finding


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port that should be free.")] = 2468,
    state_dir: Annotated[
        Path | None, typer.Option(envvar="BELLJAR_STATE_DIR", help="Folder that must be writable.")
    ] = None,
) -> None:
    """Try what a box needs on this host. Exits with 1 when something it cannot do without is missing.

    Example:  belljar doctor --json
    """
    from belljar.doctor.checks import examine
    from belljar.doctor.trial import Level
    from belljar.state import default_state_dir

    findings = examine(state_dir or default_state_dir(), port)
    found = list(findings) if as_json else _with_patience(findings)
    if as_json:
        typer.echo(json.dumps(report(found), indent=2))
    else:
        _print_table(found)
    if any(finding.level is Level.MISSING for finding in found):
        raise typer.Exit(1)


def report(findings: Sequence["Finding"]) -> dict[str, object]:
    """The shape programs may rely on."""
    from belljar import __version__

    return {
        "version": __version__,
        "ok": not any(finding.level == "missing" for finding in findings),
        "checks": [
            {
                "id": finding.id,
                "title": finding.title,
                "level": str(finding.level),
                "detail": finding.detail,
                "fix": finding.fix and as_typed(finding.fix),
            }
            for finding in findings
        ],
    }


def _with_patience(findings: Iterable["Finding"]) -> list["Finding"]:
    from rich.console import Console

    found = []
    with Console(stderr=True).status("Trying what a box needs …") as status:
        for finding in findings:
            found.append(finding)
            status.update(f"{finding.title}: {finding.level}")
    return found


def _print_table(findings: Sequence["Finding"]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    colours = {"ok": "green", "warning": "yellow", "missing": "red"}
    table = Table(title="This host", title_justify="left")
    for heading in ("what", "state", "detail, and what mends it"):
        table.add_column(heading, overflow="fold")
    for finding in findings:
        state = Text(finding.level, style=colours[finding.level])
        mend = Text(f"\n→ {as_typed(finding.fix)}", style="bold") if finding.fix else Text()
        table.add_row(Text(finding.title), state, Text(finding.detail) + mend)
    Console().print(table)
