"""Partitions: tabs with cookies and storage of their own, kept in memory."""

from typing import Annotated

from pydantic import Field, StringConstraints

from belljar.wire.base import Model
from belljar.wire.browser.lifecycle import ViewportSize

PARTITION_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
PartitionName = Annotated[str, StringConstraints(pattern=PARTITION_NAME)]
Domain = Annotated[str, StringConstraints(min_length=1, max_length=253)]


class PutPartition(Model):
    allowed_domains: list[Domain] | None = Field(
        None,
        max_length=1000,
        description="Hosts, each with those below it, whose documents frames may show; all where absent.",
    )
    viewport: ViewportSize | None = Field(None, description="The size of its pages; otherwise that of the others.")
    spare_tab: bool = Field(
        False,
        description="Whether a blank tab is kept ready when one is closed, so that the next one opens at once.",
    )


class PartitionInfo(Model):
    name: str
    allowed_domains: list[str] | None = None
    viewport: ViewportSize | None = None
    spare_tab: bool = False
    tabs: list[str] = Field(description="Ids of its tabs, without the spare one.")


class PartitionList(Model):
    partitions: list[PartitionInfo]
