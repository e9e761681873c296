"""What the gateway knows of sessions, when what it reads and what happens cross each other."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import anyio

from belljar.plane.access.secrets import MasterKey
from belljar.plane.boxes.launchers.base import Handle
from belljar.plane.registry import BoxRow, Registry, open_registry
from belljar.plane.registry.boxes import Boxes
from belljar.plane.sessions.directory import Directory
from belljar.wire.sessions import SessionState as S
from tests.plane.strange_boxes import BrokenLauncher
from tests.plane.test_registry import add


class SlowBoxes(Boxes):
    """Keeps a reader waiting between sessions and boxes."""

    def __init__(self, registry: Registry) -> None:
        super().__init__(registry.database)
        self.asked = anyio.Event()
        self.may_answer = anyio.Event()

    async def list(self, *, place: str | None = None) -> Sequence[BoxRow]:
        self.asked.set()
        await self.may_answer.wait()
        return await super().list(place=place)


async def test_a_slow_look_at_the_database_undoes_nothing(tmp_path: Path) -> None:
    async with open_registry(f"sqlite:///{tmp_path}/control.db") as registry:
        await add(registry, "starting", state=S.STARTING)
        slow = SlowBoxes(registry)
        directory = Directory(replace(registry, boxes=slow), BrokenLauncher(), MasterKey(b"k" * 32))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(directory.refresh)
            await slow.asked.wait()
            row = await registry.sessions.get("starting")
            assert row is not None
            directory.put(replace(row, state=S.RUNNING), Handle({"socket": "/box"}))
            directory.put(replace(row, id="new", state=S.RUNNING), Handle({"socket": "/other"}))
            slow.may_answer.set()
        assert [entry.row.state for entry in directory.entries.values()] == [S.RUNNING, S.RUNNING]
        await registry.sessions.move("starting", S.STARTING, S.STOPPING, actor="another control plane")
        await directory.refresh()
        # Nobody stored the other one.
        assert [(id, entry.row.state) for id, entry in directory.entries.items()] == [("starting", S.STOPPING)]
