"""`belljar serve`: the control plane."""

import os
import sys

import typer
from pydantic import ValidationError

from belljar.cli.box import _fail, _url
from belljar.cli.options import complaint, options_from
from belljar.ice import host_to_bind
from belljar.plane.settings import PlaneSettings
from belljar.wire.desktop import Webrtc
from belljar.wire.isolation import JailMode


@options_from(PlaneSettings)
def serve(**given: object) -> None:
    """Run the control plane: sessions, each in a box of its own, behind API keys, with a dashboard.

    The first start makes an admin's key and prints it once. Every option is also a variable, such as BELLJAR_PORT.

    Every session gets the defaults for memory, processors, disk, processes, viewers, scripts and CDP; a request may ask
    for less, and for more up to the ceilings, which are the defaults unless set.

    Example:  belljar serve --port 8080 --pool-size 2

    Example:  belljar serve --default-memory 2G --max-memory 8G --max-memory-per-user 16G

    Example:  belljar serve --evaluate off --cdp off --max-viewers 4
    """
    _run(given)


def _run(given: dict[str, object]) -> None:
    """Imports stand here so that `belljar --help` stays quick."""
    import anyio

    from belljar.agent.mcp.hosted import on_control_plane
    from belljar.box.sandbox.isolation import CannotIsolate
    from belljar.dependencies import missing_for_browser
    from belljar.logs import set_up_logs
    from belljar.plane.access.secrets import MasterKeyError, load_master_key
    from belljar.plane.app import create_app
    from belljar.plane.bootstrap import CannotUseDatabase, prepare
    from belljar.plane.boxes.launchers.base import LaunchError
    from belljar.plane.kernel import available_memory
    from belljar.server.connections import Connections
    from belljar.server.serving import CannotListen, bind, bind_webrtc, serve
    from belljar.state import StateDirUnusable, make_state_dir

    try:
        settings = PlaneSettings(**given)
        has_browser = settings.launcher != "local" or not missing_for_browser(settings.state_dir)
        settings = settings.with_pool_size(available_memory(), has_browser=has_browser)
    except ValidationError as error:
        _fail(complaint(error))
    set_up_logs(settings.log_format, settings.log_level)
    try:
        make_state_dir(settings.state_dir)
        anyio.run(_check_launcher, settings)
        master = load_master_key(settings.master_key)
        listener = bind(settings.host, settings.port)
        webrtc = None
        if settings.webrtc is not Webrtc.OFF:
            host = host_to_bind(settings.webrtc_advertised)
            webrtc = bind_webrtc(host, settings.webrtc_port, has_tcp=not settings.no_webrtc_tcp)
        welcome = anyio.run(prepare, settings, master)
    except (StateDirUnusable, CannotIsolate, MasterKeyError, CannotListen, CannotUseDatabase) as error:
        _fail(str(error))
    except LaunchError as error:
        _fail(f"No box can be made: {error}.")
    url = settings.public_url or _url(listener)
    application = create_app(settings, master, [on_control_plane()], webrtc=webrtc)

    def announce() -> None:
        _announce(url, settings.pool_size or 0, welcome.new_key, welcome.ticket)
        if settings.jail is JailMode.OFF:
            _warn_without_jail()

    if not serve(
        application.app,
        listener,
        on_listening=announce,
        on_stopping=application.stopping.set,
        drain=settings.drain,
        head_seconds=settings.head_timeout,
        body_seconds=settings.body_timeout,
        per_address=Connections(settings.max_connections_per_address, settings.trusted_proxies),
    ):
        raise typer.Exit(1)


async def _check_launcher(settings: PlaneSettings) -> None:
    """Whether boxes can be made, by trying what they need: better told now than to the first caller."""
    if settings.launcher == "docker":
        from belljar.plane.boxes.launchers.docker import check_engine

        await check_engine(settings)
    elif settings.launcher == "kubernetes":
        from belljar.plane.boxes.launchers.kubernetes.opening import check_cluster

        await check_cluster(settings)
    elif settings.jail is not JailMode.OFF:
        from belljar.box.sandbox.isolation import try_jail

        await try_jail(settings.state_dir)


def _warn_without_jail() -> None:
    whose = "under users of their own" if os.geteuid() == 0 else "as you"
    sys.stdout.write(f"\nWithout a jail, as told by --jail off: programs of sessions run {whose} on this host.\n")
    sys.stdout.flush()


def _announce(url: str, warm: int, new_key: str | None, ticket: str | None) -> None:
    """Standard output is for people; logs go to standard error."""
    out = sys.stdout
    out.write(f"Belljar listens on {url}\n")
    if warm:
        boxes = "One box is" if warm == 1 else f"{warm} boxes are"
        out.write(f"{boxes} kept warm, so that a session starts at once (--pool-size 0 keeps none).\n")
    if new_key is not None:
        out.write(f"Admin key, shown this once: {new_key}\n")
        out.write(f"\nTry:  curl -X POST -H 'Authorization: Bearer {new_key}' {url}/api/sessions\n")
    if ticket is not None:
        out.write(f"\nDashboard, signed in once by this link: {url}/sign-in?ticket={ticket}\n")
    out.flush()
