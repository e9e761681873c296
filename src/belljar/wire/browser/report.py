"""What an action caused, for callers who ask."""

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import OnTab


class Reported(OnTab):
    """An action whose caller may ask what it caused."""

    report: bool = Field(False, description="Whether to answer with what the action caused, once the page is quiet.")


class Popup(Model):
    """A tab that the action opened; it is the active one now."""

    tab_id: str
    url: str


class FileChooser(Model):
    """The page asks for files: give them with POST /v1/browser/upload without a selector."""

    multiple: bool


class StartedDownload(Model):
    id: str = Field(description="As in GET /v1/browser/downloads.")
    name: str


class Report(Model):
    """What the action changed, once the page was quiet."""

    url: str
    snapshot: str = Field(
        description="The snapshot's changes: `+` new, `-` gone, `~` changed, `@` where; empty for none."
    )
    revision: int = Field(description="Of the snapshot after the action, for `since`.")
    whole: bool = Field(False, description="True when `snapshot` is all of it, because too much changed.")
    quiet: bool = Field(True, description="False when the page did not come to rest in time.")
    console_errors: list[str] = []
