"""The stream: on and off, and the signalling socket of clients that speak Neko's protocol."""

import secrets
from typing import Annotated, Any

from starlette.responses import Response
from starlette.websockets import WebSocket

from belljar.box.access.lease import viewer_id
from belljar.box.desktop.pictures.screenshots import Wish
from belljar.box.live.rtc import NekoSession
from belljar.box.parts import Box, TheBox, TheCaller
from belljar.box.routes.desktop.lifecycle import NEEDS_DISPLAY, new_router
from belljar.problems import Conflict, TokenInvalid, WebSocketRequired
from belljar.server.openapi import problems
from belljar.server.router import AtGateway, Instead, Kind, Router
from belljar.server.signature import Query
from belljar.tokens import Caller, Role
from belljar.wire.desktop import STREAM_RELAY, ImageFormat, StreamStatus
from belljar.wire.neko import Login, Who, described

router = new_router()


@router.get("/stream/status", operation_id="getDesktopStreamStatus", tells=Kind.STATE)
async def stream_status(box: TheBox) -> StreamStatus:
    """Whether viewers can connect by WebRTC; a headful browser has a stream from its start."""
    return box.streaming.status()


@router.post("/stream/start", operation_id="startDesktopStream", acts=False, responses=problems(Conflict))
async def stream_start(box: TheBox) -> StreamStatus:
    """Let viewers connect by WebRTC; 409 without a display, or with `--webrtc off`."""
    return box.streaming.start()


@router.post("/stream/stop", operation_id="stopDesktopStream", acts=False)
async def stream_stop(box: TheBox) -> StreamStatus:
    """End the stream; viewers are disconnected."""
    return box.streaming.stop()


@router.get(
    "/stream/signaling", operation_id="connectDesktopStream", tells=Kind.CDP, responses=problems(WebSocketRequired)
)
@router.get("/stream/ws", include_in_schema=False, tells=Kind.CDP)
async def signaling_without_upgrade() -> StreamStatus:
    """A WebSocket with Neko's messages; a plain request is refused."""
    raise WebSocketRequired("This path is a WebSocket.")


_PEERS = AtGateway(brings_peers=True)


@router.websocket("/stream/signaling", needs=Role.VIEW, counts_messages=False, last_words=2, gateway=_PEERS)
@router.websocket("/stream/ws", needs=Role.VIEW, counts_messages=False, last_words=2, gateway=_PEERS)
async def signaling(socket: WebSocket, box: TheBox) -> None:
    """Neko's signalling; 409 before the handshake where there is no stream."""
    await _attend(socket, box, is_neko=False)


@router.websocket(
    STREAM_RELAY.removeprefix("/v1/desktop"),
    needs=Role.OPERATOR,
    counts_messages=False,
    gateway=AtGateway(is_shut=True),
)
async def relay(socket: WebSocket, box: TheBox) -> None:
    """The control plane's port: packets of viewers, to and fro."""
    await box.streaming.ports.attend(socket, box.stopping)


async def _attend(socket: WebSocket, box: Box, *, is_neko: bool) -> None:
    box.streaming.check_active()
    id = viewer_id(secrets.token_urlsafe(18), socket.state.caller.id)
    session = NekoSession(id, socket, box.live, box.desktop, box.streaming, is_neko=is_neko)
    await session.attend(box.stopping)


# What Neko's own client asks for beside its socket.
neko_router = Router("/api", tags=["desktop"], include_in_schema=False, acts=False)


def _session(caller: Caller) -> dict[str, Any]:
    return described(Who(caller.id, caller.id, caller.role >= Role.DRIVE), is_watching=False)


@neko_router.get("/whoami", tells=Kind.STATE)
async def whoami(caller: TheCaller) -> dict[str, Any]:
    """Who the token is, in Neko's words."""
    return _session(caller)


@neko_router.post(
    "/login",
    is_open=True,
    responses=problems(TokenInvalid),
    gateway=AtGateway(is_page=True, instead=Instead.NEKO_LOGIN),
)
async def login(body: Login, box: TheBox) -> dict[str, Any]:
    """A token for a token: there are no passwords here, and no names that mean anything."""
    caller = box.keys.caller(body.password)
    if caller is None:
        raise TokenInvalid("The password is not a token of this box.")
    return _session(caller) | {"token": body.password}


@neko_router.post("/logout", needs=Role.VIEW)
async def logout() -> Response:
    """Nothing to end: a token is good until it expires."""
    return Response(status_code=204)


@neko_router.get("/room/screen/cast.jpg", tells=Kind.PIXELS, responses=NEEDS_DISPLAY)
async def cast(box: TheBox, quality: Annotated[int, Query(ge=1, le=100)] = 60) -> Response:
    """The screen now: Neko's client shows this, once a second, where WebRTC does not come through."""
    picture = await box.desktop.screenshots.take(Wish(ImageFormat.JPEG, quality=quality, scale=1.0, has_cursor=True))
    return Response(picture, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


@neko_router.websocket("/ws", gateway=_PEERS, needs=Role.VIEW, counts_messages=False, last_words=2)
async def neko_socket(socket: WebSocket, box: TheBox) -> None:
    """The same signalling, for Neko's own client."""
    await _attend(socket, box, is_neko=True)
