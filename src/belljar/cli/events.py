"""`belljar events`: the record of a box or a session, and the proof that nobody changed it."""

import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from http.client import HTTPException
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from belljar.cli.api import DEFAULT_SERVER, Api, AsJson, KeyFile, Server, fail

if TYPE_CHECKING:
    from belljar.record.chain import Verdict

app = typer.Typer(
    help="The record: read it, and prove that nobody changed it.\n\nExample:  belljar events tail", no_args_is_help=True
)

Session = Annotated[str | None, typer.Option(help="A session of a control plane, instead of a box of its own.")]
Kinds = Annotated[str | None, typer.Option(help="Only these kinds, separated by commas.")]

# A session's id, which no path that is there looks like.
_SESSION = re.compile(r"[a-z0-9][a-z0-9-]{0,47}")
_FORMATS = {".zip": "zip", ".jsonl": "jsonl", ".har": "har", ".md": "markdown"}
# What `verify` ends with, beside 0.
FAULTY, UNREADABLE, UNSIGNED = 1, 2, 3


@app.command("tail")
def tail(
    server: Server = DEFAULT_SERVER,
    key_file: KeyFile = None,
    session: Session = None,
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, help="Events from before.")] = 20,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on with what happens, until interrupted.")] = False,
    kinds: Kinds = None,
    as_json: AsJson = False,
) -> None:
    """Print the last events, one a line.

    Example:  belljar events tail -f --kinds call,nav,egress
    """
    api = Api(server, key_file)
    path = f"/s/{session}/v1/events" if session else "/v1/events"
    found, cursor = _last(api, path, lines, kinds)
    for event in found:
        _print(event, as_json=as_json)
    if follow:
        for event in _followed(api, path, {"since": cursor, "kinds": kinds, "follow": "true"}):
            _print(event, as_json=as_json)


def _last(api: Api, path: str, count: int, kinds: str | None) -> tuple[list[Any], int]:
    """The last `count` events of these kinds, and the number of the newest of all: looked for ever further back."""
    newest = int(api.call("GET", path, query={"limit": 1})["newest"])
    back = max(count, 1)
    found: list[Any] = []
    while count:
        since, more = max(0, newest - back), True
        found = []
        while more:
            page = api.call("GET", path, query={"since": since, "kinds": kinds, "limit": 1000})
            found += [event for event in page["events"] if event["seq"] <= newest]
            since, more = page["cursor"], page["more"] and page["cursor"] < newest
        if len(found) >= count or back >= newest:
            break
        back *= 8
    return found[-count:] if count else [], newest


def _followed(api: Api, path: str, query: dict[str, object]) -> Iterator[Any]:
    try:
        with api.stream(path, query) as answer:
            for line in answer:
                if line.startswith(b"data: "):
                    yield json.loads(line.removeprefix(b"data: "))
    except (OSError, HTTPException, KeyboardInterrupt):
        # The box has ended, or whoever watched is done.
        return


def _print(event: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(event))
        return
    at = datetime.fromtimestamp(event["t"] / 1e6, UTC).strftime("%H:%M:%S.%f")[:-3]
    actor = event["actor"]
    who = actor.get("id") or actor["kind"]
    via = f"{actor['kind']}/{actor['via']}" if actor.get("via", "none") != "none" else actor["kind"]
    data = json.dumps(event.get("data", {})) if event.get("data") else ""
    typer.echo(_printable(f"{event['seq']:>7} {at} {event['kind']:8} {event['name']:32} {via} {who} {data}".rstrip()))


def _printable(text: str) -> str:
    """Nothing that a terminal could take for a command: pages and callers have written some of it."""
    return "".join(character if character.isprintable() else "�" for character in text)


@app.command("export")
def export(
    output: Annotated[Path, typer.Argument(help="The file to write; one that is there is not overwritten.")],
    format: Annotated[
        str | None, typer.Option(help="zip, jsonl, har, playwright or markdown; else by the file's ending.")
    ] = None,
    session: Session = None,
    server: Server = DEFAULT_SERVER,
    key_file: KeyFile = None,
) -> None:
    """Write the whole record into a file that other programs read.

    Example:  belljar events export run.har
    """
    format = format or _FORMATS.get(output.suffix)
    if format is None:
        fail(f"What shall {output} be? End it with {', '.join(_FORMATS)}, or give --format.", UNREADABLE)
    path = f"/api/sessions/{session}/record/export" if session else "/v1/events/export"
    draft = output.with_name(f".{output.name}.part")
    if output.exists():
        fail(f"{output} is there already.", UNREADABLE)
    try:
        Api(server, key_file).save(path, {"format": format}, draft)
        draft.rename(output)
    finally:
        draft.unlink(missing_ok=True)


@app.command("verify")
def verify(
    target: Annotated[
        str, typer.Argument(help="A record's folder, a box's state folder, an exported archive, or a session's id.")
    ],
    key: Annotated[
        list[str] | None,
        typer.Option(help="A public key to trust, or a file with one: the box's or its installation's."),
    ] = None,
    as_json: AsJson = False,
    server: Server = DEFAULT_SERVER,
    key_file: KeyFile = None,
) -> None:
    """Find events that were changed, are missing or stand elsewhere, and say how far the signatures reach.

    Example:  belljar events verify /var/lib/belljar/record
    """
    from belljar.record.chain import Unreadable, open_files
    from belljar.record.chain import verify as judge

    trusted = [_public_key(one) for one in key or []]
    try:
        with ExitStack() as stack:
            path, known = Path(target), {}
            if not path.exists() and _SESSION.fullmatch(target):
                api = Api(server, key_file)
                proof = api.call("GET", f"/api/sessions/{target}/record/proof")
                trusted = trusted or [_public_key(proof["installation"]["publicKey"])]
                known = {proof["head"]["seq"]: proof["head"]["chain"]} if "head" in proof else {}
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="belljar-verify-"))
                path = api.save(f"/api/sessions/{target}/record/export", {"format": "zip"}, Path(folder, "record.zip"))
            files = stack.enter_context(open_files(path))
            verdict = judge(files, trusted, known)
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
        fail(f"--key {text[:80]}: {error}", UNREADABLE)


def _as_json(verdict: "Verdict") -> dict[str, object]:
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


def _tell(verdict: "Verdict") -> None:
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
