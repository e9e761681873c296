"""X's names and numbers for keys and characters."""

import importlib
import pkgutil
from functools import cache

NO_SYMBOL = 0
SHIFT_L = 0xFFE1


@cache
def keysym_table() -> dict[str, int]:
    """Every keysym name python-xlib knows.  Read on first use: 1500 names are of no use to an idle server."""
    import Xlib.keysymdef as groups

    table: dict[str, int] = {"EuroSign": 0x20AC}
    for group in pkgutil.iter_modules(groups.__path__):
        for name, number in vars(importlib.import_module(f"{groups.__name__}.{group.name}")).items():
            if name.startswith("XK_"):
                table[name[3:].replace("XF86_", "XF86")] = number
    return table


def keysym_of_name(name: str) -> int | None:
    """`Return`, `eacute`, `U20AC`, `0xff0d`; None where X knows no such name."""
    if name in (table := keysym_table()):
        return table[name]
    try:
        if name[:1] == "U" and 4 <= len(name) - 1 <= 6:
            return keysym_of_character(chr(int(name[1:], 16)))
        if name.startswith("0x"):
            return int(name, 16) if 0 < int(name, 16) < 0x1FFFFFFF else None
    except ValueError:
        return None
    return None


def keysym_of_character(character: str) -> int:
    """Latin-1 is its own keysym; everything else is its code point beside a flag."""
    point = ord(character)
    return point if 0x20 <= point < 0x7F or 0xA0 <= point < 0x100 else 0x01000000 | point
