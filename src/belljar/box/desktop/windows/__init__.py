"""Windows: listed, and moved, raised and closed, with a window manager or without."""
