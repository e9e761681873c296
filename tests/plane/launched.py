"""A control plane over each launcher, for tests that are the same for all of them."""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from belljar.plane import kernel
from tests.plane.cluster.running import VOLUME, RunningCluster, running_cluster
from tests.plane.engine import RunningEngine
from tests.plane.plane import RunningPlane, boxes_of, running_plane, state_folder

# The first has what it needs everywhere; the others run with `make test-engines`.
LAUNCHERS = ["local", *(pytest.param(name, marks=pytest.mark.engines) for name in ("docker", "kubernetes"))]


def kubernetes_flags(cluster: RunningCluster) -> tuple[str, ...]:
    return ("--launcher", "kubernetes", "--kubeconfig", str(cluster.kubeconfig), "--kubernetes-volume", VOLUME)


def docker_flags(engine: RunningEngine) -> tuple[str, ...]:
    socket = ("--docker-socket", str(engine.socket), "--docker-image", engine.image)
    # The pages of tests are on loopback, which is where egress must go from.
    return ("--launcher", "docker", *socket, "--docker-network", "host")


@dataclass(frozen=True)
class LauncherPlace:
    """A state folder, and the launcher of the control planes that are started on it."""

    state: Path
    flags: tuple[str, ...] = ()
    engine: RunningEngine | None = None
    cluster: RunningCluster | None = None

    def plane(self, *flags: str, **how: Any) -> AbstractContextManager[RunningPlane]:
        return running_plane(*self.flags, *flags, state_dir=self.state, **how)

    def box_ids(self) -> set[str]:
        """Of what there is in any form: folders, processes, containers, Pods and Secrets."""
        boxes = self.state / "boxes"
        folders = [one.name.lstrip(".") for one in boxes.iterdir()] if boxes.exists() else []
        words = [word for pid in kernel.pids() for word in kernel.arguments(pid) if f"{boxes}/" in word]
        running = [word.partition(f"{boxes}/")[2].partition("/")[0] for word in words]
        elsewhere = [] if self.engine is None else self.engine.containers(below=self.state)
        if self.cluster is not None:
            elsewhere = [*self.cluster.names("pods"), *self.cluster.names("secrets")]
        return {*folders, *running, *(re.sub("^belljar-|-egress$", "", name) for name in elsewhere)}

    @contextmanager
    def away(self) -> Iterator[None]:
        """What keeps the boxes cannot be asked meanwhile: the engine, or the API of the cluster."""
        keeper = self.engine if self.cluster is None else self.cluster.api
        assert keeper is not None, "processes have no keeper"
        keeper.stop()
        try:
            yield
        finally:
            keeper.start()

    def boxes(self) -> list[str]:
        """What runs or is kept of any box: processes, containers, Pods and Secrets."""
        found = [str(pid) for pid in boxes_of(self.state)]
        if self.engine is not None:
            found += self.engine.containers(below=self.state)
        if self.cluster is not None:
            found += [*self.cluster.names("pods"), *self.cluster.names("secrets")]
        return found


@contextmanager
def launcher_place(request: pytest.FixtureRequest) -> Iterator[LauncherPlace]:
    """Of the launcher that is the fixture's parameter."""
    with state_folder() as state:
        if request.param == "local":
            yield LauncherPlace(state)
        elif request.param == "docker":
            engine: RunningEngine = request.getfixturevalue("engine")
            yield LauncherPlace(state, docker_flags(engine), engine=engine)
        else:
            with running_cluster(state) as cluster:
                yield LauncherPlace(state, kubernetes_flags(cluster), cluster=cluster)


@contextmanager
def launched_plane(request: pytest.FixtureRequest, *flags: str, **how: Any) -> Iterator[RunningPlane]:
    with launcher_place(request) as place:
        with place.plane(*flags, **how) as plane:
            yield plane
        # Told to stop, it removes what it has.
        assert place.boxes() == []
