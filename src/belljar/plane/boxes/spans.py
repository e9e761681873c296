"""Spans that boxes hold, taken from each by its own socket and sent with the control plane's: boxes need no network.

A box is waited at, not asked again and again; what it gives is checked as anything of a box is, and no more of it is
taken in a second than one box may have.
"""

from collections.abc import Callable, Mapping

import anyio

from belljar.limits import Bucket
from belljar.logs import log
from belljar.plane.boxes.calls import BoxCalls, BoxRefused
from belljar.plane.boxes.launchers.base import Handle, Launcher
from belljar.plane.boxes.upstream import UpstreamError
from belljar.server.telemetry.export import Telemetry
from belljar.server.telemetry.spans import BATCH, read_spans
from belljar.tasks import Signal

_PATH = "/v1/spans"
# Longer than a box waits for something to answer with.
_WITHIN = 30.0
# Spans of one box in a second, and at once.
_RATE, _BURST = 200.0, 4.0 * BATCH
# After a box that does not answer, doubled each time.
_LEAST_PAUSE, _MOST_PAUSE = 0.5, 30.0


class BoxSpans:
    """`boxes` are those of this control plane, as far as they can be reached; `changed` says when there are others."""

    def __init__(
        self,
        boxes: Callable[[], Mapping[str, Handle | None]],
        changed: Signal,
        launcher: Launcher,
        calls: BoxCalls,
        telemetry: Telemetry,
    ) -> None:
        self._boxes = boxes
        self._changed = changed
        self._launcher = launcher
        self._calls = calls
        self._telemetry = telemetry
        self._taken_from: set[str] = set()

    async def keep_taking(self) -> None:
        """Runs as long as the control plane."""
        self._taken_from.clear()
        async with anyio.create_task_group() as tasks:
            while True:
                for id, handle in self._boxes().items():
                    if handle is not None and id not in self._taken_from:
                        self._taken_from.add(id)
                        tasks.start_soon(self._take_all, id, name=f"spans of {id}")
                await self._changed.changed()

    async def _take_all(self, box_id: str) -> None:
        """From one box, until it is gone."""
        bucket = Bucket(_RATE, _BURST)
        pause = _LEAST_PAUSE
        try:
            while (handle := self._boxes().get(box_id)) is not None:
                if await self._take(box_id, handle, bucket):
                    pause = _LEAST_PAUSE
                else:
                    with anyio.move_on_after(pause):
                        await self._changed.until(lambda: box_id not in self._boxes())
                    pause = min(pause * 2, _MOST_PAUSE)
        finally:
            self._taken_from.discard(box_id)

    async def _take(self, box_id: str, handle: Handle, bucket: Bucket) -> bool:
        """Whether it answered."""
        try:
            address = self._launcher.address(handle)
            answer = await self._calls.call(address, box_id, "POST", _PATH, within=_WITHIN, is_traced=False)
        except (BoxRefused, UpstreamError, TimeoutError):
            return False
        spans, odd = read_spans(answer.body)
        if odd:
            log.warning("telemetry.odd_spans", box_id=box_id, count=odd)
        for span in spans:
            if bucket.take():
                self._telemetry.add_of_box(box_id, span)
            else:
                self._telemetry.lost += 1
        # One that answers at once, and with nothing that is any good, is not asked at once again.
        return bool(spans) or not odd
