"""`belljar …`: settings in, a running program out."""

import sys

from belljar.cli.interrupts import interrupts_end, interrupts_raise
from belljar.cli.lean import start_lean

# They import most of what they are once their options are read; `asgi.serving` takes signals from there on.
_SERVERS = ("box", "serve")


def main() -> None:
    interrupts_end()
    start_lean()
    from belljar.cli.commands import make_app

    wanted = next(iter(sys.argv[1:]), None)
    app = make_app(wanted)
    if wanted not in _SERVERS:
        interrupts_raise()
    app()
