"""The live WebSocket, and how the live view is."""

import re
import secrets

from starlette.websockets import WebSocket

from belljar.asgi.facts import Kind, Messages
from belljar.asgi.router import Router
from belljar.box.lease import viewer_id
from belljar.box.live.page_hands import PageHands
from belljar.box.live.screen_hands import ScreenHands
from belljar.box.live.viewer import Hands, Viewer
from belljar.box.live.watched import active_page
from belljar.box.parts import TheBox
from belljar.tokens import Role
from belljar.wire.live import (
    BINARY_SUBPROTOCOL,
    EVENT_DATA,
    JSON_SUBPROTOCOL,
    ClientMessage,
    LiveHealth,
    LiveMode,
    ServerMessage,
)

router = Router(tags=["live"], acts=False)
_MESSAGES = Messages(ClientMessage, ServerMessage, EVENT_DATA, (JSON_SUBPROTOCOL, BINARY_SUBPROTOCOL))
_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")


@router.websocket("/v1/live", operation_id="connectLive", needs=Role.VIEW, counts_messages=False, messages=_MESSAGES)
@router.websocket("/ws", needs=Role.VIEW, counts_messages=False)
async def live(socket: WebSocket, box: TheBox, viewer: str = "") -> None:
    """Frames, input, commands and events over one WebSocket; the protocol is told in docs/reference/live.md."""
    is_good = _KEY.fullmatch(viewer) and not box.live.is_here(viewer_id(viewer, socket.state.caller.id))
    key = viewer if is_good else secrets.token_urlsafe(18)
    hands: dict[LiveMode, Hands] = {
        LiveMode.BROWSER: PageHands(lambda: active_page(box.browser)),
        LiveMode.DESKTOP: ScreenHands(box.desktop),
    }
    attending = Viewer(key, box.settings.box_id, socket, socket.app, box.live, hands)
    await attending.attend(box.stopping, lambda: box.tenancy.reason)


@router.get("/health", operation_id="getLiveHealth", tells=Kind.STATE, counts=False, response_model_exclude_none=True)
async def health(box: TheBox) -> LiveHealth:
    """Whether the browser runs, when it was last seen and used, who watches, and how smoothly."""
    return box.live.health()
