"""Two control planes on one PostgreSQL: as one host and as two."""

import asyncio
import os
import queue
import signal
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2 as httpx
import pytest
from websockets.sync.client import connect

from belljar.plane.registry.protocol import SILENT_SECONDS
from tests.box.live.rtc.client import SIGNALING, neko_at, on_loopback
from tests.plane.plane import PATIENCE, RunningPlane, boxes_of, close_of, running_plane, state_folder, until
from tests.plane.postgres import Postgres

__all__ = ["on_loopback"]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def two_planes(
    postgres: Postgres, first: tuple[str, ...] = (), second: tuple[str, ...] = ()
) -> Iterator[tuple[RunningPlane, RunningPlane, Path]]:
    url = postgres.new_database()
    with ExitStack() as stack:
        state = stack.enter_context(state_folder())
        shared = ("--database-url", url, "--master-key-file", str(state / "master.key"))
        limits = ("--max-sessions-per-user", "6", "--queue-wait", "20")
        one = stack.enter_context(running_plane(*shared, *limits, *first, state_dir=state))
        two = stack.enter_context(running_plane(*shared, *limits, *second, state_dir=state, key=one.key))
        yield one, two, state


@pytest.fixture(scope="module")
def planes_of_one_host(postgres: Postgres) -> Iterator[tuple[RunningPlane, RunningPlane, Path]]:
    with two_planes(postgres) as planes:
        yield planes


@pytest.fixture
def one_host(
    planes_of_one_host: tuple[RunningPlane, RunningPlane, Path],
) -> Iterator[tuple[RunningPlane, RunningPlane, Path]]:
    """Two control planes that tests share: each finds them without a session."""
    try:
        yield planes_of_one_host
    finally:
        with planes_of_one_host[0].client() as client:
            for session in client.get("/api/sessions", params={"state": "running"}).json()["sessions"]:
                client.delete(f"/api/sessions/{session['id']}")


def health(plane: RunningPlane, session: str, token: str) -> httpx.Response:
    return httpx.get(
        f"{plane.url}/s/{session}/v1/health", headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE
    )


def test_on_one_host_each_serves_and_ends_the_others_sessions(
    one_host: tuple[RunningPlane, RunningPlane, Path],
) -> None:
    one, two, state = one_host
    session = one.create()
    assert health(two, session["id"], session["token"]).is_success
    with two.client() as client:
        assert client.delete(f"/api/sessions/{session['id']}").json()["state"] == "stopped"
    until(lambda: health(one, session["id"], session["token"]).status_code == 409, within=2)
    assert not boxes_of(state)


def test_a_limit_holds_over_both(one_host: tuple[RunningPlane, RunningPlane, Path]) -> None:
    one, two, state = one_host

    def create(number: int) -> int:
        plane = (one, two)[number % 2]
        with plane.client() as client:
            return client.post("/api/sessions", json={"mode": "none"}).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(create, range(8)))
    assert statuses == [201] * 6 + [429] * 2
    with one.client() as client:
        sessions = client.get("/api/sessions", params={"state": "running"}).json()["sessions"]
    assert len({session["sandboxId"] for session in sessions}) == 6


def test_when_one_is_killed_the_other_adopts_its_sessions(postgres: Postgres) -> None:
    with two_planes(postgres) as (one, two, state):
        session = one.create()
        half = httpx.post(
            f"{one.url}/api/sessions?wait=false",
            json={"mode": "none"},
            headers={"Authorization": f"Bearer {one.key}"},
        ).json()
        one.kill()
        assert health(two, session["id"], session["token"]).is_success
        over = until(lambda: (it := two.get(half["id"]))["state"] in ("failed", "running") and it)
        assert over["state"] == "running" or over["reason"] == "failed"
        with two.client() as client:
            audit = f"/api/audit?session={session['id']}"
            until(lambda: "session.adopted" in client.get(audit).text, what="adoption")
        assert two.terminate() == 0
        until(lambda: not boxes_of(state), what="the adopted boxes' end")


def test_a_token_revoked_on_one_closes_connections_on_the_other(
    one_host: tuple[RunningPlane, RunningPlane, Path],
) -> None:
    one, two, _ = one_host
    session = one.create()
    with one.client() as client:
        started = client.post(f"/s/{session['id']}/v1/processes", json={"command": "cat", "tty": True}).json()
        token = client.get(f"/api/sessions/{session['id']}/tokens").json()["tokens"][0]["id"]
        url = f"{two.url.replace('http', 'ws')}/s/{session['id']}/v1/processes/{started['id']}/terminal/ws"
        with connect(url, additional_headers={"Authorization": f"Bearer {session['token']}"}, proxy=None) as open_:
            assert client.delete(f"/api/sessions/{session['id']}/tokens/{token}").is_success
            assert close_of(open_, within=5).code == 1008
    assert health(two, session["id"], session["token"]).status_code == 401


async def watch_by_webrtc(url: str, token: str) -> int:
    """Until there is a picture; the port that it came by."""
    async with neko_at(url, token) as viewer:
        await viewer.watch()
        await viewer.frame()
        assert viewer.peer is not None
        return int(viewer.peer.remoteDescription.sdp.partition("a=candidate:")[2].split()[5])


@pytest.mark.usefixtures("on_loopback")
def test_on_two_hosts_one_forwards_to_the_other_if_it_can(postgres: Postgres) -> None:
    port = free_port()
    here = ("--host-name", "here", "--port", str(port), "--peer-url", f"http://127.0.0.1:{port}")
    webrtc = free_port()
    first = (*here, "--webrtc-port", str(webrtc))
    with two_planes(postgres, first, ("--host-name", "there")) as (one, two, state):
        ours, theirs = one.create(), two.create()
        assert health(two, ours["id"], ours["token"]).is_success
        refused = health(one, theirs["id"], theirs["token"])
        assert refused.status_code == 421 and refused.json()["code"] == "wrong_host"
        assert health(two, ours["id"], "wrong").status_code == 401
        with two.client() as client:
            at = f"/api/sessions/{ours['id']}/tokens"
            watching = client.post(at, json={"role": "view", "ttl": 60}).json()["token"]
        with two.client(watching) as viewer:
            # Judged there again, and signed for there: the name of a caller does not come along.
            forged = {"Belljar-Caller": "operator; root", "Connection": "content-length"}
            path = f"/s/{ours['id']}/v1/processes"
            assert viewer.post(path, json={"command": "true"}, headers=forged).status_code == 403
            assert health(two, ours["id"], watching).is_success
        with two.client() as client:
            started = client.post(f"/s/{ours['id']}/v1/processes", json={"command": "cat", "tty": True}).json()
            url = f"{two.url.replace('http', 'ws')}/s/{ours['id']}/v1/processes/{started['id']}/terminal/ws"
            headers = {"Authorization": f"Bearer {ours['token']}"}
            with connect(url, additional_headers=headers, proxy=None) as socket_:
                assert "ready" in str(socket_.recv(PATIENCE))
            # Pictures come by the port of the control plane that has the box, whoever was asked for them.
            for path in ("/v1/desktop/start", "/v1/desktop/stream/start"):
                assert client.post(f"/s/{ours['id']}{path}", json={"width": 320, "height": 240}).status_code == 200
            assert anyio.run(watch_by_webrtc, f"{two.url}/s/{ours['id']}{SIGNALING}", ours["token"]) == webrtc
            assert client.delete(f"/api/sessions/{ours['id']}").json()["state"] == "stopped"
            tagged: dict[str, Any] = {"tags": {"run": "both"}}
            far, near = one.create(**tagged), two.create(**tagged)
            gone = client.delete("/api/sessions", params={"tag": "run:both"}).json()["removed"]
            assert sorted(gone) == sorted([far["id"], near["id"]])
            assert {one.get(far["id"])["state"], two.get(near["id"])["state"]} == {"stopped"}
        with one.client() as client:
            near, far = one.create(**tagged), two.create(**tagged)
            refused = client.delete("/api/sessions", params={"tag": "run:both"})
            assert refused.status_code == 421
            assert refused.json()["removed"] == [near["id"]] and refused.json()["left"] == [far["id"]]
            assert one.get(far["id"])["state"] == "running"
            assert client.delete(f"/api/sessions/{theirs['id']}").status_code == 421
            assert client.get(f"/api/sessions/{theirs['id']}").json()["state"] == "running"
        two.kill()
        assert one.get(theirs["id"])["state"] == "running", "another host's session is not ours to end"
        one.terminate()
        assert len(boxes_of(state)) >= 1
        with running_plane(
            "--database-url", _url(two), "--master-key-file", str(state / "master.key"),
            "--host-name", "there", state_dir=state, key=one.key,
        ) as back:  # fmt: skip
            assert health(back, theirs["id"], theirs["token"]).is_success
        until(lambda: not boxes_of(state))


def test_a_peer_behind_tls_is_reached_when_its_certificate_is_good(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    with tls_before(port, tmp_path) as outside:
        here = ("--host-name", "here", "--port", str(port), "--peer-url", f"https://localhost:{outside}")
        with two_planes(postgres, here, ("--host-name", "there")) as (one, two, state):
            session = one.create()
            refused = health(two, session["id"], session["token"])
            assert refused.status_code == 502, "nobody it trusts vouches for the certificate"
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate"))
            shared = ("--database-url", _url(two), "--master-key-file", str(state / "master.key"))
            with running_plane(*shared, "--host-name", "third", state_dir=state, key=one.key) as third:
                with third.client() as client:
                    at = f"/s/{session['id']}/v1/processes"
                    started = client.post(at, json={"command": "cat", "tty": True}).json()
                url = f"{third.url.replace('http', 'ws')}{at}/{started['id']}/terminal/ws"
                headers = {"Authorization": f"Bearer {session['token']}"}
                with connect(url, additional_headers=headers, proxy=None) as socket_:
                    assert "ready" in str(socket_.recv(PATIENCE))


@contextmanager
def tls_before(port: int, folder: Path) -> Iterator[int]:
    """Ends TLS for what listens on `port`, with a certificate that signs itself."""
    key, certificate = folder / "key", folder / "certificate"
    subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "1")
    made = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    subprocess.run([*made, *subject, "-keyout", key, "-out", certificate], check=True, capture_output=True, timeout=30)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    async def join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            try:
                while data := await source.read(65536):
                    sink.write(data)
                    await sink.drain()
            except OSError:
                pass
            finally:
                sink.close()

        await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer))

    async def serve(ready: Callable[[int, asyncio.AbstractEventLoop, asyncio.Event], None]) -> None:
        server = await asyncio.start_server(join, "127.0.0.1", 0, ssl=context)
        stop = asyncio.Event()
        ready(server.sockets[0].getsockname()[1], asyncio.get_running_loop(), stop)
        async with server:
            await stop.wait()

    said: queue.Queue[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = queue.Queue()
    thread = threading.Thread(target=lambda: asyncio.run(serve(lambda *what: said.put(what))))
    thread.start()
    listening, loop, stop = said.get(timeout=PATIENCE)
    try:
        yield listening
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(PATIENCE)


def _url(plane: RunningPlane) -> str:
    arguments = list(map(str, plane.process.args))  # type: ignore[arg-type]  # a list, as we gave it
    return arguments[arguments.index("--database-url") + 1]


@pytest.mark.timeout(180)
def test_in_two_pid_namespaces_neither_ends_what_the_other_has_while_one_is_stopped(postgres: Postgres) -> None:
    """As in two containers: neither sees the other's process; who is stopped is silent for too long."""
    alone = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
    with ExitStack() as stack:
        url, state = postgres.new_database(), stack.enter_context(state_folder())
        shared = ("--database-url", url, "--master-key-file", str(state / "master.key"))
        planes: list[RunningPlane] = []
        for name in ("one", "two"):
            (state / name).mkdir(mode=0o711)
            key = planes[0].key if planes else ""
            running = running_plane(*shared, "--host-name", name, state_dir=state / name, key=key, inside=alone)
            planes.append(stack.enter_context(running))
        sessions = [plane.create(idleTimeout=0, ttl=3600) for plane in planes]
        for stopped, other in (0, 1), (1, 0):
            # The control plane is what `unshare` waits for.
            pid = planes[stopped].process.pid
            [child] = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            os.kill(int(child), signal.SIGSTOP)
            try:
                over_at = time.monotonic() + SILENT_SECONDS + 2
                while time.monotonic() < over_at:
                    assert health(planes[other], sessions[other]["id"], sessions[other]["token"]).is_success
                    assert planes[other].get(sessions[stopped]["id"])["state"] == "running"
            finally:
                os.kill(int(child), signal.SIGCONT)
            for plane, session in zip(planes, sessions, strict=True):
                assert health(plane, session["id"], session["token"]).is_success
                assert plane.get(session["id"])["state"] == "running"
