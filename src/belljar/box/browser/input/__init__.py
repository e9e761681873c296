"""Gestures: the mouse moved and pressed, keys struck, as Chromium takes them from a person."""
