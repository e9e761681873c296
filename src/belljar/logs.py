"""Structured logs: JSON for machines, coloured lines for people.  Tokens, typed text and page content never appear."""

import json
import logging
import os
import stat
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import msgspec

from belljar.settings import LogFormat, LogLevel

# How long a bounded log may get before all but its end is dropped, and how long that end is.
MOST_BYTES = 32 << 20
KEPT_BYTES = 4 << 20
# The request that a line belongs to.
request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

Fields = Mapping[str, Any]
_COLOURS = {"debug": "2", "info": "32", "warning": "33", "error": "31", "critical": "31"}


class Logger:
    """Events with fields: `log.info("browser.started", pid=7)`.  One line each, and no sentence made of them."""

    def debug(self, event: str, **fields: object) -> None:
        _output.write(logging.DEBUG, event, fields)

    def info(self, event: str, **fields: object) -> None:
        _output.write(logging.INFO, event, fields)

    def warning(self, event: str, **fields: object) -> None:
        _output.write(logging.WARNING, event, fields)

    def error(self, event: str, **fields: object) -> None:
        _output.write(logging.ERROR, event, fields)

    def exception(self, event: str, **fields: object) -> None:
        """With the trace of the exception that is being handled."""
        _output.write(logging.ERROR, event, {**fields, "exception": traceback.format_exc().rstrip()})


log = Logger()


def set_up_logs(format: LogFormat, level: LogLevel, *, is_bounded: bool = False, file: Path | None = None) -> None:
    """Send our events, and what libraries log, to standard error in one format, and to the end of `file` too.

    `is_bounded` is for a log that nobody else rotates.  Raises `OSError` where the file cannot be written.
    """
    as_json = format == "json" or (format == "auto" and not sys.stderr.isatty())
    line = _json_line if as_json else (_coloured_line if sys.stderr.isatty() else _plain_line)
    number = logging.getLevelNamesMapping()[level.upper()]
    streams = [_Lines(sys.stderr, is_bounded=is_bounded)]
    if file is not None:
        streams.append(_Lines(file.open("a", encoding="utf-8"), is_bounded=is_bounded))
    _output.set_up(streams, line, number)
    logging.basicConfig(handlers=[_Libraries()], level=max(number, logging.WARNING), force=True)


def reset() -> None:
    """As before `set_up_logs`: only what is wrong is told."""
    _output.set_up([], _plain_line, logging.WARNING)


class _Output:
    """Where lines go."""

    def __init__(self) -> None:
        self.set_up([], _plain_line, logging.WARNING)

    def set_up(self, streams: "Sequence[_Lines]", line: Callable[[Fields], str], level: int) -> None:
        self._streams = streams
        self._line = line
        self._level = level

    def write(self, level: int, event: str, fields: Fields) -> None:
        if level < self._level:
            return
        whole = {**fields, "event": event}
        if (id := request_id.get()) is not None:
            whole["request_id"] = id
        whole["level"] = logging.getLevelName(level).lower()
        whole["timestamp"] = _timestamp()
        text = self._line(whole) + "\n"
        for stream in self._streams or [_Lines(sys.stderr, is_bounded=False)]:
            stream.write(text)


class _Libraries(logging.Handler):
    """What others log, in our format."""

    def emit(self, record: logging.LogRecord) -> None:
        fields: dict[str, object] = {}
        if record.exc_info and record.exc_info[1] is not None:
            fields["exception"] = "".join(traceback.format_exception(record.exc_info[1])).rstrip()
        try:
            message = record.getMessage()
        except (TypeError, ValueError):
            # Arguments that do not fit: a fault of theirs, and no reason to lose the rest.
            message = str(record.msg)
        _output.write(record.levelno, message, fields)


class _Lines:
    """Standard error, or a file, as logs are written to it: what cannot be written is lost, who logs it goes on.

    A full disk would otherwise end the very requests and tasks that could make room again.  With `is_bounded` a file
    that has become long loses its beginning: callers choose how many requests there are to log.
    """

    def __init__(self, stream: TextIO, *, is_bounded: bool) -> None:
        self._stream = stream
        self._until_look = MOST_BYTES // 16
        self._left = self._until_look if is_bounded else sys.maxsize

    def write(self, text: str) -> None:
        # A `ValueError` is a stream that was closed.
        with suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()
        self._left -= len(text)
        if self._left < 0:
            self._left = self._until_look
            with suppress(OSError):
                _shorten(self._stream.fileno())


def _shorten(descriptor: int) -> None:
    """Of a regular file that is too long keep the end, from the beginning of a line on.  Whoever appends goes on."""
    about = os.fstat(descriptor)
    if not stat.S_ISREG(about.st_mode) or about.st_size <= MOST_BYTES:
        return
    with open(f"/proc/self/fd/{descriptor}", "rb") as file:
        file.seek(about.st_size - KEPT_BYTES)
        end = file.read(KEPT_BYTES).partition(b"\n")[2]
    os.ftruncate(descriptor, 0)
    os.write(descriptor, end)


def _timestamp() -> str:
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def _json_line(fields: Fields) -> str:
    """As the standard library writes it, in a tenth of its time: there is a line for every request.

    What is not ASCII stays with that one: it escapes whatever a terminal could take for a command.
    """
    with suppress(TypeError, ValueError, OverflowError):
        line = msgspec.json.format(msgspec.json.encode(fields), indent=0)
        if line.isascii():
            return line.decode()
    return json.dumps(fields, default=repr)


def _plain_line(fields: Fields) -> str:
    return _line(fields, lambda text, _: text)


def _coloured_line(fields: Fields) -> str:
    return _line(fields, lambda text, colour: f"\x1b[{colour}m{text}\x1b[0m")


def _line(fields: Fields, paint: Callable[[str, str], str]) -> str:
    others = {key: value for key, value in fields.items() if key not in ("event", "level", "timestamp", "exception")}
    level = fields["level"]
    words = [paint(fields["timestamp"], "2"), f"[{paint(f'{level:9}', _COLOURS.get(level, '0'))}]"]
    event = fields["event"]
    words.append(paint(f"{event if event.isprintable() else repr(event):30}", "1"))
    words += [f"{paint(key, '36')}={paint(_printable(value), '35')}" for key, value in others.items()]
    trace = fields.get("exception")
    return " ".join(words).rstrip() + (f"\n{trace}" if trace else "")


def _printable(value: object) -> str:
    """Nothing that a terminal could take for a command."""
    text = value if isinstance(value, str) else repr(value)
    return text if text.isprintable() and " " not in text else repr(text)


_output = _Output()
