# Made from aio/windows.py by scripts/make_sync_sdk.py: change it there.
"""`desktop.windows`."""

from belljar.sdk.encoding import body
from belljar.sdk.sync.http import Http
from belljar.wire.desktop import ClosedWindow, WindowInfo, WindowList


class Windows:
    """Windows on the screen, by their X ids."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def list(self) -> WindowList:
        """All of them, from the bottom to the top."""
        return self._http.get("/v1/desktop/windows", WindowList)

    def focused(self) -> WindowInfo:
        """The one that keys go to."""
        return self._http.get("/v1/desktop/windows/focused", WindowInfo)

    def focus(self, window_id: str) -> WindowInfo:
        """Bring it to the front and give it the keys."""
        return self._http.post(f"/v1/desktop/windows/{window_id}/focus", WindowInfo)

    def move(self, window_id: str, x: int, y: int) -> WindowInfo:
        """Put its frame's upper left corner there."""
        return self._http.post(f"/v1/desktop/windows/{window_id}/move", WindowInfo, body(x=x, y=y))

    def resize(self, window_id: str, width: int, height: int) -> WindowInfo:
        """Give its client area another size."""
        asked = body(width=width, height=height)
        return self._http.post(f"/v1/desktop/windows/{window_id}/resize", WindowInfo, asked)

    def minimize(self, window_id: str) -> WindowInfo:
        """Put it out of sight."""
        return self._http.post(f"/v1/desktop/windows/{window_id}/minimize", WindowInfo)

    def maximize(self, window_id: str) -> WindowInfo:
        """Let it fill the screen."""
        return self._http.post(f"/v1/desktop/windows/{window_id}/maximize", WindowInfo)

    def close(self, window_id: str) -> ClosedWindow:
        """Ask its program to close it; `closed` of the answer says whether it did."""
        return self._http.post(f"/v1/desktop/windows/{window_id}/close", ClosedWindow)
