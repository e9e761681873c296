"""`desktop.windows`."""

from belljar.sdk.aio.http import AsyncHttp
from belljar.sdk.encoding import body
from belljar.wire.desktop import ClosedWindow, WindowInfo, WindowList


class AsyncWindows:
    """Windows on the screen, by their X ids."""

    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(self) -> WindowList:
        """All of them, from the bottom to the top."""
        return await self._http.get("/v1/desktop/windows", WindowList)

    async def focused(self) -> WindowInfo:
        """The one that keys go to."""
        return await self._http.get("/v1/desktop/windows/focused", WindowInfo)

    async def focus(self, window_id: str) -> WindowInfo:
        """Bring it to the front and give it the keys."""
        return await self._http.post(f"/v1/desktop/windows/{window_id}/focus", WindowInfo)

    async def move(self, window_id: str, x: int, y: int) -> WindowInfo:
        """Put its frame's upper left corner there."""
        return await self._http.post(f"/v1/desktop/windows/{window_id}/move", WindowInfo, body(x=x, y=y))

    async def resize(self, window_id: str, width: int, height: int) -> WindowInfo:
        """Give its client area another size."""
        asked = body(width=width, height=height)
        return await self._http.post(f"/v1/desktop/windows/{window_id}/resize", WindowInfo, asked)

    async def minimize(self, window_id: str) -> WindowInfo:
        """Put it out of sight."""
        return await self._http.post(f"/v1/desktop/windows/{window_id}/minimize", WindowInfo)

    async def maximize(self, window_id: str) -> WindowInfo:
        """Let it fill the screen."""
        return await self._http.post(f"/v1/desktop/windows/{window_id}/maximize", WindowInfo)

    async def close(self, window_id: str) -> ClosedWindow:
        """Ask its program to close it; `closed` of the answer says whether it did."""
        return await self._http.post(f"/v1/desktop/windows/{window_id}/close", ClosedWindow)
