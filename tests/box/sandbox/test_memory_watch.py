"""A page that eats memory is ended before its box's limit is reached; its tab comes back, and the rest goes on."""

from pathlib import Path

import pytest

from belljar.box.sandbox.memory import LATEST, SETTLING, SOONEST, MemoryWatch
from tests.servers import running_box

# Pages of it are written, so that they are taken; no single allocation is too large for V8.
EATS = "for (window.eaten = []; eaten.length < 400;) eaten.push(new Uint8Array(16 << 20).fill(1)); eaten.length"


def test_a_page_that_eats_memory_is_ended_and_nothing_else() -> None:
    with running_box("--max-memory", "1400M") as box, box.client() as http:
        if http.get("/v1/health").json()["isolation"]["memoryLimit"] != "cgroup":
            pytest.skip("no control groups here: nobody holds a limit")
        assert http.post("/v1/browser/start", json={"headless": True}).is_success
        kept = http.post("/v1/browser/tabs", json={"url": "data:text/html,<title>kept</title>"}).json()["id"]
        fat = http.post("/v1/browser/tabs", json={"url": "data:text/html,<title>fat</title>"}).json()["id"]
        refused = http.post("/v1/browser/execute", json={"expression": EATS, "tabId": fat}, timeout=60)
        assert (refused.status_code, refused.json()["code"]) == (502, "tab_oom"), refused.text
        said = http.post("/v1/browser/execute", json={"expression": "document.title", "tabId": kept})
        assert said.json()["result"] == "kept"
        assert (
            http.post("/v1/browser/execute", json={"expression": "document.title", "tabId": fat}).json()["result"]
            == "fat"
        )
        status = http.get("/v1/browser/status").json()
        assert status["state"] == "active" and not status.get("restarts"), "Chromium itself lived on"
        assert http.get("/v1/health").json()["isolation"]["memoryKills"] >= 1
        crashes = http.get("/v1/events", params={"kinds": "tab"}).json()["events"]
        assert [event["data"]["reason"] for event in crashes if event["name"] == "crashed"] == ["oom"]


@pytest.mark.parametrize(
    ("stat", "pause"),
    [
        ("anon 0\nshmem 0\n", LATEST),
        (f"anon {1750 << 20}\nshmem 0\n", SOONEST),
        (f"anon {1000 << 20}\nshmem {900 << 20}\n", SETTLING),
        (f"total_rss {1900 << 20}\n", SETTLING),
    ],
)
def test_it_looks_the_sooner_the_less_room_there_is(tmp_path: Path, stat: str, pause: float) -> None:
    files = tmp_path / "memory.stat", tmp_path / "memory.max"
    files[0].write_text(stat)
    files[1].write_text(f"{2000 << 20}\n")
    watch = MemoryWatch(files, programs=lambda: (), kernel_kills=lambda: 0)
    assert watch.look() == pause and watch.ends == 0
    files[1].write_text("max\n")
    assert watch.look() == LATEST, "there is no limit"
