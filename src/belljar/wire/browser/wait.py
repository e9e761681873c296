"""Waiting for something to be true of a page."""

from enum import StrEnum

from pydantic import Field, model_validator

from belljar.wire.base import Model
from belljar.wire.browser.acting import ElementFields


class WaitState(StrEnum):
    VISIBLE = "visible"  # the element is there and shows
    HIDDEN = "hidden"  # no match shows
    ATTACHED = "attached"  # the element is there
    DETACHED = "detached"  # nothing matches
    DOMCONTENTLOADED = "domcontentloaded"
    LOAD = "load"
    NETWORKIDLE = "networkidle"


OF_THE_PAGE = frozenset({WaitState.DOMCONTENTLOADED, WaitState.LOAD, WaitState.NETWORKIDLE})


class WaitRequest(ElementFields):
    """What is given must all be true at the same time."""

    state: WaitState = Field(WaitState.VISIBLE, description="Of the element, or how far the page has come.")
    text: str | None = Field(None, min_length=1, max_length=10_000, description="Text that shows in some frame.")
    url: str | None = Field(
        None,
        max_length=10_000,
        description="The tab's address; `*` stands for anything but a slash, `**` for anything.",
    )
    function: str | None = Field(
        None, max_length=1_000_000, description="JavaScript, an expression or a function, that gives something true."
    )

    @model_validator(mode="after")
    def _something(self) -> "WaitRequest":
        given = (self.selector, self.ref, self.text, self.url, self.function)
        if self.selector is not None and self.ref is not None:
            raise ValueError("only one of selector and ref can be given")
        if all(one is None for one in given) and self.state not in OF_THE_PAGE:
            raise ValueError("one of selector, ref, text, url and function is needed, or a state of the page")
        return self


class WaitResult(Model):
    found: bool = Field(description="Whether it came true before the timeout.")
