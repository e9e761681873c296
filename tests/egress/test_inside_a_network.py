"""The proxy among hosts it must and must not reach, in a network namespace."""

from pathlib import Path

import pytest

from tests.world import run_inside


def test_the_proxy_in_a_network_of_its_own(tmp_path: Path) -> None:
    run_inside(Path(__file__).with_name("inside_proxy.py"), tmp_path)


def test_a_jailed_browser_among_hostile_pages(tmp_path: Path) -> None:
    run_inside(Path(__file__).with_name("inside_attacks.py"), tmp_path)


@pytest.mark.soak
def test_a_jailed_browser_among_more_of_them(tmp_path: Path) -> None:
    run_inside(Path(__file__).with_name("inside_attacks.py"), tmp_path, "")
