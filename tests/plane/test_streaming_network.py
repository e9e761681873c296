"""WebRTC from one host to another, through the gateway: the published client, lines that lose, and ones that block.

Server and browser each have a network of their own, with a line between them that the test makes good or bad.
"""

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import Page, sync_playwright

from belljar.dependencies import find_chromium
from tests.box.live.rtc.published import serving, until
from tests.line import THERE, Line, own_line
from tests.npm_clients import built_viewer
from tests.plane.plane import RunningPlane, running_plane

pytestmark = [
    pytest.mark.npm,
    pytest.mark.timeout(400),
    pytest.mark.skipif(
        os.geteuid() != 0 or shutil.which("ip") is None or not os.path.exists("/dev/net/tun"),
        reason="needs root, ip and /dev/net/tun, for networks of its own",
    ),
]
PORT = 59000
PUBLIC = ("--host", THERE, "--webrtc", "public", "--webrtc-address", THERE, "--webrtc-port", str(PORT))
# What the session's browser shows: it moves all the time, and writes down what it is pressed with.
PICTURE = """data:text/html,<body style='margin:0;background:red;height:100vh;overflow:hidden'>
<div id=m style='position:absolute;width:80px;height:80px;background:blue;top:500px'></div><script>
got = []; addEventListener('mousedown', (e) => got.push(['down', e.clientX, e.clientY, e.button]));
addEventListener('keydown', (e) => got.push(['key', e.key]));
addEventListener('contextmenu', (e) => e.preventDefault());
(function move(t) { m.style.left = (t / 4) % 700 + 'px'; requestAnimationFrame(move) })(0);
</script>"""


@dataclass
class Seen:
    """A session's screen in a viewer on the other side of the line."""

    plane: RunningPlane
    line: Line
    page: Page
    api: httpx.Client
    session: dict[str, Any]

    @property
    def url(self) -> str:
        return f"{self.plane.url}/s/{self.session['id']}"

    def connect(self) -> None:
        self.page.evaluate(
            "([url, token]) => stream(url, token).then((s) => { globalThis.s = s })", [self.url, self.session["token"]]
        )

    def gap(self) -> float:
        """The longest time without a new picture since this was last asked, in seconds."""
        return float(self.page.evaluate("longestGap()")) / 1000

    def until_moving(self) -> None:
        """Three pictures more."""
        count = self.page.evaluate("globalThis.pictures ?? 0")
        until(lambda: self.page.evaluate("globalThis.pictures ?? 0") >= count + 3, "pictures move")

    def pair(self) -> str:
        """How the packets go: the transport on this side."""
        return str(self.page.evaluate("chosenPair()"))

    def in_box(self, script: str) -> Any:
        answer = self.api.post(f"{self.url}/v1/browser/execute", json={"expression": script})
        assert answer.status_code == 200, answer.text
        return answer.json()["result"]


# Beside the published client: how often its video shows a new picture, and by which pair of candidates it came.
WATCH = """
const own = RTCPeerConnection;
globalThis.RTCPeerConnection = class extends own { constructor(...a) { super(...a); globalThis.peer = this; } };
globalThis.watchVideo = () => {
  const video = document.querySelector('video');
  globalThis.pictures = 0; globalThis.longest = 0; globalThis.last = performance.now();
  const next = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last); last = now; pictures++;
    video.requestVideoFrameCallback(next);
  };
  video.requestVideoFrameCallback(next);
};
globalThis.longestGap = () => { const was = Math.max(longest, performance.now() - last); longest = 0; return was; };
globalThis.chosenPair = async () => {
  const stats = [...(await peer.getStats()).values()];
  const pair = stats.find((one) => one.type === 'candidate-pair' && one.nominated && one.state === 'succeeded');
  const local = stats.find((one) => one.id === pair?.localCandidateId);
  return local ? `${local.candidateType === 'relay' ? 'relay/' : ''}${local.relayProtocol ?? local.protocol}` : '';
};
"""


def beyond_a_line(tmp_path: Path, run: Callable[[Seen], None], *flags: str) -> None:
    """Run it in a thread that has a network of its own."""
    built_viewer(tmp_path)
    failed: list[BaseException] = []

    def body() -> None:
        try:
            with own_line() as line, seen(tmp_path, line, *flags) as found:
                run(found)
        except BaseException as error:  # noqa: BLE001  # raised again where it is seen
            failed.append(error)

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]


@contextmanager
def seen(folder: Path, line: Line, *flags: str) -> Iterator[Seen]:
    with (
        serving(folder) as origin,
        running_plane(*PUBLIC, "--cors-origin", origin, "--egress", "open", *flags, inside=line.inside) as plane,
        plane.client() as api,
        sync_playwright() as playwright,
    ):
        session = plane.create(mode="none")
        at = f"{plane.url}/s/{session['id']}"
        started = api.post(f"{at}/v1/browser/start", json={"width": 800, "height": 600, "kiosk": True})
        assert started.status_code == 200, started.text
        assert api.post(f"{at}/v1/browser/navigate", json={"url": PICTURE}).status_code == 200
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = chromium.new_page()
        page.add_init_script(WATCH)
        page.goto(f"{origin}/index.html")
        page.wait_for_function("() => globalThis.stream !== undefined")
        yield Seen(plane, line, page, api, session)
        chromium.close()


def watch(found: Seen) -> float:
    """By a connection of its own, and alone; the seconds until a picture moved."""
    found.page.evaluate("() => { globalThis.s?.close(); document.querySelector('video')?.remove() }")
    began = time.monotonic()
    found.connect()
    found.page.wait_for_selector("video", state="attached")
    found.page.evaluate("watchVideo()")
    found.until_moving()
    return time.monotonic() - began


def test_the_published_client_through_the_gateway(tmp_path: Path) -> None:
    """Every click where it was made, every key what it was, by the control plane's port; and nothing is left."""

    def run(found: Seen) -> None:
        # The first has the encoder started.
        report("the first viewer's picture", watch(found))
        report("the next viewer's picture", watch(found))
        assert found.pair() == "udp"
        chance = random.Random(17)
        sent: list[list[Any]] = []
        # Capitals and signs need a key of their own, which the client does not send.
        without_shift = "got.filter((one) => one[1] !== 'Shift')"
        for number in range(200):
            # The first click makes the page the one that is typed into.
            if chance.random() < 0.5 or not number:
                x, y = chance.randrange(800), chance.randrange(600)
                which, button = chance.choice([(0, "left"), (2, "right")])
                found.page.evaluate("([b, x, y]) => { s.mouseDown(b, x, y); s.mouseUp(b, x, y) }", [button, x, y])
                sent.append(["down", x, y, which])
            else:
                key = chance.choice([*"abcxyzABC019!?$", "Enter", "ArrowLeft", "Delete"])
                found.page.evaluate("(key) => { s.keyDown(key); s.keyUp(key) }", key)
                sent.append(["key", key])
            # A person waits for what comes of it, too: what is too much at once for a busy box is dropped.
            if number % 20 == 19:
                until(lambda: len(found.in_box(without_shift)) >= len(sent), "all of them")
        assert found.in_box(without_shift) == sent
        assert found.page.evaluate("heard.errors") == []
        found.page.evaluate("s.close()")
        health = f"{found.url}/health"
        for number in range(20):
            found.page.evaluate(
                "([url, token]) => mount(url, token).then((end) => { globalThis.end = end })",
                [found.url, found.session["token"]],
            )
            until(lambda number=number: found.page.evaluate("heard.connected") == number + 3, "onConnect")  # type: ignore[misc]
            found.page.evaluate("end()")
        until(lambda: found.api.get(health).json()["viewers"] == 0, "the viewers have gone")
        assert found.page.evaluate("heard.errors") == []

    beyond_a_line(tmp_path, run)


def test_lines_that_lose_are_cut_for_a_while_or_let_less_and_less_through(tmp_path: Path) -> None:
    """Pictures go on at 5 % loss and 100 ms delay, and come back after three seconds without a packet; where UDP is
    blocked they come by TCP, and where the port is, by a TURN server.
    """
    secret = tmp_path / "turn-secret"
    secret.write_text("a secret for tests\n")

    def run(found: Seen) -> None:
        watch(found)
        assert found.pair() == "udp"
        found.line.be(loss=0.05, delay=0.1)
        found.until_moving()
        found.gap()
        time.sleep(10)
        report("longest freeze at 5 % and 100 ms", found.gap())
        width = "document.querySelector('video').videoWidth"
        found.line.be(loss=0.2)
        until(lambda: found.page.evaluate(width) == 400, "the smaller of two qualities")
        found.line.be(loss=1.0)
        time.sleep(3)
        found.line.be()
        began = time.monotonic()
        found.until_moving()
        report("back after an outage of 3 s", time.monotonic() - began)
        assert found.page.evaluate("[heard.errors, heard.disconnected]") == [[], 0]
        found.line.be(blocked=("udp",))
        # The client does nothing by itself: the server notices that its packets go nowhere, and offers anew.
        until(lambda: found.pair() == "tcp", "another offer")
        found.until_moving()
        began = time.monotonic()
        watch(found)
        report("pictures by TCP", time.monotonic() - began)
        assert found.pair() == "tcp"
        if shutil.which("turnserver") is None:
            pytest.skip("no coturn here: all but TURN was tried")
        with turn_server(found, tmp_path):
            found.line.be(blocked=("udp", f"tcp:{PORT}"))
            watch(found)
            assert found.pair() == "relay/tcp"

    beyond_a_line(tmp_path, run, "--turn-url", f"turn:{THERE}:3478?transport=tcp", "--turn-secret-file", str(secret))


@contextmanager
def turn_server(found: Seen, folder: Path) -> Iterator[None]:
    """coturn, on the other side."""
    options = ["-n", "--use-auth-secret", "--static-auth-secret=a secret for tests", "--realm=test", "--no-cli"]
    options += [f"--listening-ip={THERE}", f"--relay-ip={THERE}", "--listening-port=3478", "--log-file=stdout"]
    options += [f"--userdb={folder / 'turn.db'}", f"--pidfile={folder / 'turn.pid'}", "--no-tls", "--no-dtls"]
    command = [*found.line.inside, "turnserver", *options]
    with (folder / "turn.log").open("w") as log, subprocess.Popen(command, stdout=log, stderr=log) as turn:
        try:
            yield
        finally:
            turn.kill()


def report(what: str, seconds: float) -> None:
    """What is measured on a machine that others use is told, not asserted."""
    sys.stdout.write(f"{what}: {seconds:.2f} s\n")
