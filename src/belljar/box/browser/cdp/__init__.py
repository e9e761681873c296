"""The Chrome DevTools Protocol over Chromium's debugging pipe: bytes, messages, sessions, events."""

from belljar.box.browser.cdp.connection import Connection, open_connection
from belljar.box.browser.cdp.messages import CdpClosed, CdpError, CdpGone, TargetCrashed, TargetGone
from belljar.box.browser.cdp.session import Session

__all__ = [
    "CdpClosed",
    "CdpError",
    "CdpGone",
    "Connection",
    "Session",
    "TargetCrashed",
    "TargetGone",
    "open_connection",
]
