"""What every test may use."""

import pytest


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """The loop the server runs on."""
    return "asyncio", {"use_uvloop": True}
