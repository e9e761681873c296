"""`belljar …`: settings in, a running program out."""

from belljar.cli.lean import start_lean


def main() -> None:
    start_lean()
    from belljar.cli.commands import app

    app()
