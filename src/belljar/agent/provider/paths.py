"""Paths made out of what a caller or a configuration says, kept inside the folder they belong in."""

from pathlib import Path

from belljar.agent.provider.errors import BadArgument


def safe_path(base: Path, *parts: str) -> Path:
    """`base` with the parts below it.  Raises `BadArgument` for what leads out, links included."""
    top = base.resolve()
    if any("\0" in part for part in parts):
        raise BadArgument("A path must not contain NUL.")
    path = top.joinpath(*parts).resolve()
    if path != top and not path.is_relative_to(top):
        raise BadArgument("The path leads out of its folder.")
    return path
