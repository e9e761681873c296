"""Viewers that come by IPv6: the viewer page in a real Chromium, in a network of the test's own."""

import os
import shutil
import subprocess

import pytest
from playwright.sync_api import Page, sync_playwright

from belljar.dependencies import find_chromium
from tests.box.live.rtc.published import in_own_network, until
from tests.servers import running_box

pytestmark = [
    pytest.mark.timeout(180),
    pytest.mark.skipif(os.geteuid() != 0 or shutil.which("ip") is None, reason="needs root, and ip, for a network"),
]
V4, V6 = "10.77.0.2", "fd77::2"
NOWHERE4, NOWHERE6 = "10.99.0.9", "fd99::9"
WATCH = """(() => {
  const describe = RTCPeerConnection.prototype.setRemoteDescription;
  RTCPeerConnection.prototype.setRemoteDescription = function (offer) {
    globalThis.peer = this;
    globalThis.offered = offer.sdp.split("\\r\\n").filter((line) => line.startsWith("a=candidate"));
    return describe.call(this, offer);
  };
  // The address that the chosen pair has there, and how it is reached.
  globalThis.chosen = async () => {
    const stats = await peer.getStats();
    for (const one of stats.values())
      if (one.type === "candidate-pair" && one.nominated && one.state === "succeeded") {
        const { address, protocol } = stats.get(one.remoteCandidateId);
        return [address, protocol];
      }
  };
})()"""


def by_webrtc(page: Page, link: str) -> tuple[str, str]:
    """Where the picture comes from once it comes by WebRTC."""
    page.add_init_script(WATCH)
    page.goto(link)
    until(lambda: page.locator("#stage").get_attribute("data-transport") == "webrtc", "video by WebRTC")
    address, protocol = page.evaluate("chosen()")
    return address.strip("[]"), protocol


@pytest.mark.parametrize(
    ("addresses", "came_from"),
    [((V6,), (V6, "udp")), ((V6, NOWHERE4), (V6, "udp")), ((NOWHERE6, V4), (V4, "udp")), (("::1",), ("::1", "udp"))],
    ids=["alone", "where IPv4 does not reach", "where it does not reach", "loopback"],
)
def test_a_viewer_comes_by_the_version_that_reaches(addresses: tuple[str, ...], came_from: tuple[str, str]) -> None:
    def run() -> None:
        subprocess.run(["ip", "-6", "addr", "add", f"{V6}/64", "dev", "d0", "nodad"], check=True, timeout=20)
        flags = [part for address in addresses for part in ("--webrtc-address", address)]
        with (
            running_box("--webrtc", "public", *flags) as box,
            box.client() as api,
            sync_playwright() as playwright,
        ):
            assert api.post("/v1/desktop/start", json={"width": 800, "height": 600}).status_code == 200
            arguments = ["--no-sandbox", "--allow-loopback-in-peer-connection"]
            chromium = playwright.chromium.launch(executable_path=find_chromium(), args=arguments)
            page = chromium.new_page()
            link = api.post("/v1/live/links", json={"role": "view"}).json()["link"]
            assert by_webrtc(page, link) == came_from
            # They stand there for each of its parts, picture and channel.
            offered = dict.fromkeys(tuple(line.split()[2:5:2]) for line in page.evaluate("offered"))
            assert list(offered) == [(way, one) for way in ("udp", "tcp") for one in addresses]
            chromium.close()

    in_own_network(run)


def test_a_viewer_of_ipv6_comes_by_tcp_where_udp_is_closed() -> None:
    def run() -> None:
        subprocess.run(["ip", "-6", "addr", "add", f"{V6}/64", "dev", "d0", "nodad"], check=True, timeout=20)
        with (
            running_box("--webrtc", "public", "--webrtc-address", V6) as box,
            box.client() as api,
            sync_playwright() as playwright,
        ):
            assert api.post("/v1/desktop/start", json={"width": 800, "height": 600}).status_code == 200
            # Only the proxy's kind of traffic is left to it.
            chromium = playwright.chromium.launch(
                executable_path=find_chromium(),
                args=["--no-sandbox", "--webrtc-ip-handling-policy=disable_non_proxied_udp"],
            )
            page = chromium.new_page()
            link = api.post("/v1/live/links", json={"role": "view"}).json()["link"]
            assert by_webrtc(page, link) == (V6, "tcp")
            chromium.close()

    in_own_network(run)
