"""Structured logs: JSON for machines, coloured lines for people.  Tokens, typed text and page content never appear."""

import json
import logging
import os
import stat
import sys
from contextlib import suppress
from typing import Any, TextIO

import msgspec
import structlog

from belljar.settings import LogFormat, LogLevel

# How long a bounded log may get before all but its end is dropped, and how long that end is.
MOST_BYTES = 32 << 20
KEPT_BYTES = 4 << 20


class _Lines:
    """Standard error as logs are written to it: what cannot be written is lost, and whoever logs it goes on.

    A full disk would otherwise end the very requests and tasks that could make room again.  With `is_bounded` a file
    that has become long loses its beginning: callers choose how many requests there are to log.
    """

    def __init__(self, stream: TextIO, *, is_bounded: bool) -> None:
        self._stream = stream
        self._until_look = MOST_BYTES // 16
        self._left = self._until_look if is_bounded else sys.maxsize

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._stream.write(text)
        self._left -= len(text)
        if self._left < 0:
            self._left = self._until_look
            with suppress(OSError):
                _shorten(self._stream.fileno())

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


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


def _json_line(event: dict[str, Any], **options: Any) -> str:
    """As the standard library writes it, in a tenth of its time: there is a line for every request.

    What is not ASCII stays with that one: it escapes whatever a terminal could take for a command.
    """
    try:
        line = msgspec.json.format(msgspec.json.encode(event), indent=0)
    except (TypeError, ValueError, OverflowError):
        return json.dumps(event, **options)
    return line.decode() if line.isascii() else json.dumps(event, **options)


def set_up_logs(format: LogFormat, level: LogLevel, *, is_bounded: bool = False) -> None:
    """Send our events, and what libraries log, to standard error in one format.

    `is_bounded` is for a log that nobody else rotates.
    """
    lines = _Lines(sys.stderr, is_bounded=is_bounded)
    as_json = format == "json" or (format == "auto" and not sys.stderr.isatty())
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if as_json:
        final: list[structlog.typing.Processor] = [
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(serializer=_json_line),
        ]
    else:
        final = [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*shared, *final],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(lines),  # type: ignore[arg-type]  # all that it uses
        cache_logger_on_first_use=True,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *final]
    )
    handler = logging.StreamHandler(lines)
    handler.setFormatter(formatter)
    logging.basicConfig(handlers=[handler], level=max(number, logging.WARNING), force=True)
