"""Errors a caller can act on: raised by servers, sent as RFC 9457 problem documents, rebuilt by SDKs."""

from belljar.problems.base import CONTENT_TYPE, Problem, problem_classes
from belljar.problems.general import (
    BodyTooLarge,
    Conflict,
    Forbidden,
    ForeignHost,
    ForeignOrigin,
    HeadersTooLarge,
    InternalError,
    InvalidRequest,
    MethodNotAllowed,
    NotFound,
    StreamError,
    TokenInvalid,
    UnknownPath,
    UnsupportedMediaType,
    ValidationFailed,
    WebSocketRequired,
)

__all__ = [
    "CONTENT_TYPE",
    "BodyTooLarge",
    "Conflict",
    "Forbidden",
    "ForeignHost",
    "ForeignOrigin",
    "HeadersTooLarge",
    "InternalError",
    "InvalidRequest",
    "MethodNotAllowed",
    "NotFound",
    "Problem",
    "StreamError",
    "TokenInvalid",
    "UnknownPath",
    "UnsupportedMediaType",
    "ValidationFailed",
    "WebSocketRequired",
    "problem_classes",
]
