"""Belljar: a computer of its own for an AI agent, under glass."""

__version__ = "0.1.0"
