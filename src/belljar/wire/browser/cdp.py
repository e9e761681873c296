"""What Chromium's debugging port would say of itself."""

from pydantic import Field

from belljar.wire.base import Model


class CdpTarget(Model):
    """A tab, in the names of a debugging port."""

    id: str
    type: str = "page"
    title: str
    url: str
    web_socket_debugger_url: str = Field(alias="webSocketDebuggerUrl")


class CdpVersion(Model):
    """Chromium's own names, which clients look for."""

    browser: str = Field(alias="Browser")
    protocol_version: str = Field(alias="Protocol-Version")
    user_agent: str = Field(alias="User-Agent")
    v8_version: str = Field(alias="V8-Version")
    web_socket_debugger_url: str = Field(alias="webSocketDebuggerUrl")
