"""What deploy/host has for systemd, Prometheus and Grafana names what is there, and the guide explains each alert."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from belljar.wire.sessions import EndReason, SessionState
from belljar.wire.webhooks import DeliveryState
from tests.plane.plane import running_plane

ROOT = Path(__file__).parents[2]
HOST = ROOT / "deploy/host"
RULES = (HOST / "alerts.yaml").read_text()
PANELS = json.loads((HOST / "grafana.json").read_text())["panels"]
EXPRESSIONS = [RULES] + [target["expr"] for panel in PANELS for target in panel["targets"]]
# What a label may say, by its name.
SAID = {
    "reason": {*EndReason, "orphan", "left_over"},
    "state": {*SessionState},
    "outcome": {"hit", "miss", "retried", *DeliveryState},
}


def test_every_metric_asked_for_is_one_that_a_control_plane_has() -> None:
    with running_plane() as plane, plane.client() as client:
        plane.create()
        metrics = client.get("/metrics").text
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", metrics, re.M))
    there = {name for kind in kinds for name in (kind, f"{kind}_bucket")}
    asked = {name for expression in EXPRESSIONS for name in re.findall(r"belljar_\w+", expression)}
    assert asked and asked - there == set()


@pytest.mark.parametrize("label", SAID)
def test_every_value_of_a_label_is_one_that_is_said(label: str) -> None:
    named = re.findall(rf'\b{label}=~?"([^"]+)"', " ".join(EXPRESSIONS))
    values = {value for one in named for value in one.split("|")}
    assert values and values - SAID[label] == set()


@pytest.mark.parametrize("alert", re.findall(r"alert: (\w+)", RULES))
def test_the_guide_says_what_an_alert_means(alert: str) -> None:
    assert f"`{alert}`" in (ROOT / "docs/guide/operating.md").read_text()


@pytest.mark.engines
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd is not installed: 'make test-engines' does that")
    command = f"{Path(sys.executable).parent}/belljar"
    unit = (HOST / "belljar.service").read_text()
    assert "/opt/belljar/bin/belljar" in unit
    (tmp_path / "belljar.service").write_text(unit.replace("/opt/belljar/bin/belljar", command))
    checked = subprocess.run(
        [program, "verify", tmp_path / "belljar.service"], capture_output=True, text=True, timeout=60
    )
    assert "belljar.service" not in checked.stderr, checked.stderr
    flags = re.findall(r"--[a-z-]+", re.findall(r"^ExecStart=.*", unit, re.M)[0])
    said = subprocess.run([command, "serve", "--help"], capture_output=True, text=True, timeout=60).stdout
    assert [flag for flag in flags if flag not in said] == []
