"""Problems as ASGI answers, for HTTP requests and for WebSockets that were not accepted."""

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from belljar.problems import CONTENT_TYPE, Problem

# What every answer says unless it says otherwise: it is what it says it is, and nobody keeps it.
SAFE_HEADERS = {"x-content-type-options": "nosniff", "cache-control": "no-store"}


def problem_bytes(problem: Problem) -> bytes:
    return msgspec.json.encode(problem.body())


class ProblemResponse(Response):
    """A problem document with the headers its problem asks for."""

    media_type = CONTENT_TYPE

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem_bytes(problem), problem.status, dict(problem.headers))


async def answer(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    """Send `problem` where nothing has been sent yet.

    Starlette sends it in place of a WebSocket's handshake too: every server we run under offers the
    `websocket.http.response` extension.
    """
    await ProblemResponse(problem)(scope, receive, send)
