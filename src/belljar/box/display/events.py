"""X events as listeners get them."""

from typing import Any

# python-xlib's own record of an event: its fields as attributes, `type` among them.
Event = Any
