"""Tabs, and what a page is made of: frames, dialogs, emulation, and going from one address to the next."""
