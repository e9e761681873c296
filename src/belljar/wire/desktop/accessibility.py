"""The accessibility tree: what a screen reader would be told."""

from pydantic import Field

from belljar.wire.base import Model


class Bounds(Model):
    """On the screen, in pixels."""

    x: int
    y: int
    width: int
    height: int


class AccessibleNode(Model):
    role: str = Field(examples=["push button"])
    name: str
    description: str | None = None
    states: list[str] = Field(default=[], examples=[["enabled", "focusable", "showing", "visible"]])
    bounds: Bounds | None = None
    value: float | None = None
    text: str | None = None
    children: list["AccessibleNode"] = []


class AccessibilityTree(Model):
    available: bool = Field(description="Whether the desktop's accessibility bus is there.")
    reason: str | None = Field(default=None, description="Why it is not.")
    applications: list[AccessibleNode] = []
    truncated: bool = Field(default=False, description="Whether the tree was cut at the node limit.")
