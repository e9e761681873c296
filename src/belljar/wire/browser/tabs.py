"""Tabs."""

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import Milliseconds
from belljar.wire.browser.dialogs import DialogInfo
from belljar.wire.browser.partitions import PartitionName


class TabInfo(Model):
    id: str
    url: str
    title: str
    active: bool = Field(description="Whether it receives what names no tab.")
    partition: str | None = Field(None, description="The partition it is in, when it is in one.")
    opener_id: str | None = Field(None, description="The tab that opened it.")
    dialog: DialogInfo | None = Field(None, description="A dialog open in it.")
    crashed: bool | None = None


class TabList(Model):
    tabs: list[TabInfo]


class CreateTab(Model):
    url: str | None = Field(None, description="about:blank where absent.")
    timeout: Milliseconds | None = None
    partition: PartitionName | None = Field(None, description="A tab of this partition; never active, nor listed.")
    dismiss_dialogs: bool = Field(
        False, description="Whether its dialogs are cancelled as they open, and those of tabs it opens."
    )


class CloseResult(Model):
    ok: bool = True
    dialog: DialogInfo | None = Field(None, description="A beforeunload dialog that keeps the tab open.")
