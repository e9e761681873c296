"""Patterns from callers, matched in linear time whatever they are."""

from collections.abc import Callable
from functools import lru_cache

from belljar.limits import MAX_PATTERN_CHARS
from belljar.problems import InvalidRequest


@lru_cache(maxsize=100)
def searcher(pattern: str) -> Callable[[str], bool]:
    """Whether a text has a match of `pattern` (RE2's syntax).  Raises `InvalidRequest`."""
    # Three megabytes that a box nobody filters in can do without.
    import re2

    if len(pattern) > MAX_PATTERN_CHARS:
        raise InvalidRequest(f"The pattern is longer than {MAX_PATTERN_CHARS} characters.")
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 8 << 20
    try:
        compiled = re2.compile(pattern, options=options)
    except re2.error as error:
        raise InvalidRequest(f"The pattern cannot be used: {_words(error)}") from error
    return lambda text: compiled.search(text) is not None


def _words(error: Exception) -> str:
    said = error.args[0] if error.args else error
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
