"""Belljar: a computer of its own for an AI agent, under glass."""

from importlib.metadata import version

__version__ = version("belljar")
