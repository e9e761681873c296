"""`container`: each session in an embedded, jailed box of its own, which ends with it."""

import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import anyio

from belljar.agent.provider.boxed import BoxProvider, Tenancy
from belljar.agent.provider.none import NoProvider
from belljar.agent.provider.settings import ProviderSettings, strict_policy
from belljar.agent.provider.types import BrowserConfig, BrowserProvider
from belljar.dependencies import missing_for_browser
from belljar.sdk.aio.client import AsyncBelljar
from belljar.state import default_state_dir
from belljar.wire.browser.lifecycle import ViewportSize
from belljar.wire.isolation import JailMode

_PARTITION = "provider"


class ContainerProvider(BoxProvider):
    async def _begin(self, session: str, config: BrowserConfig) -> Tenancy:
        domains = self._settings.browser_allowed_domains
        size = ViewportSize(width=config.viewport.width, height=config.viewport.height)
        async with AsyncExitStack() as stack:
            with tempfile.TemporaryDirectory(prefix="belljar-provider-") as folder:
                jar = AsyncBelljar(box=self._flags(Path(folder)))
                stack.push_async_callback(_closed, jar)
                # The policy has been read once the box answers.
                await jar.health()
            await jar.browser.start(headless=config.headless)
            await jar.browser.put_partition(_PARTITION, allowed_domains=domains or None, viewport=size)
            page = await jar.browser.new_page(partition=_PARTITION, dismiss_dialogs=True)
            stack.pop_all()
        return Tenancy(page, jar.close)

    def _flags(self, folder: Path) -> list[str]:
        settings = self._settings
        policy, allow, jail = settings.egress, settings.allow, settings.jail
        if settings.is_strict:
            file = folder / "strict.policy"
            file.write_text(strict_policy(settings.browser_allowed_domains), encoding="utf-8")
            # Without a jail the policy is manners, not a wall.
            policy, jail = str(file), JailMode.REQUIRE
        return ["--jail", jail, "--egress", policy, *(word for target in allow for word in ("--allow", target))]


async def _closed(jar: AsyncBelljar) -> None:
    with anyio.CancelScope(shield=True):
        await jar.close()


async def create(settings: ProviderSettings) -> BrowserProvider:
    """The provider; without the programs it needs, one that says so."""
    missing = await anyio.to_thread.run_sync(missing_for_browser, default_state_dir())
    if missing:
        return NoProvider(f"{', '.join(missing)} is not installed. Run `belljar install browser --yes`.")
    return ContainerProvider(settings)
