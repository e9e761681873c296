"""Run by `test_inside_a_network.py`: a real browser in a real jail, attacked by pages; its victims decide.

Everything forbidden listens, for TCP and for UDP, and writes down who came.  The same attacks on an address that is
allowed show that they are live.
"""

import contextlib
import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import httpx2 as httpx
import pytest

from tests.egress.attacker import Attacker
from tests.egress.inside_proxy import FORBIDDEN
from tests.egress.packets import Packet, counted
from tests.plane.engine import running_engine
from tests.plane.launched import docker_flags
from tests.plane.plane import JAILED, running_plane
from tests.processes import eventually
from tests.servers import running_box
from tests.world import (
    AZURE,
    HOME,
    METADATA,
    PRIVATE,
    PRIVATE6,
    SECOND,
    SHARED,
    SITE,
    Names,
    is_inside,
    name_server,
)  # fmt: skip

if not is_inside():
    pytest.skip("needs a network of its own", allow_module_level=True)

VICTIM_PORT = 8800
SITE_PORT = 8900
BOX_PORT = 8901
ATTACKER = [Path(__file__).with_name(name) for name in ("attacker.py", "attack.html")]
# How long an attack may take to be over; a page that is refused everywhere takes a second or two, on a busy host four.
PATIENCE = 8.0
TARGETS = [PRIVATE, METADATA, "2130706433", f"[{PRIVATE6}]", "loop.test"]


def rarely(*given: object) -> list[object]:
    """Parameters that are left to the long runs."""
    return [pytest.param(one, marks=pytest.mark.soak) for one in given]


@dataclass
class Reached:
    """What came to an address: the first line of TCP, or `udp`."""

    lines: list[tuple[str, str]] = field(default_factory=list)

    def paths(self) -> set[str]:
        found = (line.split()[1] for _, line in self.lines if line.count(" ") == 2)
        return {path.partition("?")[0].strip("/").partition(".")[0] for path in found}


@contextlib.contextmanager
def listening(*addresses: str) -> Iterator[Reached]:
    """Listen on the victims' port at these addresses."""
    reached = Reached()
    sockets = []
    for address in addresses:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        sockets.append(socket.create_server((address, VICTIM_PORT), family=family, backlog=128))
        datagrams = socket.socket(family, socket.SOCK_DGRAM)
        datagrams.bind((address, VICTIM_PORT))
        datagrams.settimeout(0.2)
        sockets.append(datagrams)
    stopping = threading.Event()
    threads = [threading.Thread(target=_note, args=(sock, reached, stopping)) for sock in sockets]
    for thread in threads:
        thread.start()
    try:
        yield reached
    finally:
        stopping.set()
        for sock in sockets:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(10)
        for sock in sockets:
            sock.close()


def _note(sock: socket.socket, reached: Reached, stopping: threading.Event) -> None:
    address = sock.getsockname()[0]
    while not stopping.is_set():
        try:
            if sock.type == socket.SOCK_DGRAM:
                sock.recvfrom(2048)
                reached.lines.append((address, "udp"))
                continue
            client, _ = sock.accept()
        except TimeoutError:
            continue
        except OSError:
            return
        threading.Thread(target=_answer, args=(client, address, reached), daemon=True).start()


def _answer(client: socket.socket, address: str, reached: Reached) -> None:
    with client, contextlib.suppress(OSError):
        client.settimeout(10)
        data = client.recv(4096)
        reached.lines.append((address, data.split(b"\r\n")[0].decode("latin-1")))
        client.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecret"
        )


@pytest.fixture(scope="module", autouse=True)
def packets() -> Iterator[set[Packet]]:
    """All that goes over the wires of the box's host, from before it starts."""
    with counted() as seen:
        yield seen


@pytest.fixture(scope="module")
def names() -> Iterator[Names]:
    with name_server() as running:
        running.flips["flip.test"] = [[SITE] if turn % 2 == 0 else [PRIVATE] for turn in range(2000)]
        yield running


@pytest.fixture(scope="module")
def site(names: Names) -> Iterator[None]:
    server = ThreadingHTTPServer((SITE, SITE_PORT), Attacker)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield
    server.shutdown()
    thread.join(10)
    server.server_close()


@pytest.fixture(scope="module")
def victims() -> Iterator[Reached]:
    with listening(PRIVATE, HOME, SHARED, METADATA, AZURE, "127.0.0.1", PRIVATE6, "::1") as reached:
        yield reached


@contextlib.contextmanager
def box_of_its_own() -> Iterator[httpx.Client]:
    with running_box("--jail", "require", "--egress", "public") as box, box.client() as http:
        yield http


@contextlib.contextmanager
def box_in_a_container() -> Iterator[httpx.Client]:
    """A session's, its egress process in a container that has this network."""
    archive = Path(os.environ["BELLJAR_TEST_IMAGE"])
    with running_engine(archive) as engine, running_plane(*docker_flags(engine), usual=JAILED) as plane:
        session = plane.create(mode="none", ttl=3600, idleTimeout=0)
        headers = {"Authorization": f"Bearer {session['token']}"}
        with httpx.Client(base_url=session["httpUrl"], headers=headers, timeout=60) as http:
            yield http


@pytest.fixture(scope="module", params=["local", pytest.param("docker", marks=pytest.mark.engines)])
def http(site: None, request: pytest.FixtureRequest) -> Iterator[httpx.Client]:
    with box_of_its_own() if request.param == "local" else box_in_a_container() as http:
        for file in ATTACKER:
            sent = http.put("/v1/fs/file", params={"path": file.name}, content=file.read_bytes())
            assert sent.status_code == 200, sent.text
        attacker = {"command": "python3", "args": ["attacker.py", str(BOX_PORT)]}
        assert http.post("/v1/processes", json=attacker).status_code == 200
        assert http.post("/v1/browser/start", json={"headless": True}).status_code == 200
        yield http


def test_the_box_has_no_interface_but_loopback(http: httpx.Client) -> None:
    outcome = http.post("/v1/processes/run", json={"command": "cat", "args": ["/proc/net/dev"]}).json()
    assert [line.split(":")[0].strip() for line in outcome["stdout"].splitlines()[2:]] == ["lo"]


@pytest.mark.parametrize("form", FORBIDDEN)
def test_no_form_of_a_forbidden_address_can_be_opened(http: httpx.Client, victims: Reached, form: str) -> None:
    for scheme in ("http", "https"):
        answer = http.post(
            "/v1/browser/navigate", json={"url": f"{scheme}://{form}:{VICTIM_PORT}/nav", "timeout": 10_000}
        )
        assert (answer.status_code, answer.json()["code"]) == (403, "egress_denied"), answer.text
        assert answer.json()["rule"]
    assert victims.lines == []


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "way", ["redirect/302", "chain/5", *rarely("redirect/301", "redirect/303", "redirect/307", "redirect/308")]
)
def test_no_redirect_leads_there(http: httpx.Client, victims: Reached, way: str, target: str) -> None:
    to = quote(f"http://{target}:{VICTIM_PORT}/{way}", safe="")
    answer = http.post(
        "/v1/browser/navigate", json={"url": f"http://site.test:{SITE_PORT}/{way}?to={to}", "timeout": 10_000}
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "egress_denied")
    assert victims.lines == []


@pytest.mark.parametrize(
    ("origin", "target"),
    [
        *((f"http://site.test:{SITE_PORT}", target) for target in (f"[{PRIVATE6}]", "flip.test")),
        (f"http://localhost:{BOX_PORT}", METADATA),
        *(
            pytest.param(origin, target, marks=pytest.mark.soak)
            for origin, targets in (
                (f"http://site.test:{SITE_PORT}", (PRIVATE, METADATA, "2130706433", "loop.test")),
                (f"http://localhost:{BOX_PORT}", (PRIVATE, f"[{PRIVATE6}]", "2130706433", "loop.test", "flip.test")),
            )
            for target in targets
        ),
    ],
)
def test_no_page_reaches_there_by_any_means(http: httpx.Client, victims: Reached, origin: str, target: str) -> None:
    _attack(http, origin, f"http://{target}:{VICTIM_PORT}")
    assert victims.lines == []


@pytest.mark.parametrize("origin", [f"http://site.test:{SITE_PORT}", f"http://localhost:{BOX_PORT}"])
def test_the_attacks_are_live(http: httpx.Client, origin: str) -> None:
    """On an allowed address, the same page gets through by most of its means."""
    usual = {"img", "fetch", "websocket", "iframe", "form", "worker", "download", "img308", "beacon", "ping"}
    with listening(SECOND) as reached:
        count = _attack(http, origin, f"http://{SECOND}:{VICTIM_PORT}")
        eventually(lambda: len(reached.paths()) >= 40 and usual <= reached.paths(), "all of them", patience=10)
    assert count >= 60


def test_no_program_reaches_there(http: httpx.Client, victims: Reached) -> None:
    """Past the proxy there is nothing, and through it the policy."""
    script = f"""
for a in {PRIVATE} {METADATA} {HOME} 127.0.0.1 {SITE} '[::1]'; do
  curl -s -m 3 --noproxy '*' http://$a:{VICTIM_PORT}/direct; curl -s -m 3 -x http://127.0.0.1:3128 http://$a:{VICTIM_PORT}/proxy
  curl -s -m 3 -p -x http://127.0.0.1:3128 http://$a:{VICTIM_PORT}/tunnel
  curl -s -m 3 -x socks5h://127.0.0.1:3128 http://$a:{VICTIM_PORT}/socks
done
python3 - <<'END'
import socket
for family, address in ((2, '{PRIVATE}'), (2, '{METADATA}'), (2, '{SITE}'), (10, '{PRIVATE6}')):
    try:
        socket.socket(family, socket.SOCK_DGRAM).sendto(b'x', (address, {VICTIM_PORT}))
    except OSError:
        pass
END
"""
    outcome = http.post(
        "/v1/processes/run", json={"command": "bash", "args": ["-c", script], "timeoutMs": 60_000}
    ).json()
    assert "secret" not in outcome["stdout"]
    assert victims.lines == []


# Each asks the host for something it does not have; that it asked is enough.
TOOLS = {
    "curl": "curl -s -m 10 $HOST/curl",
    "git": "git ls-remote $HOST/git",
    "pip": "pip download --retries 0 --timeout 10 --no-deps -d /tmp -i $HOST/pip --trusted-host $NAME nothing",
    "npm": "npm view nothing --registry $HOST/npm --fetch-retries 0 --fetch-timeout 10000",
    "python3": 'python3 -c \'import os, urllib.request as u; u.urlopen(os.environ["HOST"] + "/python3")\'',
}


def test_programs_find_the_proxy_by_themselves(http: httpx.Client) -> None:
    env = {"HOST": f"http://{SECOND}:{VICTIM_PORT}", "NAME": SECOND}
    script = "\n".join(
        f"command -v {name} >/dev/null && echo {name} && ({line}) >/dev/null 2>&1" for name, line in TOOLS.items()
    )
    with listening(SECOND) as reached:
        body = {"command": "bash", "args": ["-c", script], "env": env, "timeoutMs": 60_000}
        there = set(http.post("/v1/processes/run", json=body).json()["stdout"].split())
        assert "python3" in there
        assert {path.partition("/")[0] for path in reached.paths()} == there


def test_nothing_left_the_box_but_the_proxys_own_connections(http: httpx.Client, packets: set[Packet]) -> None:
    """Last, over all of the above: counted on the host, whatever the victims heard."""
    opened = {(target, port) for kind, _, _, target, port in packets if kind == "tcp"}
    assert (SITE, SITE_PORT) in opened and (SECOND, VICTIM_PORT) in opened
    # The name that flips leads to the site every second time, which is allowed.
    assert opened <= {(SITE, SITE_PORT), (SITE, VICTIM_PORT), (SECOND, VICTIM_PORT), ("127.0.0.1", http.base_url.port)}
    others = {packet for packet in packets if packet[0] != "tcp"}
    # The proxy's questions for names, and the answers.
    assert {packet for packet in others if packet[0] != "udp" or 53 not in (packet[2], packet[4])} == set()
    assert {address for _, source, _, target, _ in others for address in (source, target)} == {"127.0.0.1"}


def _attack(http: httpx.Client, origin: str, base: str) -> int:
    """Open the hostile page and let it try all it has until that is over; how many ways that were."""
    page = f"{origin}/?base={quote(base, safe='')}"
    assert http.post("/v1/browser/navigate", json={"url": page, "timeout": 20_000}).status_code == 200
    body = {"expression": f"attack({PATIENCE * 1000})", "timeout": (PATIENCE + 10) * 1000}
    answer = http.post("/v1/browser/execute", json=body)
    assert answer.status_code == 200, answer.text
    for tab in http.get("/v1/browser/tabs").json()["tabs"][1:]:
        http.delete(f"/v1/browser/tabs/{tab['id']}")
    return int(answer.json()["result"]["tried"])
