"""Tabs."""

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.common import Milliseconds
from belljar.wire.browser.dialogs import DialogInfo


class TabInfo(Model):
    id: str
    url: str
    title: str
    active: bool = Field(description="Whether it receives what names no tab.")
    opener_id: str | None = Field(None, description="The tab that opened it.")
    dialog: DialogInfo | None = Field(None, description="A dialog open in it.")
    crashed: bool | None = None


class TabList(Model):
    tabs: list[TabInfo]


class CreateTab(Model):
    url: str | None = Field(None, description="about:blank where absent.")
    timeout: Milliseconds | None = None


class CloseResult(Model):
    ok: bool = True
    dialog: DialogInfo | None = Field(None, description="A beforeunload dialog that keeps the tab open.")
