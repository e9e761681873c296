"""The control plane's API: parse, one call, answer."""
