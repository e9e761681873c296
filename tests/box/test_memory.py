"""What the server freed goes back to the system once nobody uses the box."""

import os
from pathlib import Path

import anyio

from belljar.box.access.tenancy import Activity
from belljar.box.app import memory_given_back

BLOCK = 64 * 1024
MEGABYTE = 1024 * 1024


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def test_freed_memory_is_given_back_when_idle() -> None:
    blocks = [b"x" * BLOCK for _ in range(1000)]
    # Every tenth stays, so that the allocator cannot give back the end of its heap by itself.
    kept = blocks[::10]
    blocks.clear()
    held = resident()
    async with memory_given_back(Activity(), idle=0.05):
        with anyio.fail_after(20):
            while resident() > held - 40 * MEGABYTE:  # noqa: ASYNC110  # the kernel tells nobody
                await anyio.sleep(0.02)
    assert len(kept) == 100
