"""`belljar …`: settings in, a running program out."""

import gc


def main() -> None:
    # Nothing that is made while a command starts is garbage, and the collector would look through it again and again:
    # a tenth of a server's start.  Servers let it work once they listen (`asgi.serving`); other commands are soon over.
    gc.disable()
    from belljar.cli.commands import app

    app()
