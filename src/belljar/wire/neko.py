"""Who a viewer is, in the words of Neko's clients (version 3)."""

from dataclasses import dataclass
from typing import Any

from belljar.wire.base import Model

Payload = dict[str, Any]


class Login(Model):
    """Neko's: any name, and a token as the password."""

    username: str = ""
    password: str = ""


@dataclass(frozen=True)
class Who:
    """A viewer, as others see it."""

    id: str
    name: str
    may_drive: bool


def profile(who: Who) -> Payload:
    return {
        "name": who.name,
        "is_admin": False,
        "can_login": True,
        "can_connect": True,
        "can_watch": True,
        "can_host": who.may_drive,
        "can_share_media": False,
        "can_access_clipboard": who.may_drive,
        "sends_inactive_cursor": False,
        "can_see_inactive_cursors": False,
        "plugins": {},
    }


def state(*, is_watching: bool) -> Payload:
    return {"is_connected": True, "is_watching": is_watching}


def described(who: Who, *, is_watching: bool) -> Payload:
    return {"id": who.id, "profile": profile(who), "state": state(is_watching=is_watching)}
