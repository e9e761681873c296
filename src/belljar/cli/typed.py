"""Commands in sentences, as the person who reads them can type them."""

import re
import shutil
import sys
from pathlib import Path

_COMMAND = re.compile(r"(?<![\w/])belljar (?=(?:box|doctor|install) ?)")


def as_typed(sentence: str) -> str:
    """`belljar` alone is found only where it is on PATH; a clone keeps it in `.venv/bin`."""
    if shutil.which("belljar"):
        return sentence
    own = Path(sys.executable).with_name("belljar")
    return _COMMAND.sub(lambda _: f"{own} ", sentence)
