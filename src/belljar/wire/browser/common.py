"""Fields that most browser requests share."""

from typing import Annotated

from pydantic import Field

from belljar.wire.base import Model

MAX_TIMEOUT_MS = 600_000
Milliseconds = Annotated[int, Field(ge=1, le=MAX_TIMEOUT_MS)]


class OnTab(Model):
    """A request that works on one tab within a deadline."""

    tab_id: str | None = Field(None, description="The tab; the active one where absent.")
    timeout: Milliseconds | None = Field(None, description="Milliseconds; the server's default where absent.")

    @property
    def seconds(self) -> float | None:
        return None if self.timeout is None else self.timeout / 1000


class OnFrame(OnTab):
    frame: str | None = Field(
        None, description="A frame of the tab, by id or by a selector of its element; the main frame where absent."
    )
