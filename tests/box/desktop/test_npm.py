"""The published client `sandbox-agent` 0.4.2, unchanged, and ours in its place, with every desktop method it has."""

import pytest

from belljar.doctor.isolation import check_jail
from belljar.state import default_state_dir
from tests.box.desktop.conftest import PYTHON, exchange, path_of, shared
from tests.npm_clients import CLIENTS, NodeClients
from tests.servers import running_box


@pytest.mark.npm
@pytest.mark.parametrize("client", CLIENTS)
def test_every_desktop_method_of_the_published_client_works(node_clients: NodeClients, client: str) -> None:
    with running_box(*shared()) as box, box.client() as http, exchange(http) as (ours, theirs):
        assert box.is_jailed or not check_jail(default_state_dir()).is_ok
        told = node_clients.run(
            "desktop.mjs",
            box,
            client=client,
            PYTHON=PYTHON,
            NOTEPAD=path_of(http, "notepad.py"),
            TYPED=f"{ours}/typed",
            TYPED_BY_PROGRAM=f"{theirs}/typed",
        )
    assert "every desktop method works" in told
