"""Live streaming over WebRTC, which this version does not have: its endpoints say so."""

from starlette.websockets import WebSocket

from belljar.asgi.facts import Kind
from belljar.asgi.openapi import problems
from belljar.box.routes.desktop.routing import new_router
from belljar.problems import Conflict, WebSocketRequired
from belljar.wire.desktop import StreamStatus

router = new_router()

NOT_YET = "desktop streaming is not available in this version"


@router.get("/stream/status", operation_id="getDesktopStreamStatus", tells=Kind.STATE)
async def stream_status() -> StreamStatus:
    """Never active: streaming is not available yet."""
    return StreamStatus(active=False, reason=NOT_YET)


@router.post("/stream/start", operation_id="startDesktopStream", acts=False, responses=problems(Conflict))
async def stream_start() -> StreamStatus:
    """409: streaming is not available yet."""
    raise Conflict(NOT_YET)


@router.post("/stream/stop", operation_id="stopDesktopStream", acts=False)
async def stream_stop() -> StreamStatus:
    """Nothing to stop: streaming is not available yet."""
    return StreamStatus(active=False)


@router.get(
    "/stream/signaling", operation_id="connectDesktopStream", tells=Kind.CDP, responses=problems(WebSocketRequired)
)
async def signaling_without_upgrade() -> StreamStatus:
    """A WebSocket; a plain request is refused."""
    raise WebSocketRequired("This path is a WebSocket.")


@router.websocket("/stream/signaling")
async def signaling(socket: WebSocket) -> None:
    """409 before the handshake: streaming is not available yet."""
    raise Conflict(NOT_YET)
