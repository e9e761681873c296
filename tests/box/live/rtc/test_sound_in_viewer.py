"""The viewers in a real Chromium play a session's sound: muted until a person clicks, and then what the page plays.

In a network of the test's own, because with loopback alone Chromium never gathers a candidate.
"""

import os
import shutil

import pytest
from playwright.sync_api import Page, sync_playwright

from belljar.dependencies import find_chromium
from tests.box.live.rtc.published import in_own_network, until
from tests.box.live.rtc.test_sound import PAGE, TONE
from tests.servers import running_box

pytestmark = [
    pytest.mark.timeout(180),
    pytest.mark.skipif(os.geteuid() != 0 or shutil.which("ip") is None, reason="needs root, and ip, for a network"),
]
ADDRESS = "10.77.0.2"
# What the page's players are, and the tracks that come to it.
WATCH = """(() => {
  globalThis.players = new Set();
  globalThis.sounds = [];
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () { players.add(this); return play.call(this) };
  const describe = RTCPeerConnection.prototype.setRemoteDescription;
  RTCPeerConnection.prototype.setRemoteDescription = function (...given) {
    this.addEventListener("track", ({ track }) => track.kind === "audio" && sounds.push(track));
    return describe.apply(this, given);
  };
  const plays = (player) => !player.muted && !player.paused && player.srcObject?.getAudioTracks().length > 0;
  globalThis.isHeard = () => [...players].some(plays);
  // The loudest frequency of what was decoded, in Hz, and how loud it is, in dB.
  globalThis.loudest = () => {
    if (!globalThis.analyser) {
      const context = new AudioContext();
      globalThis.analyser = Object.assign(context.createAnalyser(), { fftSize: 8192 });
      context.createMediaStreamSource(new MediaStream([sounds.at(-1)])).connect(analyser);
    }
    const bins = new Float32Array(analyser.frequencyBinCount);
    analyser.getFloatFrequencyData(bins);
    const top = bins.indexOf(Math.max(...bins));
    return [top * analyser.context.sampleRate / analyser.fftSize, bins[top]];
  };
})()"""


def is_tone(page: Page) -> bool:
    frequency, decibels = page.evaluate("loudest()")
    return decibels is not None and decibels > -60 and abs(frequency - TONE) < 20


def test_a_person_who_clicks_hears_what_the_page_plays() -> None:
    def run() -> None:
        with (
            running_box("--webrtc", "public", "--webrtc-address", ADDRESS) as box,
            box.client() as api,
            sync_playwright() as playwright,
        ):
            assert api.post("/v1/browser/start", json={"streamAudioCodec": "opus"}).status_code == 200
            assert api.post("/v1/browser/navigate", json={"url": PAGE}).status_code == 200
            chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
            page = chromium.new_page()
            page.add_init_script(WATCH)
            page.goto(api.post("/v1/live/links", json={"role": "view"}).json()["link"])
            button = page.locator("#sound")
            button.wait_for()
            until(lambda: page.locator("#stage").get_attribute("data-transport") == "webrtc", "video by WebRTC")
            assert (button.inner_text(), button.get_attribute("aria-pressed")) == ("Sound is muted", "false")
            assert not page.evaluate("isHeard()")
            api.post("/v1/browser/click", json={"selector": "button"}).raise_for_status()
            button.click()
            until(lambda: page.evaluate("isHeard()"), "a player that is not muted")
            assert (button.inner_text(), button.get_attribute("aria-pressed")) == ("Mute", "true")
            until(lambda: is_tone(page), f"a tone of {TONE} Hz in what was decoded")
            # Who wanted to hear it does so again once the peer was lost and another has come.
            page.evaluate("players.clear()")
            api.post("/v1/desktop/stream/stop").raise_for_status()
            button.wait_for(state="hidden")
            api.post("/v1/desktop/stream/start").raise_for_status()
            until(lambda: page.evaluate("isHeard()"), "sound again")
            # A new page does not play unasked.
            page.reload()
            button.wait_for()
            assert button.inner_text() == "Sound is muted"
            button.click()
            until(lambda: page.evaluate("isHeard()"), "a player that is not muted")
            button.click()
            until(lambda: not page.evaluate("isHeard()"), "silence")
            chromium.close()

    in_own_network(run)


def test_the_app_plays_it_too() -> None:
    def run() -> None:
        with (
            running_box("--webrtc", "public", "--webrtc-address", ADDRESS) as box,
            box.client() as api,
            sync_playwright() as playwright,
        ):
            assert api.post("/v1/desktop/start", json={"streamAudioCodec": "opus"}).status_code == 200
            chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
            page = chromium.new_page()
            page.add_init_script(WATCH)
            page.goto(api.post("/v1/live/links", json={"role": "view"}).json()["link"])
            page.locator("#picture").wait_for()
            page.goto(f"{box.url}/ui/")
            button = page.locator(".stage-sound")
            button.wait_for()
            assert (button.inner_text(), page.evaluate("isHeard()")) == ("Sound is muted", False)
            button.click()
            until(lambda: page.evaluate("isHeard()"), "a player that is not muted")
            assert button.inner_text() == "Mute"
            chromium.close()

    in_own_network(run)


def test_a_session_without_sound_has_no_such_button() -> None:
    def run() -> None:
        with (
            running_box("--webrtc", "public", "--webrtc-address", ADDRESS) as box,
            box.client() as api,
            sync_playwright() as playwright,
        ):
            assert api.post("/v1/browser/start", json={}).status_code == 200
            chromium = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
            page = chromium.new_page()
            page.goto(api.post("/v1/live/links", json={"role": "view"}).json()["link"])
            until(lambda: page.locator("#stage").get_attribute("data-transport") == "webrtc", "video by WebRTC")
            assert page.locator("#sound").is_hidden()
            chromium.close()

    in_own_network(run)
