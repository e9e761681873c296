"""Bodies that are `multipart/form-data`, read piece by piece: files go straight to disk."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import anyio
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import Request

from belljar.problems import InvalidRequest

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
