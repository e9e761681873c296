"""Traces: which a request belongs to, and spans sent to whoever gathers them."""
