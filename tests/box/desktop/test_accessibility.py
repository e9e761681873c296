"""The accessibility tree of a real application, and what is said where there is none."""

import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
import httpx2 as httpx
import pytest

from belljar.box.desktop import Desktop, open_desktop
from belljar.box.desktop.accessibility import read_tree, socket_of
from belljar.box.desktop.accessibility.tree import state_names
from belljar.box.display import open_display
from belljar.box.process import open_processes
from belljar.dependencies import find_chromium
from belljar.wire.desktop import AccessibleNode, LaunchApp, StartDesktop
from tests.box.desktop.conftest import until
from tests.servers import RunningBox

PAGE = "data:text/html,<title>Form</title><h1>Order</h1><button>Press me</button><input aria-label=City value=Bonn>"


@pytest.fixture
async def desktop(tmp_path: Path) -> AsyncIterator[Desktop]:
    """A desktop whose programs run as we do: the bus takes no connections of a uid without an account."""
    async with open_processes(may_be_root=True) as processes, open_display(processes) as display:
        async with open_desktop(processes, display, tmp_path) as part:
            await part.start(StartDesktop(width=800, height=600))
            yield part


def nodes(among: Sequence[AccessibleNode]) -> Iterator[AccessibleNode]:
    for node in among:
        yield node
        yield from nodes(node.children)


async def test_the_tree_has_roles_names_states_and_bounds(desktop: Desktop, tmp_path: Path) -> None:
    empty = await desktop.accessibility()
    assert (empty.available, empty.applications) == (True, [])
    flags = ["--no-first-run", "--no-sandbox", "--force-renderer-accessibility", "--disable-gpu"]
    arguments = [*flags, f"--user-data-dir={tmp_path}/chromium", PAGE]
    await desktop.applications.launch(LaunchApp(app=str(find_chromium()), args=arguments))
    found: dict[tuple[str, str], AccessibleNode] = {}
    with anyio.fail_after(30):
        while ("push button", "Press me") not in found:
            tree = await desktop.accessibility()
            found = {(node.role, node.name): node for node in nodes(tree.applications)}
    button = found["push button", "Press me"]
    assert {"enabled", "focusable", "showing", "visible"} <= set(button.states)
    assert button.bounds is not None
    assert 0 <= button.bounds.x < 800 and 0 <= button.bounds.y < 600 and button.bounds.width > 10
    assert ("heading", "Order") in found
    assert found["entry", "City"].text == "Bonn"


def test_programs_in_a_jail_are_seen(desktop_box: RunningBox) -> None:
    """As they are launched by name; in a jail they have an account, which the bus wants of root's children."""
    flags = ["--no-first-run", "--no-sandbox", "--force-renderer-accessibility", "--disable-gpu"]
    with desktop_box.client() as http:
        if not http.get("/v1/health").json()["isolation"]["jail"]:
            pytest.skip("this host lets nobody have a jail")
        body = {"app": "chromium", "args": [*flags, "--user-data-dir=/tmp/chromium", PAGE]}
        launched = http.post("/v1/desktop/launch", json=body)
        assert launched.status_code == 200, launched.text
        tree = until(lambda: _with_button(http), "the button")
        assert tree["available"] is True
        http.post(f"/v1/processes/{launched.json()['processId']}/kill")


def _with_button(http: httpx.Client) -> dict[str, Any] | None:
    answer = http.get("/v1/desktop/accessibility", timeout=30)
    return dict(answer.json()) if "Press me" in answer.text else None


async def test_where_the_bus_is_not_there_the_answer_says_so(desktop: Desktop) -> None:
    async def dial(path: str) -> socket.socket:
        raise ConnectionRefusedError

    tree = await read_tree("unix:path=/nonexistent", dial)
    assert (tree.available, tree.applications) == (False, [])
    assert tree.reason


def test_states_are_bits() -> None:
    assert state_names([1 << 8 | 1 << 25, 1]) == ["enabled", "showing", "indeterminate"]


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("unix:path=/run/bus", "/run/bus"),
        ("unix:path=/run/at-spi/bus_1,guid=ff", "/run/at-spi/bus_1"),
        ("unix:abstract=/tmp/dbus-x,guid=ff", "\0/tmp/dbus-x"),
        ("tcp:host=x;unix:guid=1,path=/a%20b", "/a b"),
    ],
)
def test_addresses_of_buses(address: str, path: str) -> None:
    assert socket_of(address) == path
