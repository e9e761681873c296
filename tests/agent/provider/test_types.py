"""What a provider's launch can be given."""

from typing import Any

import pytest

from belljar.agent.provider import BadArgument, BrowserConfig, Viewport


@pytest.mark.parametrize(
    ("given", "size"),
    [
        ({"width": 800, "height": 600}, Viewport(800, 600)),
        ({"width": 800}, Viewport(800, 720)),
        ({}, Viewport()),
        (None, Viewport()),
        (Viewport(640, 480), Viewport(640, 480)),
    ],
)
def test_a_viewport_may_be_a_plain_dictionary(given: Any, size: Viewport) -> None:
    assert BrowserConfig(viewport=given).viewport == size


@pytest.mark.parametrize(
    "given",
    [
        (800, 600),
        "800x600",
        5,
        {"w": 800},
        {"width": 800, "depth": 3},
        {"width": "800"},
        {"width": 800.0},
        {"width": True},
        {"width": None},
        {"width": 0},
        {"height": 99_999},
    ],
)
def test_anything_else_is_a_bad_argument(given: Any) -> None:
    with pytest.raises(BadArgument):
        BrowserConfig(viewport=given)
    assert BadArgument.code == "bad_argument"


@pytest.mark.parametrize("headless", ["yes", 1, None])
def test_headless_is_a_boolean(headless: Any) -> None:
    with pytest.raises(BadArgument):
        BrowserConfig(headless=headless)
