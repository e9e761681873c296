"""The proxy among hosts it must and must not reach, in a network namespace."""

from pathlib import Path

import pytest

from tests.plane.conftest import engine
from tests.plane.engine import RunningEngine
from tests.world import run_inside

__all__ = ["engine"]


def test_the_proxy_in_a_network_of_its_own(tmp_path: Path) -> None:
    run_inside(Path(__file__).with_name("inside_proxy.py"), tmp_path)


def test_a_jailed_browser_among_hostile_pages(tmp_path: Path) -> None:
    run_inside(Path(__file__).with_name("inside_attacks.py"), tmp_path)


@pytest.mark.engines
def test_a_jailed_browser_in_a_container_among_hostile_pages(
    tmp_path: Path, engine: RunningEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = tmp_path / "image.tar"
    engine.save(archive)
    monkeypatch.setenv("BELLJAR_TEST_IMAGE", str(archive))
    run_inside(Path(__file__).with_name("inside_attacks.py"), tmp_path, "engines and not soak")


@pytest.mark.soak
def test_a_jailed_browser_among_more_of_them(tmp_path: Path) -> None:
    run_inside(Path(__file__).with_name("inside_attacks.py"), tmp_path, "not engines")
