"""The clipboard and the primary selection."""
