"""`belljar openapi`: print a server's OpenAPI document."""

import json
from enum import StrEnum
from typing import Annotated

import typer


class Server(StrEnum):
    BOX = "box"
    SERVE = "serve"


def openapi(server: Annotated[Server, typer.Argument(help="Which server's document to print.")]) -> None:
    """Print the OpenAPI document of a server as JSON.

    Example:  belljar openapi box > openapi/box.json
    """
    if server is Server.SERVE:
        from belljar.control.app import routed_app
    else:
        from belljar.box.app import routed_app

    typer.echo(json.dumps(routed_app().openapi(), indent=2, sort_keys=True, ensure_ascii=False))
