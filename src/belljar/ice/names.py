"""Peers' names (ufrags): each begins with its box's, so that whoever has a port for several boxes sees whose it is."""

import secrets
from dataclasses import dataclass

_NAME_BYTES, _PASSWORD_BYTES = 8, 16


def name_prefix(box_id: str) -> str:
    """The box's id in the characters that ICE has, and one that is in no id."""
    return "".join(letter for letter in box_id if letter.isascii() and letter.isalnum()) + "/"


@dataclass(frozen=True)
class Credentials:
    """What a peer's packets are known by."""

    name: str
    password: str

    @classmethod
    def new(cls, box_id: str) -> "Credentials":
        return cls(name_prefix(box_id) + secrets.token_hex(_NAME_BYTES), secrets.token_hex(_PASSWORD_BYTES))
