"""What launchers whose boxes have a folder each do alike: wait until a box answers, and hand out what it left."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager

import anyio

from belljar.plane.boxes.launchers.base import Address, BoxRecord, Ending, Handle, LaunchError, Recording
from belljar.plane.boxes.launchers.box_folders import BoxFolders
from belljar.plane.boxes.upstream import Upstream, UpstreamError
from belljar.tasks import background

# Between two attempts to reach a box that does not listen yet.
_PAUSE = 0.02


class FolderLauncher(ABC):
    def __init__(self, folders: BoxFolders) -> None:
        self._folders = folders
        self._artifacts = folders.artifacts

    @abstractmethod
    def address(self, handle: Handle) -> Address: ...

    @abstractmethod
    async def wait_ended(self, handle: Handle) -> Ending: ...

    def log(self, box_id: str) -> AsyncIterator[bytes]:
        return self._artifacts.log(box_id)

    async def recordings(self, box_id: str) -> Sequence[Recording]:
        return await self._artifacts.recordings(box_id)

    def recording(self, box_id: str, id: str, start: int, end: int) -> AsyncIterator[bytes]:
        return self._artifacts.recording(box_id, id, start, end)

    def record(self, box_id: str) -> AbstractAsyncContextManager[BoxRecord | None]:
        return self._artifacts.record(box_id)

    async def forget(self, before: float) -> None:
        await self._artifacts.forget(before)

    async def _until_ready(self, handle: Handle) -> None:
        """It may not listen yet, which is no answer; how long to wait is the caller's business."""

        async def end_the_wait() -> None:
            ending = await self.wait_ended(handle)
            raise LaunchError(f"the box ended before it was ready: {await self._why_it_ended(handle, ending)}")

        async with background(end_the_wait, name="box ended"), Upstream() as upstream:
            while True:
                try:
                    answer = await upstream.request(self.address(handle), "GET", "/readyz")
                except UpstreamError:
                    await anyio.sleep(_PAUSE)
                    continue
                if answer.status != 200:
                    raise LaunchError(f"the box answered {answer.status}")
                return

    async def _why_it_ended(self, handle: Handle, ending: Ending) -> str:
        return ending.detail
