"""How desktop calls reach the display: what keeps them from it becomes a problem."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from belljar.box.display import Connection, Display, DisplayInactive, Resolution, XClosed, XError, XTimeout
from belljar.problems import Problem
from belljar.problems.box import DesktopFailed, DesktopInvalidAction


class Reach:
    """The display, seen from a desktop call.

    `why_none` gives the problem to raise while nothing runs: never started, failed, or a browser without a screen.
    `processes` gives what a caller is shown beside a failure.
    """

    def __init__(
        self, display: Display, why_none: Callable[[], Problem], processes: Callable[[], list[object]]
    ) -> None:
        self._display = display
        self._why_none = why_none
        self._processes = processes

    @asynccontextmanager
    async def connection(self, refused: type[Problem]) -> AsyncIterator[Connection]:
        """The connection for one call; what the X server refuses is raised as `refused`."""
        try:
            yield await self._display.connection()
        except DisplayInactive as error:
            raise self._why_none() from error
        except XClosed as error:
            raise DesktopFailed(
                "The display is gone and is being restarted; try again.", processes=self._processes()
            ) from error
        except XTimeout as error:
            raise refused("The X server does not answer.", processes=self._processes()) from error
        except XError as error:
            raise refused(f"The X server refused: {error.name}.", processes=self._processes()) from error

    def resolution(self) -> Resolution:
        """Raises the problem that says why there is none."""
        try:
            return self._display.resolution
        except DisplayInactive as error:
            raise self._why_none() from error

    def check_active(self) -> None:
        self.resolution()

    def on_screen(self, x: int, y: int) -> tuple[int, int]:
        """The pixel meant: a screen's own width or height, as a coordinate, is its last one."""
        size = self.resolution()
        if x > size.width or y > size.height:
            raise DesktopInvalidAction(
                f"The point {x}, {y} is outside the screen, which is {size.width} x {size.height} pixels."
            )
        return min(x, size.width - 1), min(y, size.height - 1)
