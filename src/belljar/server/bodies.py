"""Bodies of requests: JSON within bounds, and `multipart/form-data` piece by piece, files straight to disk."""

import os
from dataclasses import dataclass, field
from json import JSONDecodeError
from pathlib import Path
from typing import IO

import anyio
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
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

    async def json(self) -> object:
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


# Bytes gathered before a thread is asked to write them.
PIECE = 1 << 20
MAX_FIELD_BYTES = 1 << 20
MAX_PARTS = 1000


@dataclass
class Form:
    """What came in: fields by name, and files under the names their sender gave them, made harmless."""

    fields: dict[str, str] = field(default_factory=dict)
    files: list[Path] = field(default_factory=list)


async def receive_form(request: Request, folder: Path) -> Form:
    """Read the request's form, its files into `folder`, which must be empty.  What was written stays on failure."""
    _, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary")
    if not boundary:
        raise InvalidRequest("The Content-Type of a multipart body must name its boundary.")
    receiver = Receiver(folder)
    parser = MultipartParser(boundary, receiver.callbacks())  # type: ignore[arg-type]  # a TypedDict of the same names
    gathered = bytearray()
    try:
        async for chunk in request.stream():
            gathered += chunk
            if len(gathered) >= PIECE:
                await anyio.to_thread.run_sync(parser.write, bytes(gathered))
                gathered.clear()
        await anyio.to_thread.run_sync(parser.write, bytes(gathered))
        parser.finalize()
    except FormParserError as error:
        raise InvalidRequest("The multipart body cannot be read.") from error
    finally:
        receiver.close()
    if not receiver.is_complete:
        raise InvalidRequest("The multipart body ends too early.")
    return receiver.form


class Receiver:
    """Takes the parser's callbacks; they run in a worker thread, one at a time."""

    def __init__(self, folder: Path) -> None:
        self.form = Form()
        self.is_complete = False
        self._folder = folder
        self._header, self._value = b"", b""
        self._disposition: dict[bytes, bytes] = {}
        self._file: IO[bytes] | None = None
        self._text = bytearray()
        self._parts = 0

    def callbacks(self) -> dict[str, object]:
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._header_field,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_finished,
            "on_part_data": self._data,
            "on_part_end": self._end,
            "on_end": self._finished,
        }

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise InvalidRequest(f"The form has more than {MAX_PARTS} parts.")
        self._header, self._value, self._disposition = b"", b"", {}
        self._text.clear()

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        if self._header.lower() == b"content-disposition":
            _, self._disposition = parse_options_header(self._value)
        self._header, self._value = b"", b""

    def _headers_finished(self) -> None:
        if b"filename" in self._disposition:
            name = safe_name(self._disposition[b"filename"].decode("utf-8", "replace"))
            # Two files of one name lie beside each other, each in a folder of its own.
            place = self._folder / str(len(self.form.files))
            place.mkdir(mode=0o700)
            self._file = (place / name).open("xb")
            self.form.files.append(place / name)

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._file is not None:
            self._file.write(data[start:end])
            return
        self._text += data[start:end]
        if len(self._text) > MAX_FIELD_BYTES:
            raise InvalidRequest(f"A field of the form is over {MAX_FIELD_BYTES} bytes.")

    def _end(self) -> None:
        if self._file is not None:
            self.close()
            return
        name = self._disposition.get(b"name", b"").decode("utf-8", "replace")
        self.form.fields[name] = self._text.decode("utf-8", "replace")

    def _finished(self) -> None:
        self.is_complete = True


def safe_name(name: str) -> str:
    """A file's name without its folders, never empty, never hidden, of a length any file system takes."""
    last = name.replace("\\", "/").rpartition("/")[2]
    clean = "".join(char for char in last if char.isprintable()).strip().lstrip(".")
    stem, dot, suffix = clean.rpartition(".")
    if len(os.fsencode(clean)) > 200:
        clean = os.fsencode(stem if dot else clean)[:150].decode("utf-8", "ignore") + (dot + suffix[:30] if dot else "")
    return clean or "file"
