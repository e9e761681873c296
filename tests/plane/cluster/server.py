"""A real API server and etcd, on loopback: what Pods may be, who may do what, and how watches really go.

`make cluster` builds it; `BELLJAR_TEST_APISERVER` names it.  There is no scheduler and no controller: the tests' own
kubelet binds Pods to itself.
"""

import json
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import yaml
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from scripts.make_manifests import render
from tests.plane.cluster.api import KUBELET_TOKEN, NAMESPACE, TOKEN

_READY_WITHIN = 120.0
# As whom control planes come.
PLANE = "belljar-plane"


@dataclass
class RealApi:
    url: str
    kubeconfig: Path
    certificate: Path
    key: Path
    process: "subprocess.Popen[bytes]"
    client: httpx.Client


@contextmanager
def real_api(server: str, folder: Path) -> Iterator[RealApi]:
    with ExitStack() as stack:
        etcd_port, peer_port, port = _free_port(), _free_port(), _free_port()
        etcd, peers = f"http://127.0.0.1:{etcd_port}", f"http://127.0.0.1:{peer_port}"
        listening = ["--listen-client-urls", etcd, "--advertise-client-urls", etcd, "--listen-peer-urls", peers]
        cluster = ["--initial-advertise-peer-urls", peers, "--initial-cluster", f"default={peers}"]
        program = shutil.which("etcd")
        assert program is not None
        _started(stack, [program, "--data-dir", str(folder / "etcd"), *listening, *cluster], folder / "etcd.log")
        process = _started(stack, [server, *_flags(folder, etcd, port)], folder / "apiserver.log")
        certificates = folder / "certificates"
        _wait_until(lambda: (certificates / "apiserver.crt").exists(), process, folder)
        context = ssl.create_default_context(cafile=str(certificates / "apiserver.crt"))
        url = f"https://127.0.0.1:{port}"
        headers = {"Authorization": f"Bearer {KUBELET_TOKEN}"}
        client = stack.enter_context(httpx.Client(base_url=url, headers=headers, verify=context, timeout=30))
        _wait_until(lambda: _is_ready(client), process, folder)
        kubeconfig = folder / "kubeconfig"
        kubeconfig.write_text(json.dumps(_kubeconfig(url, certificates / "apiserver.crt")))
        api = RealApi(url, kubeconfig, certificates / "apiserver.crt", certificates / "apiserver.key", process, client)
        _prepare(client)
        yield api


def _flags(folder: Path, etcd: str, port: int) -> list[str]:
    key = folder / "service-account.key"
    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form = serialization.PrivateFormat.TraditionalOpenSSL
    key.write_bytes(made.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))
    tokens = folder / "tokens.csv"
    tokens.write_text(f'"{KUBELET_TOKEN}",kubelet,1,"system:masters"\n{TOKEN},{PLANE},2\n')
    return [
        *("--etcd-servers", etcd, "--secure-port", str(port), "--bind-address", "127.0.0.1"),
        *("--cert-dir", str(folder / "certificates"), "--token-auth-file", str(tokens)),
        *("--service-account-issuer", "https://kubernetes.default.svc", "--api-audiences", "api"),
        *("--service-account-key-file", str(key), "--service-account-signing-key-file", str(key)),
        *("--service-cluster-ip-range", "10.0.0.0/24", "--authorization-mode", "RBAC"),
        *("--endpoint-reconciler-type", "none", "--feature-gates", "ProcMountType=true"),
        *("--disable-admission-plugins", "ServiceAccount,Priority,RuntimeClass"),
        *("--kubelet-preferred-address-types", "InternalIP"),
    ]


def _prepare(client: httpx.Client) -> None:
    """The namespace, and the chart's own Role for whoever control planes come as."""
    about = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    _have(client, "/api/v1/namespaces", about)
    for one in yaml.safe_load_all(render("pods", f"boxes.namespace={NAMESPACE}")):
        if one is None or one["kind"] not in ("Role", "RoleBinding"):
            continue
        if one["kind"] == "RoleBinding":
            one["subjects"] = [{"kind": "User", "name": PLANE, "apiGroup": "rbac.authorization.k8s.io"}]
        path = f"/apis/rbac.authorization.k8s.io/v1/namespaces/{NAMESPACE}/{one['kind'].lower()}s"
        _have(client, path, one)


def _have(client: httpx.Client, path: str, about: dict[str, Any]) -> None:
    answer = client.post(path, json=about)
    if answer.status_code != 409:  # an earlier test of this server's made it
        assert answer.status_code == 201, answer.text


def _kubeconfig(url: str, certificate: Path) -> dict[str, Any]:
    return {
        "current-context": "test",
        "clusters": [{"name": "test", "cluster": {"server": url, "certificate-authority": str(certificate)}}],
        "users": [{"name": "test", "user": {"token": TOKEN}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": "test", "namespace": NAMESPACE}}],
    }


def _started(stack: ExitStack, words: list[str], log: Path) -> "subprocess.Popen[bytes]":
    with log.open("wb") as out:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def end() -> None:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)

    stack.callback(end)
    return process


def _is_ready(client: httpx.Client) -> bool:
    try:
        # With the roles that it makes at its start.
        return client.get("/readyz").status_code == 200
    except httpx.HTTPError:
        return False


def _wait_until(is_true: Any, process: "subprocess.Popen[bytes]", folder: Path) -> None:
    deadline = time.monotonic() + _READY_WITHIN
    while time.monotonic() < deadline:
        assert process.poll() is None, (folder / "apiserver.log").read_text()[-3000:]
        if is_true():
            return
        time.sleep(0.1)
    raise AssertionError((folder / "apiserver.log").read_text()[-3000:])


def _free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port
