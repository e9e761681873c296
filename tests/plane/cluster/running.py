"""A cluster with one node, gone with the test: an API of our own, or a real API server that `make cluster` gave."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.plane.cluster.api import KUBELET_TOKEN, NAMESPACE, FakeApi, fake_api
from tests.plane.cluster.kubelet import Kubelet, running_kubelet
from tests.plane.cluster.kubelet_logs import serving_logs
from tests.plane.cluster.server import real_api

# The claim that boxes keep their state on.
VOLUME = "belljar-state"
# The program of a real API server.
SERVER = os.environ.get("BELLJAR_TEST_APISERVER", "")


@dataclass
class RunningCluster:
    kubelet: Kubelet
    kubeconfig: Path
    client: httpx.Client
    # Where it is our own, which can be made to misbehave.
    fake: FakeApi | None = None

    @property
    def api(self) -> FakeApi:
        if self.fake is None:
            pytest.skip("a real API server does not misbehave when told to")
        return self.fake

    def pod(self, name: str) -> dict[str, Any]:
        answer = self.client.get(f"/api/v1/namespaces/{NAMESPACE}/pods/{name}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def names(self, kind: str) -> list[str]:
        """But for what a cluster has of its own."""
        items = self.client.get(f"/api/v1/namespaces/{NAMESPACE}/{kind}").json()["items"] or ()
        return sorted(one["metadata"]["name"] for one in items if one["metadata"].get("labels"))


@contextmanager
def running_cluster(volume: Path) -> Iterator[RunningCluster]:
    """`volume` is what a claim named `VOLUME` stands for."""
    if os.geteuid() != 0 or shutil.which("bwrap") is None:
        pytest.skip("a kubelet that starts boxes needs root and bubblewrap")
    with ExitStack() as stack:
        made = tempfile.TemporaryDirectory(prefix="bj-cluster-", ignore_cleanup_errors=True)
        folder = Path(stack.enter_context(made))
        folder.chmod(0o711)
        fake: FakeApi | None = None
        if SERVER:
            real = stack.enter_context(real_api(SERVER, folder))
            client, kubeconfig = real.client, real.kubeconfig
        else:
            fake = stack.enter_context(fake_api(folder))
            headers = {"Authorization": f"Bearer {KUBELET_TOKEN}"}
            client = stack.enter_context(httpx.Client(base_url=fake.url, headers=headers, timeout=10))
            kubeconfig = fake.kubeconfig
        kubelet = stack.enter_context(running_kubelet(client, NAMESPACE, folder / "pods", {VOLUME: volume}))
        if fake is None:
            stack.enter_context(serving_logs(kubelet, client, real.certificate, real.key))
        else:
            fake.log_of = kubelet.log_of
        yield RunningCluster(kubelet, kubeconfig, client, fake)
