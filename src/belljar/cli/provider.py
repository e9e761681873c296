"""`belljar provider`: a browser for agents behind a Unix socket, which is all that they get to touch."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from belljar.cli.box import TOKEN_VARIABLE, _fail, _read_token
from belljar.settings import LogLevel
from belljar.wire.isolation import JailMode

if TYPE_CHECKING:
    from belljar.agent.provider.settings import ProviderSettings

Folder = Annotated[Path, typer.Argument(help="Where socket and token go; made, and closed to everyone else.")]
Provider = Annotated[str, typer.Option(help="container: a box for each session; remote: on --url; or none.")]
Domain = Annotated[list[str] | None, typer.Option(help="A domain whose pages may be opened; without any, all may.")]
Strict = Annotated[bool, typer.Option("--strict", help="Nothing at all is fetched from other domains.")]
Url = Annotated[str | None, typer.Option(help="remote: the box or control plane.")]
OwnBox = Annotated[
    bool, typer.Option("--own-box", help="remote: the box is this provider's alone, so that --strict may narrow it.")
]
TokenFile = Annotated[
    str | None, typer.Option(help=f"remote: file with its token or key, instead of {TOKEN_VARIABLE}.")
]
Jail = Annotated[JailMode | None, typer.Option(help="container: whether programs run in a jail.")]
Egress = Annotated[str | None, typer.Option(help="container: where pages may connect to: public, open, none, a file.")]
Allow = Annotated[list[str] | None, typer.Option(help="container: a host and port allowed beside that.")]
Level = Annotated[LogLevel, typer.Option(help="What is logged, to standard error.")]


def provider(
    folder: Folder,
    provider: Provider = "container",
    domain: Domain = None,
    strict: Strict = False,
    url: Url = None,
    own_box: OwnBox = False,
    token_file: TokenFile = None,
    jail: Jail = None,
    egress: Egress = None,
    allow: Allow = None,
    log_level: Level = "warning",
) -> None:
    """Serve a browser to agents on a Unix socket: seven commands, and pages only of the domains you allow.

    What is not given is read from the environment: BELLJAR_BROWSER_ALLOWED_DOMAINS, BELLJAR_URL, BELLJAR_EGRESS, …

    Examples:

      belljar provider ~/.belljar-browser --domain example.com --strict

      BELLJAR_TOKEN=… belljar provider ~/.belljar-browser --provider remote --url http://127.0.0.1:2468
    """
    from belljar.logs import set_up_logs

    given = {
        "browser_allowed_domains": tuple(domain) if domain else None,
        "browser_allowed_domains_strict": strict or None,
        "browser_own_box": own_box or None,
        "url": url,
        "token": _read_token(token_file) if token_file else None,
        "jail": jail,
        "egress": egress,
        "allow": tuple(allow) if allow else None,
    }
    settings = _settings({name: value for name, value in given.items() if value is not None})
    set_up_logs("auto", log_level)
    _serve(provider, settings, folder.expanduser().absolute())


def _settings(given: dict[str, object]) -> "ProviderSettings":
    from pydantic import ValidationError

    from belljar.agent.provider.settings import ProviderSettings

    try:
        return ProviderSettings(**given)
    except ValidationError as error:
        _fail("; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_input=False)))


def _serve(name: str, settings: "ProviderSettings", folder: Path) -> None:
    import gc

    import anyio

    from belljar.agent.provider.hosting import host_provider
    from belljar.agent.provider.types import ProviderError

    def announce() -> None:
        gc.enable()
        typer.echo(f"The {name} provider listens in {folder}")

    try:
        anyio.run(host_provider, name, settings, folder, announce)
    except ProviderError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"Cannot serve in {folder}: {error.strerror or error}.")
