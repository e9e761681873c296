"""The Kubernetes launcher as the settings ask for it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from belljar.plane.boxes.launchers.base import LaunchError
from belljar.plane.boxes.launchers.kubernetes.api import Api, ApiAway, Reach, open_api
from belljar.plane.boxes.launchers.kubernetes.launcher import ClusterPlace, KubernetesLauncher, running_launcher
from belljar.plane.boxes.launchers.kubernetes.pods import PodSettings, Toleration
from belljar.plane.settings import PlaneSettings


@asynccontextmanager
async def open_kubernetes(
    settings: PlaneSettings, installation: str, key_of: Callable[[str], bytes]
) -> AsyncIterator[KubernetesLauncher]:
    """Raises `LaunchError` where nothing says which cluster; one that is away is waited for."""
    place = ClusterPlace(installation, settings.kubernetes_cluster, settings.state_dir)
    async with _opened_api(settings) as api, running_launcher(api, pod_settings(settings), place, key_of) as launcher:
        yield launcher


async def check_cluster(settings: PlaneSettings) -> None:
    """Raises `LaunchError` where there is no cluster, or one that does not let us do what sessions need."""
    place = ClusterPlace("none", settings.kubernetes_cluster, settings.state_dir)
    async with _opened_api(settings) as api:
        await KubernetesLauncher(api, pod_settings(settings), place, lambda _: b"").check()


def pod_settings(settings: PlaneSettings) -> PodSettings:
    return PodSettings(
        image=settings.kubernetes_image,
        pull_policy=settings.kubernetes_pull_policy,
        pull_secrets=settings.kubernetes_pull_secrets,
        service_account=settings.kubernetes_service_account,
        runtime_class=settings.kubernetes_runtime_class,
        priority_class=settings.kubernetes_priority_class,
        node_selector=_pairs(settings.kubernetes_node_selector),
        tolerations=tuple(map(_toleration, settings.kubernetes_tolerations)),
        requests=_pairs(settings.kubernetes_requests),
        seccomp=settings.kubernetes_seccomp,
        apparmor=settings.kubernetes_apparmor,
        user_namespace=not settings.kubernetes_host_users,
        volume=settings.kubernetes_volume,
    )


@asynccontextmanager
async def _opened_api(settings: PlaneSettings) -> AsyncIterator[Api]:
    reach = Reach(settings.kubeconfig, settings.kubernetes_context, settings.kubernetes_namespace)
    try:
        async with open_api(reach, settings.kubernetes_write_rate) as api:
            yield api
    except ApiAway as error:
        raise LaunchError(str(error)) from error


def _pairs(told: tuple[str, ...]) -> dict[str, str]:
    """Of KEY=VALUE each."""
    return {key: value for key, _, value in (one.partition("=") for one in told)}


def _toleration(told: str) -> Toleration:
    """Of KEY[=VALUE][:EFFECT]."""
    taint, _, effect = told.partition(":")
    key, has_value, value = taint.partition("=")
    return Toleration(key, value if has_value else None, effect or None)
