"""Debian's nginx and Caddy with the files of deploy/host, before a control plane that has a public name."""

import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.plane.plane import PATIENCE, RunningPlane, running_plane, state_folder, until
from tests.plane.test_two_planes import free_port

HOST = Path(__file__).parents[2] / "deploy/host"
NAME = "belljar.example.com"


@dataclass(frozen=True)
class Before:
    """A control plane behind a reverse proxy: its public address, which only this machine leads to itself."""

    plane: RunningPlane
    url: str
    port: int
    plain_port: int
    inner_port: int
    certificate: Path

    def client(self, token: str, **more: Any) -> httpx.Client:
        """Asks the proxy by the public name, and trusts the test's certificate alone."""
        return httpx.Client(
            base_url=self.url,
            headers={"Authorization": f"Bearer {token}"},
            transport=_Loopback(verify=self.tls()),
            timeout=PATIENCE,
            **more,
        )

    def async_transport(self) -> httpx.AsyncBaseTransport:
        return _AsyncLoopback(verify=self.tls())

    def tls(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))


class _Loopback(httpx.HTTPTransport):
    """Leads the public name to this machine, as a resolver would elsewhere."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return super().handle_request(_led_here(request))


class _AsyncLoopback(httpx.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await super().handle_async_request(_led_here(request))


def _led_here(request: httpx.Request) -> httpx.Request:
    """A copy: whoever asked goes on with the address as it was."""
    assert request.url.host == NAME, f"{request.url} is not the public address"
    return httpx.Request(
        request.method,
        request.url.copy_with(host="127.0.0.1"),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": NAME},
    )


@contextmanager
def before_a_plane(proxy: str, prefix: str = "") -> Iterator[Before]:
    """`proxy` is nginx or caddy; with a `prefix` such as /belljar everything is below it."""
    program = shutil.which(proxy, path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.skip(f"{proxy} is not installed: 'make test-engines' does that")
    port, plain, inner = free_port(), free_port(), free_port()
    url = f"https://{NAME}:{port}{prefix}"
    flags = ("--public-url", url, "--trusted-proxy", "127.0.0.1", "--port", str(inner), "--egress", "open")
    with state_folder() as folder, running_plane(*flags) as plane:
        certificate, key = _certificate(folder)
        before = Before(plane, url, port, plain, inner, certificate)
        config = folder / "config"
        text = _nginx(before, key, prefix, folder) if proxy == "nginx" else _caddy(before, key, prefix)
        config.write_text(text)
        arguments = (
            ["-e", "stderr", "-c", str(config)]
            if proxy == "nginx"
            else ["run", "--adapter", "caddyfile", "--config", str(config)]
        )
        log = folder / "log"
        with (
            log.open("w") as err,
            subprocess.Popen(
                [program, *arguments],
                stderr=err,
                stdout=err,
                env={**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
            ) as running,
        ):
            try:
                until(lambda: running.poll() is not None or _listens(port), what=f"{proxy} listening")
                assert running.poll() is None, log.read_text()
                yield before
            finally:
                running.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _certificate(folder: Path) -> tuple[Path, Path]:
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    named = ["-subj", "/CN=belljar tests", "-addext", f"subjectAltName=DNS:{NAME}"]
    command = ["openssl", "req", "-x509", *curve, *named, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return certificate, key


def _nginx(before: Before, key: Path, prefix: str, folder: Path) -> str:
    """The committed file as a site of a whole configuration, with this test's ports, files and path."""
    site = (HOST / "nginx.conf").read_text()
    for was, now in (
        ("listen 80;", f"listen 127.0.0.1:{before.plain_port};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{before.port} ssl http2;"),
        ("server 127.0.0.1:2468;", f"server 127.0.0.1:{before.inner_port};"),
        ("/etc/ssl/belljar/fullchain.pem", str(before.certificate)),
        ("/etc/ssl/belljar/privkey.pem", str(key)),
    ):
        assert was in site, f"deploy/host/nginx.conf has no {was}"
        site = site.replace(was, now)
    site = re.sub(r"\n *listen \[::\]:.*", "", site)
    if prefix:
        # As docs/guide/operating.md says.
        site = site.replace("location / {", f"location {prefix}/ {{").replace(
            "proxy_pass http://belljar;", "proxy_pass http://belljar/;"
        )
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"daemon off; master_process off; pid {folder}/pid; events {{}}\nhttp {{ {paths}\n{site}\n}}\n"


def _caddy(before: Before, key: Path, prefix: str) -> str:
    site = (HOST / "Caddyfile").read_text()
    for was, now in (
        (f"\n{NAME} {{", f"\nhttps://{NAME}:{before.port} {{\n\tbind 127.0.0.1\n\ttls {before.certificate} {key}"),
        ("reverse_proxy 127.0.0.1:2468", f"reverse_proxy 127.0.0.1:{before.inner_port}"),
    ):
        assert was in site, f"deploy/host/Caddyfile has no {was!r}"
        site = site.replace(was, now)
    if prefix:
        site = (
            site.replace("\treverse_proxy", f"\thandle_path {prefix}/* {{\n\treverse_proxy").rstrip("}\n") + "}\n}\n}\n"
        )
    return f"{{\n\tadmin off\n\tauto_https off\n}}\n{site}"
