"""`none`: no browser, and every call says why."""

from belljar.agent.provider.settings import ProviderSettings
from belljar.agent.provider.types import BrowserConfig, BrowserProvider, BrowserSession, PageSnapshot, ProviderDisabled


class NoProvider:
    def __init__(self, reason: str = "It was switched off.") -> None:
        self.reason = reason

    async def launch(self, config: BrowserConfig) -> BrowserSession:
        raise self._disabled()

    async def navigate(self, session: str, url: str) -> None:
        raise self._disabled()

    async def snapshot(self, session: str) -> PageSnapshot:
        raise self._disabled()

    async def click(self, session: str, ref: int) -> None:
        raise self._disabled()

    async def type(self, session: str, ref: int, text: str) -> None:
        raise self._disabled()

    async def screenshot(self, session: str) -> bytes:
        raise self._disabled()

    async def close(self, session: str) -> None:
        raise self._disabled()

    async def aclose(self) -> None:
        return None

    def _disabled(self) -> ProviderDisabled:
        return ProviderDisabled(f"There is no browser here. {self.reason}")


async def create(settings: ProviderSettings) -> BrowserProvider:
    return NoProvider()
