"""What an action caused, for callers who ask."""

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import OnTab


class ReportWish(Model):
    """How a report shall be, where the usual way does not fit."""

    still: int = Field(default=100, ge=0, le=3000, description="Milliseconds without a change that are taken for rest.")
    eager: bool = Field(
        default=False,
        description="Do not wait for rest once the page has changed and has set no timer since the action, asked for "
        "no frame, and made no request that is not answered.",
    )
    since_last: bool = Field(
        default=False,
        description="Tell what changed since the tab was last looked at, not since just before the action.",
    )


class Reported(OnTab):
    """An action whose caller may ask what it caused."""

    report: bool | ReportWish = Field(
        False, description="Whether, and how, to answer with what the action caused, once the page is quiet."
    )

    @property
    def wish(self) -> ReportWish | None:
        """How the report shall be; None where none is wanted."""
        if isinstance(self.report, ReportWish):
            return self.report
        return ReportWish() if self.report else None


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
