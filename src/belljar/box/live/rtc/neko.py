"""Neko's messages (version 3), as values: what a client is told of a session.  No I/O."""

from belljar.wire.neko import Payload, Who, described

# A client drops a connection on which it has heard nothing for 12.5 seconds.
HEARTBEAT_SECONDS = 10
# The first video; there is one.
_VIDEO_ID = "main"


def message(event: str, payload: Payload | None = None) -> Payload:
    return {"event": event} if payload is None else {"event": event, "payload": payload}


def settings() -> Payload:
    return {
        "private_mode": False,
        "locked_logins": False,
        "locked_controls": False,
        "control_protection": False,
        "implicit_hosting": True,
        "inactive_cursors": False,
        "merciful_reconnect": True,
        "heartbeat_interval": HEARTBEAT_SECONDS,
        "plugins": {},
    }


def screen(width: int, height: int, fps: int) -> Payload:
    return {"width": width, "height": height, "rate": fps}


def control_host(by: str, host: str | None) -> Payload:
    """`host` is who holds control; nobody, None."""
    return {"id": by, "has_host": host is not None} | ({} if host is None else {"host_id": host})


def init(who: Who, size: Payload, host: str | None) -> Payload:
    """The first message of all: clients send nothing before it."""
    return message(
        "system/init",
        {
            "session_id": who.id,
            "control_host": control_host(who.id, host),
            "screen_size": size,
            "sessions": {who.id: described(who, is_watching=False)},
            "settings": settings(),
            "touch_events": False,
            "screencast_enabled": True,
            "webrtc": {"videos": [_VIDEO_ID]},
        },
    )


def video() -> Payload:
    return {"disabled": False, "id": _VIDEO_ID, "video": _VIDEO_ID, "auto": False}


def provide(sdp: str, servers: list[Payload]) -> Payload:
    """The offer.  An empty list of servers would have a client ask a public one who it is."""
    return message("signal/provide", {"sdp": sdp, "iceservers": servers, "video": video(), "audio": {"disabled": True}})
