"""What tests of the control plane may use."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from belljar.plane.registry import Registry, open_registry
from tests.plane.engine import RunningEngine, running_engine
from tests.plane.postgres import Postgres, running_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as running:
        yield running


@pytest.fixture(scope="session")
def engine() -> Iterator[RunningEngine]:
    with running_engine() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind we support."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/control.db"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_database()


@pytest.fixture
async def registry(database_url: str) -> AsyncIterator[Registry]:
    async with open_registry(database_url) as opened:
        yield opened
