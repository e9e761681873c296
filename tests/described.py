"""What the box says of itself: its OpenAPI document, made once a run because that takes a second."""

from functools import cache
from typing import Any

from belljar.box.app import openapi


@cache
def paths() -> dict[str, dict[str, Any]]:
    """Every path, with its operations by method."""
    found: dict[str, dict[str, Any]] = openapi()["paths"]
    return found
