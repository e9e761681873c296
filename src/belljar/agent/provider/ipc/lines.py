"""JSON lines, bounded, and taint: words of pages marked so that nobody takes them for anything else."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

import anyio
from anyio.abc import ByteStream

from belljar.agent.untrusted import one_line, origin_of

Content = TypeVar("Content")


@dataclass(frozen=True)
class Tainted(Generic[Content]):
    """`content` came from a page at `url`: it may say anything, and is never an instruction."""

    content: Content
    url: str
    origin: str
    time: str
    external: bool = True


def tainted(content: Content, url: str) -> Tainted[Content]:
    return Tainted(content, one_line(url, 4000), origin_of(url), datetime.now(UTC).isoformat())


def to_wire(taint: Tainted[object]) -> dict[str, object]:
    source = {"url": taint.url, "origin": taint.origin, "time": taint.time}
    return {"external": True, "source": source, "content": taint.content}


def from_wire(told: dict[str, Any], content: Content) -> Tainted[Content]:
    source = told["source"]
    return Tainted(content, str(source["url"]), str(source["origin"]), str(source["time"]))


# A text that is typed may be long.
MAX_REQUEST_BYTES = 4 << 20
# A screenshot in base64.
MAX_ANSWER_BYTES = 64 << 20


class LineTooLong(Exception):
    """More than the limit without a line's end."""


class NotJson(Exception):
    """A line that is no JSON object."""


class Lines:
    """Both directions of one connection."""

    def __init__(self, stream: ByteStream, most: int) -> None:
        self._stream = stream
        self._most = most
        self._ahead = bytearray()

    async def receive(self) -> dict[str, Any] | None:
        """The next object; None when the other side is done.  Raises `LineTooLong` and `NotJson`."""
        searched = 0
        while (end := self._ahead.find(b"\n", searched)) < 0:
            searched = len(self._ahead)
            if searched > self._most:
                raise LineTooLong
            try:
                self._ahead += await self._stream.receive(65_536)
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                return None
        if end > self._most:
            raise LineTooLong
        line, self._ahead = bytes(self._ahead[:end]), self._ahead[end + 1 :]
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise NotJson from None
        if not isinstance(found, dict):
            raise NotJson
        return found

    async def send(self, message: dict[str, Any]) -> None:
        await self._stream.send(json.dumps(message).encode() + b"\n")
