"""Chromium: how it is launched, spoken to over CDP, and what its tabs, frames and dialogs are."""

from belljar.box.browser.acting.action import Timeouts
from belljar.box.browser.browser import Browser, open_browser

__all__ = ["Browser", "Timeouts", "open_browser"]
