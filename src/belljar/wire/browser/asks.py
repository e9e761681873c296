"""What pages ask of a person and cannot show in a picture: options to choose from, dates, files, passwords."""

from typing import Annotated, Literal

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import OnTab

AskKind = Literal["select", "date", "time", "datetime-local", "month", "week", "color", "datalist", "file"]
# Of options that a person is shown.
MOST_OPTIONS = 1000


class AskOption(Model):
    label: str
    value: str | None = Field(None, description="With `datalist`: what choosing it would write.")
    group: str | None = Field(None, description="The label of its `optgroup`.")
    disabled: bool | None = None
    selected: bool | None = None


class AskBox(Model):
    """Where the field is on the page, in CSS pixels of the main frame's viewport."""

    x: float
    y: float
    w: float
    h: float


class Ask(Model):
    """Something that a page waits for a person with: Chromium's own widget for it is in no picture of the page."""

    id: str
    tab_id: str
    kind: AskKind
    label: str = Field("", description="What the page calls the field.")
    value: str | None = None
    options: list[AskOption] | None = None
    more: int | None = Field(None, description="Options that are left out here; they can be named by their label.")
    multiple: bool | None = None
    min: str | None = None
    max: str | None = None
    step: str | None = None
    required: bool | None = None
    accept: str | None = Field(None, description="With `file`: which files the page would like, as in HTML.")
    directory: bool | None = Field(None, description="With `file`: whether it wants all files of a folder.")
    box: AskBox | None = Field(None, description="Absent where the field is not in the main frame.")


class AskList(Model):
    asks: list[Ask]


class AnswerRequest(OnTab):
    """The answer to one ask; `cancel` where there is none."""

    id: str = Field(max_length=64)
    cancel: bool = Field(False, description="Close it, as with the Escape key; the page stays as it is.")
    indexes: list[Annotated[int, Field(ge=0, lt=MOST_OPTIONS)]] | None = Field(
        None, max_length=MOST_OPTIONS, description="With `select`: the options to choose, counted from 0 as they came."
    )
    value: str | None = Field(
        None,
        max_length=100_000,
        description="What to write into the field; empty clears it. With `select`: the label or value of an option, "
        "also of one that was left out.",
    )
