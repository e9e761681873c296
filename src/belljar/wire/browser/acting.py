"""Acting on a page: elements clicked, typed into, dragged, selected; waiting; the caller's JavaScript."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field, model_validator

from belljar.wire.base import Model
from belljar.wire.browser.common import DialogInfo, FileChooser, OnFrame, Popup, Report, Reported, StartedDownload

REF_PATTERN = r"^(f\d{1,9})?e\d{1,9}$"
SelectorText = Annotated[str, Field(min_length=1, max_length=10_000, examples=["button.primary", "text=Sign in"])]
RefText = Annotated[str, Field(pattern=REF_PATTERN, examples=["e12"])]


class Button(StrEnum):
    LEFT = "left"
    RIGHT = "right"
    MIDDLE = "middle"


class Modifier(StrEnum):
    ALT = "Alt"
    CONTROL = "Control"
    META = "Meta"
    SHIFT = "Shift"


class ElementFields(OnFrame):
    """Names one element, by `selector` or by `ref`."""

    selector: SelectorText | None = Field(None, description="CSS, text=, role=, xpath=, chained with >>.")
    ref: RefText | None = Field(None, description="An element of a snapshot.")


class ActionFields(ElementFields, Reported):
    """An action on one element."""

    fail_fast: bool = Field(
        False, description="Refuse a covered or disabled element as soon as nothing is changing, not at the deadline."
    )

    @model_validator(mode="after")
    def _one_target(self) -> "ActionFields":
        if (self.selector is None) == (self.ref is None):
            raise ValueError("one of selector and ref is needed")
        return self


class ClickRequest(ActionFields):
    button: Button = Button.LEFT
    click_count: int = Field(1, ge=1, le=3, description="2 is a double click.")
    modifiers: list[Modifier] = Field([], description="Keys held meanwhile.")
    force: bool = Field(False, description="Only find it and scroll to it; check nothing else.")


class HoverRequest(ActionFields):
    modifiers: list[Modifier] = []
    force: bool = False


class TypeRequest(ActionFields):
    text: str = Field(max_length=1_000_000, description="Newline is Enter, tab is Tab.")
    delay: float = Field(0, ge=0, le=10_000, description="Milliseconds between keys.")
    clear: bool = Field(False, description="Empty the field first; otherwise the text is added at its end.")


class FillRequest(ActionFields):
    value: str = Field(max_length=1_000_000, description="What the field shall hold; empty clears it.")


class PressRequest(ElementFields, Reported):
    """Without an element the key goes to whatever has the focus."""

    key: str = Field(min_length=1, max_length=100, examples=["Control+a"])
    fail_fast: bool = False


class ScrollRequest(ElementFields, Reported):
    """Without deltas the element is scrolled into view."""

    x: float | None = Field(None, description="Pixels to the right.")
    y: float | None = Field(None, description="Pixels down.")
    wheel: bool = Field(False, description="Turn the mouse wheel over it, for pages that scroll by themselves.")


class SelectRequest(ActionFields):
    """The options that shall be chosen, no others; a list for several."""

    value: str | list[str] | None = Field(None, description="By value; one that no option has is taken for a label.")
    label: str | list[str] | None = Field(None, description="By the words that show.")
    index: int | list[int] | None = Field(None, description="By place, 0 for the first.")

    @model_validator(mode="after")
    def _some_option(self) -> "SelectRequest":
        if self.value is None and self.label is None and self.index is None:
            raise ValueError("one of value, label and index is needed")
        return self


class DragPlace(Model):
    """An element, or a point of the tab's viewport in CSS pixels."""

    selector: SelectorText | None = None
    ref: RefText | None = None
    x: float | None = None
    y: float | None = None

    @model_validator(mode="after")
    def _one_place(self) -> "DragPlace":
        is_point = self.x is not None and self.y is not None
        if [self.selector is not None, self.ref is not None, is_point].count(True) != 1:
            raise ValueError("one of selector, ref, and x with y is needed")
        return self


class DragRequest(OnFrame, Reported):
    """A place may also be a plain string: a ref or a selector."""

    from_: DragPlace | SelectorText = Field(alias="from")
    to: DragPlace | SelectorText
    fail_fast: bool = False


class UploadRequest(ElementFields, Reported):
    """Without an element the files go to the chooser that the page has opened."""

    path: str | None = Field(
        None, max_length=4096, description="A file in the box's home, upload or download directory."
    )
    paths: list[Annotated[str, Field(max_length=4096)]] | None = Field(None, max_length=1000)
    ask: str | None = Field(
        None,
        max_length=64,
        description="The `id` of the `file` ask that this answers: no other chooser gets the files.",
    )
    fail_fast: bool = False

    @model_validator(mode="after")
    def _some_file(self) -> "UploadRequest":
        if self.path is None and self.paths is None:
            raise ValueError("one of path and paths is needed")
        return self


class ScrollPosition(Model):
    x: float
    y: float
    max_x: float = Field(description="As far as it can be scrolled to the right.")
    max_y: float = Field(description="As far as it can be scrolled down.")


class ActionResult(Model):
    ok: bool = True
    dialog: DialogInfo | None = Field(None, description="A dialog that the action opened.")
    popup: Popup | None = Field(None, description="A tab that the action opened.")
    file_chooser: FileChooser | None = Field(None, description="Set when the page asked for files.")
    navigated: str | None = Field(None, description="The address of the document that the action led to.")
    download: StartedDownload | None = Field(None, description="A file that the action began to save.")
    report: Report | None = Field(None, description="With `report: true`.")


class SelectResult(ActionResult):
    values: list[str] | None = Field(None, description="The values that are chosen now.")


class UploadResult(ActionResult):
    files: list[str] | None = Field(None, description="The files that the page was given, as paths in the box.")


class ScrollResult(ActionResult):
    position: ScrollPosition | None = None


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


class ExecuteRequest(OnFrame, Reported):
    expression: str = Field(max_length=10_000_000, examples=["document.title"])
    await_promise: bool = Field(True, description="Whether a promise is waited for.")


class ExecuteResult(Model):
    """`result` is the JSON value; what has none is null there and described."""

    result: Any = None
    type: str = Field(
        examples=["number"], description="undefined, null, boolean, number, bigint, string, symbol, function, object, …"
    )
    description: str | None = Field(None, description="For what has no JSON value: NaN, functions, nodes, cycles.")
    truncated: bool | None = Field(None, description="True when the value was over the limit and is left out.")
    dialog: DialogInfo | None = Field(None, description="A dialog that the script opened.")
    popup: Popup | None = Field(None, description="With `report`: a tab that the script opened.")
    file_chooser: FileChooser | None = Field(None, description="With `report`: set when the page asked for files.")
    navigated: str | None = Field(None, description="With `report`: the address that the script led to.")
    download: StartedDownload | None = Field(None, description="With `report`: a file that began to be saved.")
    report: Report | None = Field(None, description="With `report: true`.")
