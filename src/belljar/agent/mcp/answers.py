"""What a tool answers: our words first, then the page's between boundary lines; cut where it grows too long."""

from dataclasses import dataclass, field

from belljar.agent.untrusted import mark

# Of the addresses that `resources/read` takes.
SCHEME = "belljar"


@dataclass(frozen=True)
class Picture:
    """Shown in the answer itself: there is no client that follows a link to one."""

    media_type: str
    content: bytes


@dataclass(frozen=True)
class Link:
    """A file that `resources/read` fetches."""

    uri: str
    name: str
    media_type: str = "application/octet-stream"
    size: int | None = None


@dataclass(frozen=True)
class Answer:
    """`said` is ours; `page` is whatever a page had a hand in, addresses and titles included."""

    said: str
    page: str = ""
    url: str = ""
    pictures: list[Picture] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    is_error: bool = False

    def text(self) -> str:
        page = self.page.strip("\n")
        if not page:
            return self.said
        return f"{self.said}\n{mark(page, self.url)}" if self.said else mark(page, self.url)


def piece(text: str, offset: int, most: int, how: str) -> tuple[str, str]:
    """Whole lines of `text` from `offset` on, at most `most` characters, and a sentence about the rest.

    `how` says how to read on, with `{}` for the next offset.
    """
    offset = max(0, min(offset, len(text)))
    if len(text) - offset <= most:
        return text[offset:], ""
    end = text.rfind("\n", offset, offset + most) + 1
    if end <= offset:
        end = offset + most
    return text[offset:end], f"Cut: characters {offset}–{end} of {len(text)}. {how.format(end)}"
