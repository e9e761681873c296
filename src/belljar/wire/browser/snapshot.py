"""What a model reads of a page."""

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import OnFrame, OnTab


class SnapshotQuery(OnFrame):
    selector: str | None = Field(None, max_length=10_000, description="Only this element and what is in it.")
    depth: int | None = Field(None, ge=1, le=200, description="Levels of the tree at most.")
    interactive_only: bool = Field(False, description="Only what can be acted on, without the structure around it.")
    max_chars: int | None = Field(None, ge=100, description="Characters at most; cut at a line.")
    urls: bool = Field(False, description="Whether links and pictures come with their absolute address.")
    since: int | None = Field(None, ge=0, description="A revision seen before: only what changed since is returned.")
    since_last: bool = Field(False, description="As `since`, for the tab's last snapshot with the same options.")


class ElementsQuery(OnTab):
    limit: int = Field(200, ge=1, le=1000, description="Elements at most.")


class InteractiveElement(Model):
    ref: str = Field(examples=["e12"])
    tag: str = Field(examples=["button"])
    role: str
    name: str


class Elements(Model):
    """What can be acted on, frame by frame in document order."""

    elements: list[InteractiveElement]
    url: str
    title: str
    tab_id: str
    truncated: bool | None = Field(None, description="True when there are more than `limit`.")


class SnapshotResult(Model):
    """Lines of `role "name" [ref] states = "value"`, indented by one space a level; a line in quotes is text."""

    snapshot: str
    url: str
    title: str
    tab_id: str
    revision: int = Field(description="Names what was seen; give it as `since` the next time.")
    unchanged: bool | None = Field(None, description="True when nothing changed since the revision given.")
    delta: bool | None = Field(
        None, description="True when only changes are returned: `+` new, `-` gone, `~` changed, `@` where."
    )
    truncated: bool | None = Field(None, description="True when `maxChars` cut it.")
