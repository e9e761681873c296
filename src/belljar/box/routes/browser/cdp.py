"""CDP for outside clients: Playwright and Puppeteer connect here as they would to Chromium itself."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlencode

import anyio
from starlette.requests import Request
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from belljar.box.access.lease import AgentsControl
from belljar.box.browser.acting.action import again_after_restart
from belljar.box.browser.cdp import CdpError, CdpGone
from belljar.box.browser.client_policy import Permit, permit
from belljar.box.browser.relay import ClientSource, Relay, TooSlow, open_relay
from belljar.box.parts import Box, TheBox
from belljar.box.routes.browser.lifecycle import cdp_url
from belljar.problems import WebSocketRequired
from belljar.problems.browser import BrowserNotActive, BrowserTimeout, CdpDisabled, TabNotFound
from belljar.server.guard import presented_token
from belljar.server.openapi import problems
from belljar.server.router import AtGateway, Kind, Router
from belljar.wire.browser.lifecycle import CdpTarget, CdpVersion
from belljar.wire.isolation import Evaluate

router = Router(prefix="/v1/browser", tags=["browser"])
_SOCKET = AtGateway(ticket="cdp")
_LOOKUP: Mapping[str, object] = {
    "tells": Kind.CDP,
    "gateway": AtGateway(ticket="cdp", is_lookup=True),
    "responses": problems(BrowserNotActive, CdpDisabled),
}


@router.websocket("/cdp", gateway=_SOCKET)
async def relay_cdp(socket: WebSocket, box: TheBox) -> None:
    """Speak CDP with the browser, beside other clients and the REST calls."""
    await _relay(socket, box, None)


@router.websocket("/cdp/devtools/page/{tab_id}", gateway=_SOCKET)
async def relay_page(tab_id: str, socket: WebSocket, box: TheBox) -> None:
    """Speak CDP with one tab: what names no session is for it."""
    box.permissions.check_cdp()
    await _relay(socket, box, (await box.browser.page(tab_id)).id)


async def _relay(socket: WebSocket, box: Box, tab_id: str | None) -> None:
    box.permissions.check_cdp()
    allowed = permit(box.addresses.check, is_reviewed=box.permissions.evaluate is Evaluate.OFF)
    control = AgentsControl(box.lease, box.settings.control_wait)
    try:
        teller = ClientSource(box.record.bus, socket.state.caller.id)
        async with _open_relay(box, control, allowed, teller) as relay:
            if tab_id is not None:
                with anyio.fail_after(box.browser.timeouts.action):
                    await relay.keep_to(tab_id)
            await socket.accept()
            await _carry(socket, relay)
    except CdpGone as error:
        if socket.application_state is WebSocketState.CONNECTING:
            raise BrowserNotActive() from error
    except TimeoutError as error:
        raise BrowserTimeout("Chromium did not answer in time.") from error
    except CdpError as error:
        raise TabNotFound(tab_id or "") from error


@asynccontextmanager
async def _open_relay(box: Box, control: AgentsControl, allowed: Permit, teller: ClientSource) -> AsyncIterator[Relay]:
    """To Chromium as it is, or as it will be back."""
    async with AsyncExitStack() as opened:

        @again_after_restart
        async def open_to() -> Relay:
            async with box.browser.use_chromium("opening a CDP connection") as run:
                relay = open_relay(run.tabs, box.browser.downloads, control, allowed, teller)
                return await opened.enter_async_context(relay)

        yield await open_to()


@router.get("/cdp", operation_id="connectBrowserCdp", tells=Kind.CDP, responses=problems(WebSocketRequired))
async def cdp_without_websocket() -> None:
    """A WebSocket, for `connect_over_cdp` of Playwright and `connect` of Puppeteer.  A plain request is refused."""
    raise WebSocketRequired("Connect to this path with a WebSocket, or give Playwright its http address.")


@router.get("/cdp/json/version", operation_id="getBrowserCdpVersion", **_LOOKUP)
@router.get("/cdp/json/version/", **_LOOKUP, include_in_schema=False)
async def cdp_version(box: TheBox, request: Request) -> CdpVersion:
    """What Chromium's own debugging port would say: how Playwright finds the WebSocket from a plain http address.

    The address carries the caller's own credential, since the WebSocket that follows may carry no header.  Behind a
    control plane there is none here: the gateway puts the caller's there.
    """
    box.permissions.check_cdp()
    version = (await box.browser.running()).launched.version
    return CdpVersion(
        browser=version.product,
        protocol_version=version.protocol_version,
        user_agent=version.user_agent,
        v8_version=version.js_version,
        web_socket_debugger_url=cdp_url(request) + _credential(box, request),
    )


@router.get("/cdp/json/list", operation_id="getBrowserCdpTargets", **_LOOKUP)
@router.get("/cdp/json/list/", **_LOOKUP, include_in_schema=False)
@router.get("/cdp/json", **_LOOKUP, include_in_schema=False)
@router.get("/cdp/json/", **_LOOKUP, include_in_schema=False)
async def cdp_targets(box: TheBox, request: Request) -> list[CdpTarget]:
    """The open tabs, as Chromium's own debugging port would list them, each with a WebSocket of its own."""
    box.permissions.check_cdp()
    base, credential = cdp_url(request), _credential(box, request)
    return [
        CdpTarget(
            id=page.id,
            title=page.title,
            url=page.url,
            web_socket_debugger_url=f"{base}/devtools/page/{page.id}{credential}",
        )
        for page in (await box.browser.running()).tabs.list()
    ]


def _credential(box: Box, request: Request) -> str:
    """The caller's own, for an address; none behind a control plane, whose gateway puts the caller's there."""
    is_forwarded = box.settings.caller_key_file is not None
    token = None if is_forwarded else presented_token(request.scope, request.headers)
    return f"?{urlencode({'token': token})}" if token else ""


async def _carry(socket: WebSocket, relay: Relay) -> None:
    """Both ways, until either side is done."""
    async with anyio.create_task_group() as tasks:

        async def incoming() -> None:
            try:
                while True:
                    message = await socket.receive()
                    if message["type"] == "websocket.disconnect":
                        break
                    await relay.take(message.get("text") or message.get("bytes") or b"")
            finally:
                tasks.cancel_scope.cancel()

        tasks.start_soon(incoming, name="cdp client")
        tasks.start_soon(relay.pass_held, name="cdp client's held commands")
        try:
            async for messages in relay.outgoing():
                for message in messages:
                    await socket.send_text(message.decode())
        except WebSocketDisconnect:
            pass
        except TooSlow:
            await socket.close(1008, "too slow")
        else:
            await socket.close(1001, "the browser is gone")
        tasks.cancel_scope.cancel()
