"""The control plane: many sessions, each in a box of its own."""
