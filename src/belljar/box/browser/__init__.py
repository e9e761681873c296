"""Chromium: how it is launched, spoken to over CDP, and what its tabs, frames and dialogs are."""
