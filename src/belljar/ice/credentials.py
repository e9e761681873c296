"""Credentials: names and passwords of peers, and of viewers at a TURN server of the operator's.

A peer's name (ufrag) begins with its box's, so that whoever has a port for several boxes sees whose it is.  TURN is for
viewers whom no packet of ours reaches, and its credentials end by themselves.  As TURN's REST convention has it: the
name says until when, and the password is its signature by a secret that the TURN server has too (coturn:
`use-auth-secret`, `static-auth-secret`).
"""

import hmac
import re
import secrets
import time
from base64 import b64encode
from dataclasses import dataclass
from typing import Any

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


IceServer = dict[str, Any]

_URL = re.compile(r"turns?:[^\s?/@,]+(\?transport=(udp|tcp))?")


def is_turn_url(text: str) -> bool:
    """Whether it is `turn:host[:port][?transport=udp|tcp]`, or `turns:`."""
    return _URL.fullmatch(text) is not None


@dataclass(frozen=True)
class TurnServers:
    urls: tuple[str, ...]
    secret: str
    # How long a viewer may begin to use one.
    seconds: int

    def for_viewer(self, name: str, now: float | None = None) -> list[IceServer]:
        """What a viewer is handed; nothing where there are no servers."""
        if not self.urls:
            return []
        username = f"{int((time.time() if now is None else now) + self.seconds)}:{name}"
        password = b64encode(hmac.digest(self.secret.encode(), username.encode(), "sha1")).decode()
        return [{"urls": list(self.urls), "username": username, "credential": password}]
