"""What can be done to a page, one file for each kind of action."""
