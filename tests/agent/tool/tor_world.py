"""Run in a network namespace of its own: the tool behind a recording SOCKS proxy.  Prints what was recorded, as JSON.

Nothing in the namespace leads anywhere, so a page can only have come through the proxy; the name server is a recorder
too, and the kernel's counters of the namespace tell whether a single UDP packet was sent.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from belljar.agent.tool import BrowserTool
from belljar.agent.tool.tor import Tor
from tests.servers import running_box

PAGE = b"""<!doctype html><title>Through Tor</title><p id=ice>gathering</p><script>
const seen = [];
const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:stun.leak.invalid:3478'}]});
peer.createDataChannel('x');
peer.onicecandidate = (event) => { if (event.candidate?.candidate) seen.push(event.candidate.candidate); };
const tell = () => { ice.textContent = 'candidates: ' + JSON.stringify(seen); };
peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === 'complete') tell(); };
peer.createOffer().then((offer) => peer.setLocalDescription(offer));
setTimeout(tell, 3000);
</script>"""


class Proxy:
    """Answers every connection itself, and remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, str, int]] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as lines:
            _, count = lines.read(2) or b"\0\0"
            methods = lines.read(count)
            method = 2 if 2 in methods else 0
            connection.sendall(bytes([5, method]))
            if method == 2:
                lines.read(1)
                for _ in range(2):
                    lines.read(lines.read(1)[0])
                connection.sendall(b"\x01\x00")
            head = lines.read(4)
            if len(head) < 4:
                return
            kind = head[3]
            size = {1: 4, 4: 16}.get(kind) or lines.read(1)[0]
            host = lines.read(size)
            port = int.from_bytes(lines.read(2), "big")
            self.asked.append((kind, host.decode("latin-1"), port))
            connection.sendall(b"\x05\x00\x00\x01\0\0\0\0\0\0")
            while lines.readline() not in (b"\r\n", b""):
                pass
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n" + PAGE)


def record_dns(packets: list[bytes]) -> None:
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))

    def receive() -> None:
        while True:
            packets.append(server.recv(512))

    threading.Thread(target=receive, daemon=True).start()


def serve_localhost() -> int:
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<title>Local</title>here")

    threading.Thread(target=serve, daemon=True).start()
    port: int = listener.getsockname()[1]
    return port


def udp_sent() -> int:
    """IPv4 and IPv6 datagrams that this namespace has sent."""
    lines = [line.split() for line in Path("/proc/net/snmp").read_text().splitlines() if line.startswith("Udp:")]
    v4 = int(dict(zip(lines[0], lines[1], strict=True))["OutDatagrams"])
    v6 = dict(line.split() for line in Path("/proc/net/snmp6").read_text().splitlines())
    return v4 + int(v6["Udp6OutDatagrams"])


def main() -> None:
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.TemporaryDirectory(prefix="belljar-tor-") as folder:
        os.chmod(folder, 0o755)
        resolver = Path(folder, "resolv.conf")
        resolver.write_text("nameserver 127.0.0.1\n")
        subprocess.run(["mount", "--bind", str(resolver), "/etc/resolv.conf"], check=True)
        packets: list[bytes] = []
        record_dns(packets)
        proxy, local = Proxy(), serve_localhost()
        asked = {
            "operation": "interact",
            "url": "http://hidden-service.invalid/",
            "actions": [
                {"action": "wait_for_selector", "selector": "text=candidates:"},
                {"action": "extract_text", "selector": "#ice"},
                {"action": "goto", "url": f"http://localhost:{local}/"},
                {"action": "extract_text"},
            ],
            "tor_proxy": f"socks5h://127.0.0.1:{proxy.port}",
        }
        os.environ["BELLJAR_STATE_DIR"] = f"{folder}/state"
        before = udp_sent()
        text = in_box(asked, folder, proxy.port, local) if sys.argv[1] == "running" else one_shot(asked, folder, local)
        told = {"text": text, "asked": proxy.asked, "dns": len(packets), "udp": udp_sent() - before}
        sys.stdout.write(json.dumps(told))


def one_shot(asked: dict[str, Any], folder: str, local: int) -> str:
    workspace = Path(folder, "workspace")
    workspace.mkdir()
    os.environ["BELLJAR_ALLOW"] = f"localhost:{local}"
    return BrowserTool().call({**asked, "workspace": str(workspace)})


def in_box(asked: dict[str, Any], folder: str, proxy: int, local: int) -> str:
    """On a running box whose policy has that proxy for its only way out."""
    policy = Path(folder, "tor.policy")
    policy.write_text(Tor("127.0.0.1", proxy).policy())
    with running_box("--egress", str(policy), "--allow", f"localhost:{local}") as box:
        return BrowserTool(box.url, box.token).call(asked)


if __name__ == "__main__":
    main()
