"""`belljar box`: one sandbox server."""

import logging
import os
import sys
from pathlib import Path
from socket import AF_INET6, AF_UNIX
from socket import socket as Socket
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from pydantic import ValidationError

from belljar.box.settings import BoxSettings
from belljar.cli.options import complaint, options_from
from belljar.logs import log

if TYPE_CHECKING:
    from belljar.box.sandbox.image import SizedDisk
    from belljar.server.signed_caller import CallerVerifier
    from belljar.wire.isolation import Isolation

TOKEN_VARIABLE = "BELLJAR_TOKEN"
_KEY_BYTES = 32


@options_from(BoxSettings)
def box(**given: object) -> None:
    """Run one sandbox server: browser, desktop and processes behind one token.

    Without a token given, one is made and printed. Every option is also a variable, such as BELLJAR_PORT.

    Example:  belljar box --port 8080 --token-file ~/.belljar-token
    """
    _run(given)


def _run(given: dict[str, object]) -> None:
    """Imports stand here so that `belljar --help` stays quick, and a wrong option is told at once."""
    try:
        settings = BoxSettings(**given)
    except ValidationError as error:
        _fail(complaint(error))
    from belljar.box.process.kernel import hide_memory
    from belljar.box.sandbox import BadOption, read_options
    from belljar.logs import set_up_logs
    from belljar.server.serving import CannotListen, serve
    from belljar.state import StateDirUnusable, make_state_dir

    try:
        # A control plane's box writes to a file that is its own.
        bounded = bool(settings.installation)
        set_up_logs(settings.log_format, settings.log_level, is_bounded=bounded, file=settings.log_file)
    except OSError as error:
        _fail(f"The log cannot be written to {settings.log_file}: {error.strerror}.")
    try:
        isolation = read_options(settings)
        make_state_dir(settings.state_dir)
    except (BadOption, StateDirUnusable) as error:
        _fail(str(error))
    hide_memory()
    token, is_new = _token(settings)
    control_plane = _control_plane(settings)
    try:
        listener = _listener(settings)
    except CannotListen as error:
        _fail(str(error))
    disk_to_be = _begin_disk(isolation.limits.disk_bytes, settings.state_dir)
    # Most of a start is this import; who connects meanwhile waits in the socket's queue.
    from belljar.agent.mcp.hosted import on_box
    from belljar.box.access.sign_in import FIRST_LINK_SECONDS
    from belljar.box.app import create_app
    from belljar.safe_files import remove_folder
    from belljar.server.connections import Connections
    from belljar.server.web_app import is_built
    from belljar.tokens import Keys
    from belljar.wire.sessions import TokenRole

    disk = _mount_disk(disk_to_be)
    mounts = [on_box(idle=settings.mcp_idle)]
    application = create_app(settings, Keys(token, settings.box_id), isolation, disk, mounts, control_plane)

    def announce() -> None:
        url = _url(listener)
        _announce(url, token if is_new and control_plane is None else None, is_open=token is None)
        if report := application.started.isolation:
            _warn_without_jail(report.report)
        # A box that a control plane started has its links made there.
        if not settings.installation and url.startswith("http"):
            ticket = application.people.make_ticket(TokenRole.DRIVE, "the operator", seconds=FIRST_LINK_SECONDS)
            page = "ui/" if is_built() else "view"
            sys.stdout.write(f"Watch and drive it, with this link, once:  {url}/{page}#ticket={ticket}\n")
            sys.stdout.flush()

    # A refusal is one plain line, below, and no traceback.
    logging.getLogger("uvicorn.error").addFilter(lambda _: application.started.refusal is None)
    try:
        came_up = serve(
            application.app,
            listener,
            on_listening=announce,
            on_stopping=application.stopping.set,
            head_seconds=settings.head_timeout,
            body_seconds=settings.body_timeout,
            per_address=Connections(settings.max_connections_per_address),
        )
    finally:
        if disk is not None:
            disk.remove()
        if settings.ephemeral:
            remove_folder(settings.state_dir)
    if application.started.refusal is not None:
        _fail(application.started.refusal)
    if not came_up:
        raise typer.Exit(1)


def _warn_without_jail(isolation: "Isolation") -> None:
    """Said on the terminal, where there is none, in words: logs are not read."""
    if isolation.jail:
        return
    whose = f"as uid {isolation.uid}, and reach what any" if isolation.uid else "as you, and reach all that your"
    sys.stdout.write(
        f"\nWithout a jail: programs run {whose} user of this host reaches. The reason: {isolation.reason}."
        f" What would help: {isolation.remedy}.\n\n"
    )
    sys.stdout.flush()


def _begin_disk(size: int | None, state_dir: Path) -> "SizedDisk | None":
    """The disk that the box's folders go to, when they may take so much; made while the rest is imported."""
    from belljar.box.sandbox.image import NoImage, SizedDisk

    if size is None:
        return None
    try:
        return SizedDisk(size, state_dir)
    except NoImage as problem:
        _say_watched(problem)
        return None


def _mount_disk(disk: "SizedDisk | None") -> "SizedDisk | None":
    """Before there are threads."""
    from belljar.box.sandbox.image import NoImage

    try:
        if disk is not None:
            disk.mount()
    except NoImage as problem:
        _say_watched(problem)
        return None
    return disk


def _say_watched(problem: Exception) -> None:

    # For who is not root it is so by nature, and told in `/v1/health`.
    if os.geteuid() == 0:
        log.warning("disk.watched", reason=str(problem))


def _token(settings: Any) -> tuple[str | None, bool]:
    """The operator's token and whether it was made just now; None when none is asked for."""
    from belljar.box.process.kernel import wipe_variable
    from belljar.server.guard import is_loopback
    from belljar.tokens import new_token

    # Taken out of the environment, so that no child can read it there; nor in /proc, where it would still stand.
    from_environment = os.environ.get(TOKEN_VARIABLE)
    wipe_variable(TOKEN_VARIABLE)
    os.environ.pop(TOKEN_VARIABLE, None)
    if settings.no_token:
        if not is_loopback(settings.host):
            _fail(f"--no-token would let anyone who reaches {settings.host} use this machine: it is for loopback only.")
        return None, False
    if settings.token_file:
        return _read_token(settings.token_file), False
    if from_environment:
        return _checked(from_environment, TOKEN_VARIABLE), False
    return new_token(), True


def _control_plane(settings: Any) -> "CallerVerifier | None":
    """Whoever started this box to stand before it.  The box then has a token that nobody knows."""
    if settings.caller_key_file is None:
        return None
    if settings.token_file or settings.no_token:
        _fail("--caller-key-file is for a box that a control plane stands before: no token opens that, nor --no-token.")
    from belljar.server.signed_caller import CallerVerifier

    source = settings.caller_key_file
    try:
        key = bytes.fromhex(_read_secret(source, "key").decode("ascii", "replace"))
    except ValueError:
        _fail(f"The key in {source} is not a line of hexadecimal digits.")
    if len(key) < _KEY_BYTES:
        _fail(f"The key in {source} must hold {_KEY_BYTES} bytes in hexadecimal.")
    return CallerVerifier(key)


def _read_token(source: str) -> str:
    return _checked(_read_secret(source, "token").decode("utf-8", "replace"), source)


def _read_secret(source: str, kind: str) -> bytes:
    try:
        if source.startswith("fd:"):
            with os.fdopen(int(source.removeprefix("fd:")), "rb") as file:
                return file.read(4097)
        return Path(source).expanduser().read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a descriptor number"
        _fail(f"Cannot read the {kind} from {source}: {reason}.")


def _checked(token: str, source: str) -> str:
    token = token.strip()
    if not (8 <= len(token) <= 4096 and token.isascii() and token.isprintable() and " " not in token):
        _fail(f"The token in {source} must be 8 to 4096 printable ASCII characters without spaces.")
    return token


def _listener(settings: Any) -> Socket:
    from belljar.server.serving import CannotListen, bind, bind_path, inherited

    if settings.socket is None:
        return bind(settings.host, settings.port)
    kind, _, where = settings.socket.partition(":")
    if kind == "unix" and where.startswith("/"):
        return bind_path(where)
    if kind != "fd" or not where.isdigit():
        raise CannotListen("--socket takes fd:N, the number of an inherited descriptor, or unix:/a/path.")
    return inherited(int(where))


def _url(listener: Socket) -> str:
    if listener.family == AF_UNIX:
        return f"unix:{listener.getsockname()}"
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if listener.family == AF_INET6 else f"http://{host}:{port}"


def _announce(url: str, new_token: str | None, *, is_open: bool) -> None:
    """Standard output is for people; logs go to standard error."""
    out = sys.stdout
    out.write(f"Belljar listens on {url}\n")
    if new_token is not None:
        out.write(f"Token: {new_token}\n\nTry:  curl -H 'Authorization: Bearer {new_token}' {url}/v1/health\n")
    elif is_open:
        out.write(f"No token is asked for.\n\nTry:  curl {url}/v1/health\n")
    out.flush()


def _fail(sentence: str) -> NoReturn:
    typer.secho(f"belljar: {sentence}", fg="red", err=True)
    raise typer.Exit(2)
