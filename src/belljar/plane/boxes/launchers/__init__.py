"""Where boxes run: `base` says what a launcher is, the others are one each."""
