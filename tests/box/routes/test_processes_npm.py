"""The published client `sandbox-agent` 0.4.2, unchanged, and ours in its place, with every process method it has."""

import pytest

from belljar.doctor.isolation import check_jail
from belljar.state import default_state_dir
from tests.npm_clients import CLIENTS, NodeClients
from tests.servers import RunningBox


@pytest.mark.npm
@pytest.mark.parametrize("client", CLIENTS)
def test_every_process_method_of_the_published_client_works(
    node_clients: NodeClients, box: RunningBox, client: str
) -> None:
    assert box.is_jailed or not check_jail(default_state_dir()).is_ok
    assert "every process method works" in node_clients.run("processes.mjs", box, client=client)
