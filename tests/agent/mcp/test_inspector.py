"""The published inspector, in its CLI mode, is a client too."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from belljar.agent.mcp.definitions import BY_NAME
from tests.npm_clients import installed_inspector
from tests.servers import RunningBox
from tests.site import Site


@pytest.fixture(scope="module")
def inspector() -> list[str]:
    return installed_inspector()


def asked(inspector: list[str], box: RunningBox, *options: str) -> Any:
    """Through `belljar mcp`, because it has no way to send a token itself."""
    belljar = str(Path(sys.executable).with_name("belljar"))
    env = ["-e", f"BELLJAR_URL={box.url}", "-e", f"BELLJAR_TOKEN={box.token}"]
    done = subprocess.run(
        [*inspector, "--cli", *env, belljar, "mcp", *options],
        capture_output=True,
        text=True,
        timeout=60,
        env={"PATH": os.environ["PATH"]},
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return json.loads(done.stdout)


@pytest.mark.npm
def test_the_inspector_lists_and_calls_tools(inspector: list[str], box: RunningBox, site: Site) -> None:
    listed = asked(inspector, box, "--method", "tools/list")
    assert {tool["name"] for tool in listed["tools"]} == set(BY_NAME)
    call = ["--method", "tools/call", "--tool-name", "navigate", "--tool-arg", f"url={site.url('agent/order.html')}"]
    assert "Order a cake" in asked(inspector, box, *call)["content"][0]["text"]
