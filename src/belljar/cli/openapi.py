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
    from belljar.agent.mcp import openapi as mcp_paths
    from belljar.server.openapi import add_operations

    if server is Server.SERVE:
        from belljar.plane.app import openapi as describe

        mcp = mcp_paths.ON_CONTROL_PLANE
    else:
        from belljar.box.app import openapi as describe

        mcp = mcp_paths.ON_BOX

    document = describe()
    add_operations(document, "/mcp", mcp)
    typer.echo(json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False))
