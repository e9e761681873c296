"""Options of a command, made from its settings; and commands in sentences, as a person can type them."""

import inspect
import re
import shutil
import sys
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Annotated, get_args, get_origin

import typer
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from belljar.settings import ServerSettings, flag_of

_METAVARS = {str: "TEXT", list: "TEXT", int: "N", float: "N", Path: "PATH"}


def options_from(settings: type[ServerSettings]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command one option for each setting; it is called with those that were given, by the settings' names."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        def run(**options: object) -> None:
            command(**{name: value for name, value in options.items() if value is not None})

        run.__doc__ = command.__doc__
        parameters = [_parameter(name, field) for name, field in settings.model_fields.items()]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return run

    return decorate


def complaint(error: ValidationError) -> str:
    """What is wrong with settings, under the names they have on the command line and in the environment."""
    said = []
    for one in error.errors(include_input=False, include_url=False):
        name = str(next(iter(one["loc"]), ""))
        where = f"--{name.replace('_', '-')} (or BELLJAR_{name.upper()}): " if name else ""
        said.append(where + one["msg"])
    return "; ".join(said)


def _parameter(name: str, field: FieldInfo) -> inspect.Parameter:
    kind = _option_type(field.annotation)
    option = typer.Option(
        flag_of(name, field),
        help=field.description,
        metavar=_METAVARS.get(kind),
        show_default=_default(field) or False,
    )
    annotation = Annotated[(list[str] if kind is list else kind) | None, option]  # type: ignore[valid-type]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _option_type(annotation: object) -> type:
    """What Typer makes of the words on the command line; the settings check the rest."""
    if isinstance(annotation, UnionType):
        annotation = next(one for one in get_args(annotation) if one is not type(None))
    if get_origin(annotation) is tuple:
        return list
    return annotation if annotation in (bool, int, float, Path) else str


def _default(field: FieldInfo) -> str:
    """As it would be typed; empty where there is none worth telling."""
    value = field.default.value if isinstance(field.default, Enum) else field.default
    return "" if field.default_factory is not None or value in (None, "", (), False) else str(value)


_COMMAND = re.compile(r"(?<![\w/])belljar (?=(?:box|doctor|install) ?)")


def as_typed(sentence: str) -> str:
    """`belljar` alone is found only where it is on PATH; a clone keeps it in `.venv/bin`."""
    if shutil.which("belljar"):
        return sentence
    own = Path(sys.executable).with_name("belljar")
    return _COMMAND.sub(lambda _: f"{own} ", sentence)
