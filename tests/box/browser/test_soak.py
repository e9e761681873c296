"""Thousands of mixed actions on one page: nothing grows."""

import os
import time
from pathlib import Path
from statistics import median
from typing import Any

import httpx2 as httpx
import pytest

from tests.servers import RunningBox
from tests.site import Site

ACTIONS: list[tuple[str, dict[str, Any]]] = [
    ("click", {"selector": "#go"}),
    ("type", {"selector": "#text", "text": "word ü", "clear": True}),
    ("press", {"key": "Control+a", "selector": "#area"}),
    ("hover", {"selector": "text=Name"}),
    ("select", {"selector": "#many", "value": ["1", "3"]}),
    ("scroll", {"y": 50}),
    ("wait", {"selector": "role=button[name=Go]"}),
    ("type", {"selector": "#date", "text": "2026-11-15"}),
    ("scroll", {"y": -50}),
    ("click", {"selector": "#nowhere", "timeout": 1}),
    ("execute", {"expression": "seen.length = 0; struck.length = 0; document.title"}),
]


def footprint(box: RunningBox) -> tuple[int, int]:
    """Kilobytes resident and open descriptors of the server."""
    status = Path(f"/proc/{box.process.pid}/status").read_text()
    resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return resident, len(os.listdir(f"/proc/{box.process.pid}/fd"))


def cpu(box: RunningBox) -> float:
    """Milliseconds of processor time that the server has used: unlike a clock, it does not see its neighbours."""
    fields = Path(f"/proc/{box.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def heap(api: httpx.Client) -> int:
    """Bytes that the page's scripts hold, ours included."""
    script = "performance.memory.usedJSHeapSize"
    found: int = api.post("/v1/browser/execute", json={"expression": script}).json()["result"]
    return found


def act(api: httpx.Client, count: int) -> list[float]:
    took: list[float] = []
    for number in range(count):
        path, body = ACTIONS[number % len(ACTIONS)]
        began = time.perf_counter()
        answer = api.post(f"/v1/browser/{path}", json=body)
        took.append(time.perf_counter() - began)
        assert answer.status_code == (404 if body.get("timeout") else 200), answer.text
    return took


@pytest.mark.parametrize("count", [330, pytest.param(11_000, marks=pytest.mark.soak)])
def test_mixed_actions_leave_nothing_behind(
    api: httpx.Client, box_with_browser: RunningBox, site: Site, count: int
) -> None:
    api.post("/v1/browser/navigate", json={"url": site.url("acting/fields.html")}).raise_for_status()
    act(api, 110)
    before, heap_before = footprint(box_with_browser), heap(api)
    tenth = count // 10
    began = cpu(box_with_browser)
    first = median(act(api, tenth)) * 1000
    cpu_first = (cpu(box_with_browser) - began) / tenth
    act(api, count - 2 * tenth)
    began = cpu(box_with_browser)
    last = median(act(api, tenth)) * 1000
    cpu_last = (cpu(box_with_browser) - began) / tenth
    after, heap_after = footprint(box_with_browser), heap(api)
    print(  # noqa: T201  # what a soak is run for
        f"\n{count} actions: {before[0]} -> {after[0]} kB, {before[1]} -> {after[1]} descriptors, "
        f"page heap {heap_before} -> {heap_after}, median {first:.1f} -> {last:.1f} ms, "
        f"server's own {cpu_first:.2f} -> {cpu_last:.2f} ms an action"
    )
    assert after[1] <= before[1] + 3
    # What an allocator keeps, and the network's and console's rings until they are full, is not a leak.
    assert after[0] < before[0] + 20_000
    assert heap_after < heap_before + 20_000_000
