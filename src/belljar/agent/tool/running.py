"""A call on a running box: a tab of its own in the tool's partition, closed again; no launch, so milliseconds."""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

import anyio

from belljar.agent.tool.failure import ToolFailure
from belljar.agent.tool.interact import Steps, run_operation
from belljar.agent.tool.profile import BoxLastUrl, turn
from belljar.agent.tool.request import Goto, Request, ToolSettings
from belljar.agent.tool.tor import Tor, is_only_way_out, read_tor
from belljar.agent.tool.workspace import WORKSPACE, BoxShelf, Workspace
from belljar.problems import Problem
from belljar.problems.browser import BrowserAlreadyActive, BrowserNotActive, PartitionNotFound
from belljar.sdk.aio.client import AsyncBelljar
from belljar.sdk.aio.page import AsyncPage
from belljar.sdk.errors import Unreachable

PARTITION = "agent-tool"


async def run_on_box(request: Request, settings: ToolSettings) -> dict[str, object]:
    """The payload of the answer.  Raises `ToolFailure` and what the SDK raises."""
    assert settings.url is not None
    if request.workspace is not None:
        raise ToolFailure(
            "workspace= cannot be used on a running box: it has a /workspace of its own.",
            "Leave workspace= out, or unset BELLJAR_URL to run in a box of this call's own.",
        )
    Workspace().rewritten(request)
    lock = settings.state_dir / "tool" / f"{hashlib.sha256(settings.url.encode()).hexdigest()[:16]}.lock"
    async with turn(lock, request.budget), AsyncBelljar(settings.url, settings.token) as jar:
        if request.tor_proxy is not None:
            await _check_tor(jar, read_tor(request.tor_proxy))
        last_url = BoxLastUrl(jar)
        request = (await _workspace(jar, request)).rewritten(request)
        if request.operation == "close":
            with suppress(PartitionNotFound, BrowserNotActive):
                await jar.browser.delete_partition(PARTITION)
            await last_url.wipe()
            return {"operation": "close", "profile": PARTITION}
        async with _tab(jar) as page:
            shelf = BoxShelf(jar, urlsplit(settings.url).path.rstrip("/"))
            return await run_operation(request, Steps(page, shelf, request.timeout_ms), last_url)


async def _check_tor(jar: AsyncBelljar, tor: Tor) -> None:
    """How a box's traffic leaves is its policy's to say, so that has to say the same.  Raises `ToolFailure`."""
    told, health = await jar.egress.policy(), await jar.health()
    is_jailed = health.isolation is not None and health.isolation.jail
    if is_jailed and tor.username is None and is_only_way_out(tor, told.policy, told.allow):
        return
    raise ToolFailure(
        "tor_proxy cannot be honoured on this running box: its network policy knows other ways out than that proxy.",
        "Unset BELLJAR_URL, or start the box with a policy whose only upstream it is: nothing was requested.",
    )


async def _workspace(jar: AsyncBelljar, request: Request) -> Workspace:
    """Of a box without a jail the pages know its workspace by the path that it has outside."""
    urls = [request.url, *(action.url for action in request.actions if isinstance(action, Goto))]
    if not any(url is not None and url.startswith(("/", "file:")) for url in urls):
        return Workspace()
    return Workspace(known_as=(await jar.files.stat(WORKSPACE)).path)


@asynccontextmanager
async def _tab(jar: AsyncBelljar) -> AsyncIterator[AsyncPage]:
    page = await _open(jar)
    try:
        yield page
    finally:
        with anyio.move_on_after(5, shield=True), suppress(Problem, Unreachable):
            await page.close(wait=False)


async def _open(jar: AsyncBelljar) -> AsyncPage:
    """What there is already in all calls but the first is only made where it turns out to be missing."""
    try:
        return await jar.browser.new_page(partition=PARTITION, dismiss_dialogs=True)
    except BrowserNotActive:
        with suppress(BrowserAlreadyActive):
            await jar.browser.start(headless=True)
    except PartitionNotFound:
        pass
    await jar.browser.put_partition(PARTITION, spare_tab=True)
    return await jar.browser.new_page(partition=PARTITION, dismiss_dialogs=True)
