"""`remote`: sessions on a box that runs somewhere, each in a partition of its own, or lent by a control plane."""

from contextlib import suppress

import anyio

from belljar.agent.provider.boxed import BoxProvider, Tenancy
from belljar.agent.provider.none import NoProvider
from belljar.agent.provider.settings import ProviderSettings, strict_hosts
from belljar.agent.provider.types import BadArgument, BrowserConfig, BrowserProvider, ProviderError
from belljar.problems import Problem, UnknownPath
from belljar.problems.browser import BrowserAlreadyActive, BrowserNotActive
from belljar.sdk.aio.box import AsyncBox
from belljar.sdk.aio.client import AsyncBelljar
from belljar.sdk.aio.page import AsyncPage
from belljar.sdk.aio.sessions import AsyncSession
from belljar.wire.browser.lifecycle import ViewportSize
from belljar.wire.sessions import SessionPolicy, Viewport


class RemoteProvider(BoxProvider):
    """On a box whose browser runs already, `headless` is what it is; the viewport is the session's own either way."""

    def __init__(self, settings: ProviderSettings) -> None:
        super().__init__(settings)
        self._jar = AsyncBelljar(settings.url, settings.token)
        self._only = strict_hosts(settings.browser_allowed_domains)

    async def _begin(self, session: str, config: BrowserConfig) -> Tenancy:
        lent = await self._lent(config)
        box: AsyncBox = self._jar if lent is None else lent

        async def give_back() -> None:
            with suppress(Problem):
                await (lent.end() if lent is not None else box.browser.delete_partition(session))

        try:
            if self._settings.is_strict:
                await self._narrow(box, is_shared=lent is None and not self._settings.browser_own_box)
            return Tenancy(await self._page(box, session, config), give_back)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await give_back()
            raise

    async def aclose(self) -> None:
        await super().aclose()
        await self._jar.close()

    async def _lent(self, config: BrowserConfig) -> AsyncSession | None:
        """A session of the control plane; None where the server is a box."""
        size = Viewport(width=config.viewport.width, height=config.viewport.height)
        policy = SessionPolicy(only=tuple(self._only)) if self._settings.is_strict else None
        try:
            return await self._jar.sessions.create(headless=config.headless, viewport=size, policy=policy)
        except UnknownPath:
            return None

    async def _narrow(self, box: AsyncBox, *, is_shared: bool) -> None:
        """Have the list be the network policy: a session was asked for with it, but only the box's own word counts."""
        if is_shared:
            raise ProviderError(
                "A strict allowlist narrows the network policy of a whole box, and others may use this one. If it is "
                "this provider's alone, say so with BELLJAR_BROWSER_OWN_BOX=1; else use a control plane or the "
                "container provider."
            )
        isolation = (await box.health()).isolation
        if isolation is None or isolation.network == "host":
            raise ProviderError("A strict allowlist needs a box with a jail: without one its policy can be passed by.")
        await box.egress.restrict(only=self._only)

    async def _page(self, box: AsyncBox, partition: str, config: BrowserConfig) -> AsyncPage:
        browser = box.browser
        size = ViewportSize(width=config.viewport.width, height=config.viewport.height)
        domains = self._settings.browser_allowed_domains or None
        try:
            await browser.put_partition(partition, allowed_domains=domains, viewport=size)
        except BrowserNotActive:
            with suppress(BrowserAlreadyActive):
                await browser.start(headless=config.headless)
            await browser.put_partition(partition, allowed_domains=domains, viewport=size)
        return await browser.new_page(partition=partition, dismiss_dialogs=True)


async def create(settings: ProviderSettings) -> BrowserProvider:
    if settings.url is None:
        return NoProvider("BELLJAR_URL does not say which box or control plane to use.")
    try:
        return RemoteProvider(settings)
    except ValueError as error:
        raise BadArgument(str(error)) from error
