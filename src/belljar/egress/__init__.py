"""The only way out of a box: `policy.py` decides (pure), `proxy.py` moves bytes, in a process of its own."""
