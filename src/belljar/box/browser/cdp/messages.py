"""CDP messages: an envelope decoded, contents left as bytes until wanted; and Chromium's refusals."""

import re
from typing import TypeVar

import msgspec

Kind = TypeVar("Kind")


class CdpError(Exception):
    """Chromium answered a command with an error."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(f"{method}: {message} ({code})")
        self.method = method
        self.code = code
        self.message = message


class UnexpectedReply(CdpError):
    """Chromium's answer is not of the shape that it has in CDP."""

    def __init__(self, method: str, why: str) -> None:
        super().__init__(method, 0, f"Chromium's answer was not understood: {why}")


class CdpGone(Exception):
    """There will be no answer: who should have given it is gone."""


class CdpClosed(CdpGone):
    """The connection ended: Chromium exited or closed its pipe."""


class TargetGone(CdpGone):
    """The tab, frame or worker of this session is gone."""


class TargetCrashed(CdpGone):
    """The renderer of this session crashed; the session itself lives on and works after a reload."""

    def __init__(self, message: str, *, is_out_of_memory: bool = False) -> None:
        super().__init__(message)
        self.is_out_of_memory = is_out_of_memory


NOTHING = msgspec.Raw(b"{}")
ABSENT = msgspec.Raw(b"")
NULL = msgspec.Raw(b"null")


class ErrorBody(msgspec.Struct, gc=False):
    code: int = 0
    message: str = ""


class Message(msgspec.Struct, gc=False):
    """What came: an answer (`id`) or an event (`method`).

    Contents nobody subscribed to are never decoded, and a relay passes them on as they came.
    """

    id: int | None = None
    method: str | None = None
    session: str | None = msgspec.field(name="sessionId", default=None)
    params: msgspec.Raw = NOTHING
    result: msgspec.Raw = NOTHING
    error: msgspec.Raw = ABSENT


class Command(msgspec.Struct, gc=False, omit_defaults=True):
    id: int
    method: str
    params: dict[str, object] | msgspec.Raw = msgspec.field(default_factory=dict)
    session: str | None = msgspec.field(name="sessionId", default=None)


_decode_message = msgspec.json.Decoder(Message).decode
encode_command = msgspec.json.Encoder().encode
_decode_error = msgspec.json.Decoder(ErrorBody).decode
# Whatever is escaped in JSON, pairs of surrogates and single ones told from the rest.
_ESCAPED = re.compile(rb"\\(?:(?P<pair>u[dD][89abAB]..\\u[dD][c-fC-F]..)|(?P<half>u[dD][89a-fA-F]..)|.)", re.DOTALL)


# How an answer begins.
_ANSWER = re.compile(rb'\s*\{\s*"id"\s*:\s*(\d{1,18})\s*[,}]')


def decode_message(data: bytes) -> Message:
    """Raises `msgspec.DecodeError`, and `RecursionError` for what is nested too deeply.

    Strings of a page may hold half a character, which Chromium hands on and no decoder takes: it is replaced, as in
    every text that is made of such a string.
    """
    try:
        return _decode_message(data)
    except msgspec.DecodeError:
        return _decode_message(_ESCAPED.sub(lambda found: rb"\ufffd" if found["half"] else found[0], data))


def answered_id(data: bytes) -> int | None:
    """Which command a message answers that cannot be decoded: whoever sent it should not wait for ever."""
    found = _ANSWER.match(data)
    return int(found[1]) if found is not None else None


def refusal(method: str, error: msgspec.Raw) -> CdpError:
    try:
        body = _decode_error(error)
    except (msgspec.DecodeError, UnicodeError) as failed:
        return UnexpectedReply(method, f"an error of which {failed}")
    return CdpError(method, body.code, body.message)


def decode_as(kind: type[Kind], method: str, raw: msgspec.Raw) -> Kind:
    """Raises `UnexpectedReply`.  A `bytes` member is base64, which the decoder undoes."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise UnexpectedReply(method, str(error)) from error


def decode_value(kind: type[Kind], value: msgspec.Raw) -> Kind:
    """The value of a remote object; `undefined` has none, and is as `null`.  Raises `UnexpectedReply`."""
    return decode_as(kind, "Runtime.evaluate", NULL if value is ABSENT else value)
