"""The launcher that the settings ask for, opened; `cli/serve` and `plane/administration/checks` try its host first."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from belljar.plane.boxes.launchers.base import Launcher
from belljar.plane.settings import PlaneSettings


@asynccontextmanager
async def open_launcher(
    settings: PlaneSettings, installation: str, key_of: Callable[[str], bytes]
) -> AsyncIterator[Launcher]:
    """For as long as the block; `key_of` gives a box's key.  Raises `LaunchError` where what it needs is not there."""
    if settings.launcher == "docker":
        from belljar.plane.boxes.launchers.docker import open_docker

        async with open_docker(settings, installation) as launcher:
            yield launcher
    elif settings.launcher == "kubernetes":
        from belljar.plane.boxes.launchers.kubernetes.opening import open_kubernetes

        async with open_kubernetes(settings, installation, key_of) as launcher:
            yield launcher
    else:
        from belljar.plane.boxes.launchers.local import LocalLauncher

        yield LocalLauncher(settings.state_dir, installation, settings.host_name)
