"""A person's hands and eyes on a display: input, screenshots, windows, clipboard, recording."""

from belljar.box.desktop.desktop import Desktop, open_desktop

__all__ = ["Desktop", "open_desktop"]
