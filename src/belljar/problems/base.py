"""`Problem` and its body on the wire; and the problems any endpoint can answer with."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

CONTENT_TYPE = "application/problem+json"

REFERENCE = "urn:sandbox-agent:error:"
OURS = "urn:belljar:error:"


class Problem(Exception):
    """One situation a caller can act on.

    A subclass names the situation and fixes `status`, `code` and `title`; an instance adds `detail`, a sentence
    about this occurrence, and members that a program can use, given in snake_case and sent in camelCase.
    Nothing private belongs in either: no stack trace, no host path, no `str(exception)` of a lower layer.
    """

    status: ClassVar[int]
    code: ClassVar[str]
    title: ClassVar[str]
    namespace: ClassVar[str] = OURS
    # Headers the answer needs (`WWW-Authenticate`, `Allow`, `Retry-After`).
    headers: Mapping[str, str] = {}

    def __init__(self, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.members = members
        if headers is not None:
            self.headers = headers

    @classmethod
    def type_uri(cls) -> str:
        return cls.namespace + cls.code

    @property
    def type(self) -> str:
        return self.type_uri()

    def body(self) -> dict[str, Any]:
        return {
            "type": self.type,
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            **{_camel(name): value for name, value in self.members.items() if value is not None},
        }


def problem_classes(root: type[Problem] = Problem) -> Iterator[type[Problem]]:
    """Every concrete problem that has been imported, for the reference page and for SDKs."""
    for child in root.__subclasses__():
        if "code" in vars(child):
            yield child
        yield from problem_classes(child)


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


class InvalidRequest(Problem):
    """The request is well-formed HTTP but cannot be understood: malformed JSON, a bad query, a bad argument."""

    status, code, title = 400, "invalid_request", "Invalid Request"
    namespace = REFERENCE


class TokenInvalid(Problem):
    """No token, or one that opens nothing here."""

    status, code, title = 401, "token_invalid", "Token Invalid"
    namespace = REFERENCE
    headers = {"WWW-Authenticate": 'Bearer realm="belljar"'}

    def __init__(self, message: str = "missing or invalid bearer token") -> None:
        super().__init__("token invalid", details={"message": message})


class Forbidden(Problem):
    """The token is good, its role is not enough."""

    status, code, title = 403, "forbidden", "Forbidden"


class ForeignHost(Problem):
    """The Host header names a machine this server does not answer for (a DNS rebinding guard)."""

    status, code, title = 403, "foreign_host", "Foreign Host"


class ForeignOrigin(Problem):
    """A web page of another origin made this request."""

    status, code, title = 403, "foreign_origin", "Foreign Origin"


class UnknownPath(Problem):
    """No endpoint has this path."""

    status, code, title = 404, "invalid_request", "Not Found"
    namespace = REFERENCE


class NotFound(Problem):
    """The path is right, the thing it names does not exist."""

    status, code, title = 404, "not_found", "Not Found"
    namespace = REFERENCE

    def __init__(self, resource: str, id: str) -> None:
        super().__init__(f"not found: {resource} {id}", details={"resource": resource, "id": id})


class MethodNotAllowed(Problem):
    """The path exists, with other methods; `Allow` lists them."""

    status, code, title = 405, "method_not_allowed", "Method Not Allowed"


class Conflict(Problem):
    """The thing is in a state that does not admit this."""

    status, code, title = 409, "conflict", "Conflict"
    namespace = REFERENCE

    def __init__(self, message: str, **members: Any) -> None:
        super().__init__(f"conflict: {message}", details={"message": message}, **members)


class BodyTooLarge(Problem):
    """The request body is over the limit; it was not read."""

    status, code, title = 413, "invalid_request", "Payload Too Large"
    namespace = REFERENCE


class UnsupportedMediaType(Problem):
    """A JSON endpoint was sent something else."""

    status, code, title = 415, "unsupported_media_type", "Unsupported Media Type"


class ValidationFailed(Problem):
    """The JSON is well-formed, but a field is missing or has the wrong type; `errors` lists each."""

    status, code, title = 422, "validation_failed", "Validation Failed"


class HeadersTooLarge(Problem):
    """The request's headers are over the limit."""

    status, code, title = 431, "headers_too_large", "Request Header Fields Too Large"


class BodyTimeout(Problem):
    """The request's body stopped coming."""

    status, code, title = 408, "body_timeout", "Request Timeout"


class TooManyConnections(Problem):
    """The client's address has as many connections open as it may."""

    status, code, title = 429, "too_many_connections", "Too Many Connections"


class WebSocketRequired(Problem):
    """The path is a WebSocket; a plain request cannot use it."""

    status, code, title = 400, "websocket_required", "WebSocket Required"


class ClientGone(Problem):
    """The client hung up before it was answered.  Nobody reads this; logs and metrics count it."""

    status, code, title = 499, "client_gone", "Client Gone"


class InternalError(Problem):
    """A fault of ours.  The log has the trace under `requestId`."""

    status, code, title = 500, "internal_error", "Internal Error"


class StreamError(Problem):
    """A child process could not be started or talked to."""

    status, code, title = 502, "stream_error", "Stream Error"
    namespace = REFERENCE

    def __init__(self, message: str) -> None:
        super().__init__(message, details={"message": message})
