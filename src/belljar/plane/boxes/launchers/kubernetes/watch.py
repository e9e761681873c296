"""One watch over all Pods of an installation: what they were last heard to be, for everybody who asks.

What it says of a Pod that is there can be believed, for a Pod does not come back to life; that one is not there it
cannot know, for it may be late.
"""

import time
from collections import OrderedDict

import anyio
import msgspec

from belljar.logs import log
from belljar.plane.boxes.launchers.kubernetes.api import Api, ApiAway, ApiRefused, Expired
from belljar.plane.boxes.launchers.kubernetes.objects import Pod, PodEvent
from belljar.tasks import Signal

# Between two attempts to hear what happens: twice as long each time.
_LEAST_PAUSE, _MOST_PAUSE = 0.5, 10.0
# Even a watch that seems well is not believed for longer without a look at everything.
_RELIST_SECONDS = 300.0
# Pods that are gone, for those who ask what became of them.
_MOST_GONE = 1_000


class PodWatch:
    def __init__(self, api: Api, selector: str) -> None:
        self._api = api
        self._selector = selector
        self._pods: dict[str, Pod] = {}
        self._gone: OrderedDict[str, Pod] = OrderedDict()
        self._version = ""
        # When everything was last looked at (monotonic).
        self.listed_at = 0.0
        # Whether we are being told, and how often there was news.
        self.is_live = False
        self._told = 0
        self._news = Signal()

    @property
    def pods(self) -> list[Pod]:
        return list(self._pods.values())

    @property
    def told(self) -> int:
        return self._told

    def get(self, name: str) -> Pod | None:
        return self._pods.get(name)

    def last_seen(self, name: str) -> Pod | None:
        """As it was before it went."""
        return self._gone.get(name)

    def put(self, pod: Pod) -> None:
        """Somebody asked, and was told this."""
        known = self._pods.get(pod.metadata.name)
        if known is None or known.metadata.uid != pod.metadata.uid:
            self._pods[pod.metadata.name] = pod
            self._tell()

    def forget(self, name: str, uid: str) -> None:
        """Somebody asked, and was told that it is gone."""
        if (pod := self._pods.get(name)) is not None and pod.metadata.uid == uid:
            self._remove(pod)

    async def wait(self, told: int, seconds: float) -> None:
        """Until there is news since `told`, or for so long."""
        with anyio.move_on_after(seconds):
            await self._news.until(lambda: self._told != told)

    async def run(self) -> None:
        """For as long as the launcher.  While nobody tells us anything, all stays as it was."""
        pause = _LEAST_PAUSE
        while True:
            try:
                await self._list()
                pause = _LEAST_PAUSE
                await self._follow()
            except Expired:
                log.info("kubernetes.watch_expired")
            except (ApiAway, ApiRefused) as error:
                log.warning("kubernetes.not_told", error=str(error))
            self.is_live = False
            self._tell()
            await anyio.sleep(pause)
            pause = min(2 * pause, _MOST_PAUSE)

    async def _list(self) -> None:
        listed = await self._api.pods(self._selector)
        found = {pod.metadata.name: pod for pod in listed.items or ()}
        for name, pod in list(self._pods.items()):
            if name not in found:
                self._remove(pod)
        self._pods = found
        self._version = listed.metadata.resource_version
        self.listed_at = time.monotonic()
        self.is_live = True
        self._tell()

    async def _follow(self) -> None:
        """One watch after the other, each from where the last one ended, until it is time for a list."""
        while time.monotonic() - self.listed_at < _RELIST_SECONDS:
            began = time.monotonic()
            async with self._api.watch_pods(self._selector, self._version) as events:
                async for event in events:
                    self._take(event)
            # A server that ends each at once is not asked all the time.
            await anyio.sleep(max(0.0, _LEAST_PAUSE - (time.monotonic() - began)))

    def _take(self, event: PodEvent) -> None:
        try:
            pod = msgspec.json.decode(event.object, type=Pod)
        except msgspec.MsgspecError as error:
            raise ApiAway(f"an event cannot be read: {error}") from error
        self._version = pod.metadata.resource_version or self._version
        if event.type == "DELETED":
            self._remove(pod)
        elif event.type in ("ADDED", "MODIFIED"):
            self._pods[pod.metadata.name] = pod
        self._tell()

    def _remove(self, pod: Pod) -> None:
        known = self._pods.get(pod.metadata.name)
        if known is not None and known.metadata.uid == pod.metadata.uid:
            del self._pods[pod.metadata.name]
        self._gone[pod.metadata.name] = pod
        while len(self._gone) > _MOST_GONE:
            self._gone.popitem(last=False)
        self._tell()

    def _tell(self) -> None:
        self._told += 1
        self._news.fire()
