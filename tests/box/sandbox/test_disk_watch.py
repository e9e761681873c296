"""The watch over what programs write: nothing that they or the host do ends it."""

from pathlib import Path

import anyio

from belljar.box.sandbox.disk import DiskWatch


async def test_it_goes_on_after_it_could_not_look(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    watch = DiskWatch([folder], (), limit=1000, reserve=0, unwritten=lambda: 0, programs=lambda: ())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(watch.run)
        # Not there: it looks for the first time at once.
        await anyio.to_thread.run_sync(lambda: None)
        await anyio.wait_all_tasks_blocked()
        folder.mkdir()
        (folder / "much").write_bytes(b"x" * 100_000)
        with anyio.fail_after(10):
            while not watch.is_full:
                await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()
