"""`belljar …`: settings in, a running program out."""

import gc
import os
import sys

from belljar.cli.commands import interrupts_end, interrupts_raise

# They import most of what they are once their options are read; `server.serving` takes signals from there on.
_SERVERS = ("box", "serve")


def main() -> None:
    interrupts_end()
    # Nothing that is made while a command starts is garbage, and the collector would look through it again and again:
    # servers let it work once they listen (`server.serving`), other commands are soon over.
    gc.disable()
    # Pydantic would look through every installed package for plugins; a server that is to be trusted has none.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    from belljar.cli.commands import make_app

    wanted = next(iter(sys.argv[1:]), None)
    app = make_app(wanted)
    if wanted not in _SERVERS:
        interrupts_raise()
    app()
