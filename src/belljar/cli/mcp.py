"""`belljar mcp`: MCP over standard input and output, for a client that starts its servers itself."""

import os
import signal
from pathlib import Path
from typing import Annotated

import typer

from belljar.cli.box import TOKEN_VARIABLE, _fail, _read_token
from belljar.wire.isolation import Evaluate, JailMode

Url = Annotated[
    str, typer.Option(envvar="BELLJAR_URL", help="A box or control plane to use; without one a box of its own starts.")
]
TokenFile = Annotated[str | None, typer.Option(help=f"File with the token or API key, instead of {TOKEN_VARIABLE}.")]
Session = Annotated[str, typer.Option(help="On a control plane: the session's name; the same name, the same browser.")]
Headed = Annotated[bool, typer.Option("--headed", help="Show the browser on a display, with windows and bars.")]
Idle = Annotated[float, typer.Option(min=0, help="Seconds unused until the browser is closed; 0 for never.")]
Egress = Annotated[str, typer.Option(help="Own box: where pages may connect to: public, open, none, learn, or a file.")]
Allow = Annotated[list[str] | None, typer.Option(help="Own box: a host and port allowed beside that.")]
Bind = Annotated[list[str] | None, typer.Option(help="Own box: a folder it shares: DIR:/workspace[:ro].")]
Script = Annotated[Evaluate, typer.Option(help="Own box: where the tool evaluate may run.")]
Jail = Annotated[JailMode, typer.Option(help="Own box: whether programs run in a jail.")]
StateDir = Annotated[Path | None, typer.Option(help="Own box: folder for what outlives it.")]
# Longer than any call may take: the server has deadlines of its own and says what it was waiting for.
_LONGEST_CALL_SECONDS = 620.0
LogLevel = Annotated[str, typer.Option(help="debug, info, warning or error, to standard error.")]


def mcp(
    url: Url = "",
    token_file: TokenFile = None,
    session: Session = "default",
    headed: Headed = False,
    idle: Idle = 1800,
    egress: Egress = "public",
    allow: Allow = None,
    bind: Bind = None,
    evaluate: Script = Evaluate.ON,
    jail: Jail = JailMode.AUTO,
    state_dir: StateDir = None,
    log_level: LogLevel = "warning",
) -> None:
    """Serve MCP on standard input and output: browser and desktop tools for an agent.

    Without --url it starts a sandbox of its own, which ends with it and leaves nothing behind.

    Examples:

      belljar mcp

      belljar mcp --egress none --allow 127.0.0.1:8000 --evaluate off

      BELLJAR_TOKEN=… belljar mcp --url http://127.0.0.1:2468

      BELLJAR_TOKEN=… belljar mcp --url https://belljar.example --session research

    In a client's configuration:  {"mcpServers": {"belljar": {"command": "belljar", "args": ["mcp"]}}}
    """
    if url:
        _over_there(url, _token(token_file), session, headless=not headed)
        return
    settings: dict[str, object] = {
        "host": "127.0.0.1",
        "port": 0,
        "egress": egress,
        "allow": tuple(allow or ()),
        "bind": tuple(bind or ()),
        "evaluate": evaluate,
        "jail": jail,
        "log_level": log_level,
    }
    _own_box(settings | ({"state_dir": state_dir} if state_dir else {}), headless=not headed, idle=idle)


def _token(token_file: str | None) -> str:
    if token_file:
        return _read_token(token_file)
    return os.environ.get(TOKEN_VARIABLE) or ""


def _over_there(url: str, token: str, session: str, *, headless: bool) -> None:
    """Serve a box or control plane that runs elsewhere; nothing of it ends with us."""
    import gc

    import anyio

    from belljar.agent.mcp.box_client import NO_ANSWER, BoxClient, KnownSession, SessionHttp, Shared
    from belljar.agent.mcp.stdio import serve_stdio
    from belljar.problems import Problem
    from belljar.sdk.aio.box import AsyncBox
    from belljar.sdk.aio.connection import AsyncConnection
    from belljar.sdk.aio.http import AsyncHttp
    from belljar.sdk.embedded import Address

    if not url.startswith(("http://", "https://")):
        _fail(f"{url} is not an address: it begins with http:// or https://.")

    async def serve() -> None:
        gc.enable()
        server = AsyncConnection(Address.of(url, token or None), timeout=_LONGEST_CALL_SECONDS, headers={})
        try:
            http: AsyncHttp = server
            try:
                await AsyncBox(server).health()
            except Problem as refused:
                if refused.status != 404:
                    _fail(f"{url} refuses: {refused.detail}")
                http = SessionHttp(server, session, KnownSession())
            except NO_ANSWER as error:
                _fail(str(error))
            client = BoxClient(http, Shared(), headless=headless)
            await serve_stdio(lambda _: client)
        finally:
            await server.close()

    anyio.run(serve, backend_options={"use_uvloop": True})


def _own_box(given: dict[str, object], *, headless: bool, idle: float) -> None:
    """A box in this process.  It listens on a free loopback port too, for a person to watch; with a new token."""
    from pydantic import ValidationError

    from belljar.agent.mcp.hosted import EmbeddedMcp
    from belljar.box.app import create_app
    from belljar.box.process.kernel import hide_memory
    from belljar.box.sandbox import BadOption, read_options
    from belljar.box.settings import BoxSettings
    from belljar.logs import set_up_logs
    from belljar.server.serving import bind as listen
    from belljar.server.serving import serve
    from belljar.tokens import Keys, new_token

    try:
        settings = BoxSettings(**given)
        isolation = read_options(settings)
    except ValidationError as error:
        _fail("; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_input=False)))
    except BadOption as error:
        _fail(str(error))
    set_up_logs(settings.log_format, settings.log_level)
    hide_memory()
    listener = listen(settings.host, 0)
    host, port = listener.getsockname()[:2]
    client = EmbeddedMcp(f"{host}:{port}", headless=headless, idle=idle, on_end=_stop)
    application = create_app(settings, Keys(new_token(), settings.box_id), isolation, mounts=[client])
    if not serve(application.app, listener, on_listening=client.begin, on_stopping=application.stopping.set):
        raise typer.Exit(1)


def _stop() -> None:
    """As an operator would: the server ends its parts, and with them every child."""
    signal.raise_signal(signal.SIGTERM)
