"""`belljar …`: settings in, a running program out."""

import sys

from belljar.cli.lean import start_lean


def main() -> None:
    start_lean()
    from belljar.cli.commands import make_app

    make_app(next(iter(sys.argv[1:]), None))()
