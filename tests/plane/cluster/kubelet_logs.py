"""The port of the tests' kubelet at which a real API server reads what containers said."""

import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2 as httpx

from tests.plane.cluster.kubelet import NODE, Kubelet


@contextmanager
def serving_logs(kubelet: Kubelet, client: httpx.Client, certificate: Path, key: Path) -> Iterator[None]:
    """As a node of the cluster, which says where that is."""

    class Logs(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            """/containerLogs/NAMESPACE/POD/CONTAINER?follow=true"""
            path, _, query = self.path.partition("?")
            name, follows = path.split("/")[3], "follow=true" in query
            self.send_response(200 if kubelet.log_of(name) is not None else 404)
            self.end_headers()
            sent = 0
            while (said := kubelet.log_of(name)) is not None:
                container = kubelet.containers.get(name)
                is_over = container is None or container.process.poll() is not None
                self.wfile.write(said[sent:])
                self.wfile.flush()
                sent = len(said)
                if not follows or is_over:
                    return
                time.sleep(0.02)

        def log_message(self, format: str, *args: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Logs)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.05}, name="kubelet logs", daemon=True
    )
    thread.start()
    about = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}}
    # An API server that outlives a test knows the node of the one before.
    if client.get(f"/api/v1/nodes/{NODE}").status_code == 404:
        assert client.post("/api/v1/nodes", json=about).status_code == 201
    where = {
        "addresses": [{"type": "InternalIP", "address": "127.0.0.1"}],
        "daemonEndpoints": {"kubeletEndpoint": {"Port": server.server_port}},
    }
    patch = {"Content-Type": "application/merge-patch+json"}
    answer = client.patch(f"/api/v1/nodes/{NODE}/status", json={"status": where}, headers=patch)
    assert answer.status_code == 200, answer.text
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
