"""Pictures that a model was told of by a link, kept for when it wants to see them; the oldest go first."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass

from belljar.agent.mcp.answers import Picture

SCHEME = "belljar"
_MOST_PICTURES = 24
_MOST_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True)
class Kept:
    media_type: str
    content: bytes


class Shelf:
    """Whoever knows a picture's address may see it: the address is 128 random bits, told to the one who took it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Kept] = OrderedDict()

    def put(self, content: bytes, media_type: str, name: str, *, inline: bool) -> Picture:
        uri = f"{SCHEME}://picture/{secrets.token_hex(16)}"
        self._kept[uri] = Kept(media_type, content)
        while len(self._kept) > 1 and (len(self._kept) > _MOST_PICTURES or self._size() > _MOST_BYTES):
            self._kept.popitem(last=False)
        return Picture(uri, media_type, content, name, inline)

    def get(self, uri: str) -> Kept | None:
        return self._kept.get(uri)

    def _size(self) -> int:
        return sum(len(one.content) for one in self._kept.values())
