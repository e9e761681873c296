"""`belljar events`: the record of a box or a session, and the proof that nobody changed it."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from belljar.cli.api import AsJson, fail

app = typer.Typer(
    help="The record: prove that nobody changed it.\n\nExample:  belljar events verify record.zip", no_args_is_help=True
)

# What `verify` ends with, beside 0.
FAULTY, UNREADABLE, UNSIGNED = 1, 2, 3


@app.command("verify")
def verify(
    target: Annotated[Path, typer.Argument(help="A record's folder, a box's state folder, or an exported archive.")],
    key: Annotated[
        list[str] | None,
        typer.Option(help="A public key to trust, or a file with one: the box's or its installation's."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find events that were changed, are missing or stand elsewhere, and say how far the signatures reach.

    Example:  belljar events verify /var/lib/belljar/record
    """
    from belljar.record.chain import Unreadable, open_files
    from belljar.record.chain import verify as judge

    trusted = [_public_key(one) for one in key or []]
    try:
        with open_files(target) as files:
            verdict = judge(files, trusted)
    except Unreadable as error:
        fail(str(error), UNREADABLE)
    if as_json:
        typer.echo(json.dumps(_as_json(verdict), indent=2))
    else:
        _tell(verdict)
    if verdict.faults:
        raise typer.Exit(FAULTY)
    if verdict.unsigned_from is not None:
        raise typer.Exit(UNSIGNED)


@app.command("key")
def key(
    state_dir: Annotated[Path | None, typer.Option(help="The state folder of a box; else the usual one.")] = None,
) -> None:
    """Print the public key that a box signs its record with, for who verifies it elsewhere.

    Example:  belljar events key > box.pub
    """
    from belljar.record.signing import KEY
    from belljar.state import default_state_dir

    folder = (state_dir or default_state_dir()) / "record"
    try:
        typer.echo((folder / KEY).read_text().strip())
    except OSError as error:
        fail(f"{folder} has no key yet, or not for you: {error.strerror}.", UNREADABLE)


def _public_key(text: str) -> bytes:
    from belljar.record.chain import read_public_key

    try:
        return read_public_key(Path(text).read_text() if Path(text).is_file() else text)
    except (ValueError, OSError) as error:
        raise fail(f"--key {text[:80]}: {error}", UNREADABLE) from error


def _as_json(verdict: Any) -> dict[str, Any]:
    return {
        "isWhole": verdict.is_whole,
        "first": verdict.first,
        "last": verdict.last,
        "signed": verdict.signed,
        "unsignedFrom": verdict.unsigned_from,
        "faults": [{"seq": fault.seq, "what": fault.what} for fault in verdict.faults],
        "key": None if verdict.key is None else verdict.key.id,
        "isKeyTrusted": verdict.is_key_trusted,
        "tornBytes": verdict.torn,
    }


def _tell(verdict: Any) -> None:
    for fault in verdict.faults:
        typer.secho(str(fault), fg="red")
    number = verdict.last - verdict.first + 1
    state = "does not fit" if verdict.faults else "is whole"
    typer.echo(f"The record {state}: {number} events, {verdict.first} to {verdict.last}.")
    if verdict.first > 1:
        typer.echo(f"What was before event {verdict.first} is not here: retention takes the oldest.")
    if verdict.torn:
        typer.echo(f"{verdict.torn} bytes at its end are an event that was begun and not finished.")
    if verdict.unsigned_from is not None:
        typer.secho(
            f"From event {verdict.unsigned_from} on nothing is signed: the box was killed, or its heads were removed.",
            fg="yellow",
        )
    if verdict.signed and verdict.key is not None:
        whose = "which you trust" if verdict.is_key_trusted else "which came with it: --key says whom you trust"
        typer.echo(f"Signed up to event {verdict.signed} by the key {verdict.key.id}, {whose}.")
