"""The X protocol, spoken on the event loop.  Nothing else in the box imports python-xlib."""
