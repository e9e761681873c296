"""JSON bodies: the content type that is asked for before anything is read, and bounds on what is read then."""

from json import JSONDecodeError
from typing import Any

from starlette.requests import ClientDisconnect, Request

from belljar.limits import TooDeep, check_json_depth
from belljar.problems import InvalidRequest, UnsupportedMediaType


class JsonRequest(Request):
    """A request whose JSON is bounded in depth."""

    async def body(self) -> bytes:
        """As Starlette's, which makes a stream of it: hardly any body of ours comes in two pieces."""
        if not hasattr(self, "_body"):
            chunks: list[bytes] = []
            is_more = True
            while is_more:
                message = await self.receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                chunks.append(message.get("body", b""))
                is_more = message.get("more_body", False)
            self._body = b"".join(chunks)
        return self._body

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            try:
                value = await super().json()
                check_json_depth(value)
            except JSONDecodeError:
                raise
            except (RecursionError, TooDeep, ValueError) as error:
                raise InvalidRequest(
                    "The request body is not JSON that can be read: nested too deeply, not UTF-8, or with a number of "
                    "thousands of digits."
                ) from error
            self._json = value
        return self._json


def check_content_type(request: Request, *, is_required: bool) -> None:
    given = request.headers.get("content-type", "")
    if given == "application/json":
        return
    content_type = given.partition(";")[0].strip().lower()
    kind, _, subtype = content_type.partition("/")
    if kind == "application" and (subtype == "json" or subtype.endswith("+json")):
        return
    if not content_type and not is_required and not _has_body(request):
        return
    raise UnsupportedMediaType("Send the body as JSON with the header Content-Type: application/json.")


def _has_body(request: Request) -> bool:
    return request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers
