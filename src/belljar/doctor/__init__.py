"""What this host can do: one small check for each thing, each with the command that mends it."""
