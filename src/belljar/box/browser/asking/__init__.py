"""Asking a person: what Chromium shows in widgets of its own, told to viewers, and their answers given to the page."""
