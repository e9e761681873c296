"""Acting on pages: the block that an action is, and what it caused."""
