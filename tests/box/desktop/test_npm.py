"""The published client `sandbox-agent` 0.4.2, unchanged, with every desktop method it has."""

import os
import tempfile

import pytest

from tests.box.desktop.conftest import PYTHON, programs
from tests.npm_clients import NodeClients
from tests.servers import RunningBox


@pytest.mark.npm
def test_every_desktop_method_of_the_published_client_works(node_clients: NodeClients, box: RunningBox) -> None:
    with tempfile.TemporaryDirectory(prefix="belljar-test-") as folder:
        os.chmod(folder, 0o777)
        told = node_clients.run(
            "desktop.mjs", box, PYTHON=PYTHON, NOTEPAD=str(programs() / "notepad.py"), TYPED=f"{folder}/typed"
        )
    assert "every desktop method works" in told
