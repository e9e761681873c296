"""Pages as markdown: the converter, which is a program of its own, and how pages are given to it."""

from belljar.box.browser.markdown.converter import ConversionFailed, Converted, Converter, open_converter
from belljar.box.browser.markdown.page import to_markdown

__all__ = ["ConversionFailed", "Converted", "Converter", "open_converter", "to_markdown"]
