"""What pages ask of a person and cannot show in a picture: options to choose from, dates, files, passwords."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import OnTab
from belljar.wire.browser.lifecycle import Geolocation

AskKind = Literal[
    "select",
    "date",
    "time",
    "datetime-local",
    "month",
    "week",
    "color",
    "datalist",
    "file",
    "menu",
    "auth",
    "permission",
    "print",
]


class Permission(StrEnum):
    """What a page may be allowed, as the Permissions API calls it."""

    GEOLOCATION = "geolocation"
    CAMERA = "camera"
    MICROPHONE = "microphone"
    CLIPBOARD_READ = "clipboard-read"
    MIDI = "midi"
    LOCAL_FONTS = "local-fonts"
    WINDOW_MANAGEMENT = "window-management"


class PermissionDecision(StrEnum):
    ONCE = "once"  # until the tab shows another document
    SITE = "site"  # until Chromium ends
    DENY = "deny"


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
    link: str | None = Field(None, description="With `menu`: where the link leads that was clicked.")
    image: str | None = Field(None, description="With `menu`: the address of the picture that was clicked.")
    text: str | None = Field(None, description="With `menu`: the words that are selected.")
    editable: bool | None = Field(None, description="With `menu`: whether text can be put there.")
    origin: str | None = Field(
        None,
        description="Whose document asks: of `file`, `permission` and `print` the frame's, in Chromium's words; with "
        "`auth` the server that asks for a name and a password.",
    )
    site: str | None = Field(
        None, description="With `file`, `permission` and `print`: the site that the tab shows, which may be another."
    )
    permission: Permission | None = Field(None, description="With `permission`: what the site wants to be allowed.")
    position_needed: bool | None = Field(
        None, description="With `permission`: whether allowing it takes a `position`, as nothing else knows one."
    )
    waiting: int | None = Field(None, description="With `permission`: how many more the page waits for after this.")


class AskList(Model):
    asks: list[Ask]


class FindRequest(OnTab):
    """Words to find on the page; none take the marks away again."""

    text: str = Field(max_length=1000)
    index: int = Field(0, ge=-1_000_000, le=1_000_000, description="Which place to show, counted round.")
    case_sensitive: bool = False


class FindResult(Model):
    count: int = Field(description="At most 1,000 in a frame.")
    index: int | None = Field(None, description="The place that is shown.")
    more: bool | None = Field(None, description="Whether there are more than were counted.")


class Selection(Model):
    """The words that are selected on the page; never those of a password."""

    text: str


class AnswerRequest(OnTab):
    """The answer to one ask; `cancel` where there is none."""

    id: str = Field(max_length=64)
    username: str | None = Field(None, max_length=1000, description="With `auth`.")
    password: str | None = Field(None, max_length=1000, description="With `auth`.")
    decision: PermissionDecision | None = Field(None, description="With `permission`.")
    position: Geolocation | None = Field(None, description="With `permission`: where the browser is.")
    save: bool = Field(False, description="With `menu`: save the picture, as a download of the browser.")
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
