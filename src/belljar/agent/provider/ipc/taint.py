"""What pages say, marked so that nobody takes it for anything else."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

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


def to_wire(taint: Tainted[Any]) -> dict[str, Any]:
    source = {"url": taint.url, "origin": taint.origin, "time": taint.time}
    return {"external": True, "source": source, "content": taint.content}


def from_wire(told: dict[str, Any], content: Content) -> Tainted[Content]:
    source = told["source"]
    return Tainted(content, str(source["url"]), str(source["origin"]), str(source["time"]))
