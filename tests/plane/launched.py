"""A control plane over each launcher, for tests that are the same for all of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.plane.cluster.running import VOLUME, RunningCluster, running_cluster
from tests.plane.plane import RunningPlane, running_plane, state_folder

# Which have what they need everywhere; the others run with `make test-engines`.
LAUNCHERS = ["local", pytest.param("kubernetes", marks=pytest.mark.engines)]


def kubernetes_flags(cluster: RunningCluster) -> tuple[str, ...]:
    return ("--launcher", "kubernetes", "--kubeconfig", str(cluster.kubeconfig), "--kubernetes-volume", VOLUME)


@contextmanager
def launched_plane(launcher: str, *flags: str, **how: Any) -> Iterator[tuple[RunningPlane, Path]]:
    """With the folder that its boxes are found in."""
    with state_folder() as state:
        if launcher == "local":
            with running_plane(*flags, state_dir=state, **how) as plane:
                yield plane, state
            return
        with running_cluster(state) as cluster:
            with running_plane(*kubernetes_flags(cluster), *flags, state_dir=state, **how) as plane:
                yield plane, state
            # Told to stop, it removes what it has.
            assert cluster.names("pods") == [] and cluster.names("secrets") == []
