import anyio

from belljar.box.process.logs import BYTES_PER_ENTRY, Entry, LogRing
from belljar.wire.processes import LogStream

OUT, ERR = LogStream.STDOUT, LogStream.STDERR
BOTH = (OUT, ERR)


def written(*chunks: bytes, limit: int = 1000) -> LogRing:
    ring = LogRing(limit)
    for number, chunk in enumerate(chunks):
        ring.append(BOTH[number % 2], chunk)
    return ring


def data(entries: list[Entry]) -> list[bytes]:
    return [entry.data for entry in entries]


def test_entries_are_numbered_from_one_and_filtered_by_stream() -> None:
    ring = written(b"a", b"b", b"c")
    assert [entry.sequence for entry in ring.read(streams=BOTH)] == [1, 2, 3]
    assert data(ring.read(streams=(ERR,))) == [b"b"]
    assert ring.read(streams=(LogStream.PTY,)) == []


def test_since_is_exclusive_and_applied_before_tail() -> None:
    ring = written(*(bytes([65 + number]) for number in range(6)))
    assert data(ring.read(streams=BOTH, since=4)) == [b"E", b"F"]
    assert data(ring.read(streams=BOTH, since=4, tail=10)) == [b"E", b"F"]
    assert data(ring.read(streams=BOTH, tail=2)) == [b"E", b"F"]
    assert data(ring.read(streams=(OUT,), tail=2)) == [b"C", b"E"]
    assert ring.read(streams=BOTH, tail=0) == []
    assert ring.read(streams=BOTH, since=99) == []


def test_the_oldest_are_dropped_and_counted() -> None:
    ring = written(b"x" * 400, b"y" * 400, b"z" * 400)
    assert (ring.size, ring.dropped, ring.last_sequence) == (800, 1, 3)
    assert [entry.sequence for entry in ring.read(streams=BOTH)] == [2, 3]


def test_a_chunk_over_the_whole_limit_is_dropped() -> None:
    ring = written(b"x" * 2000)
    assert (ring.size, ring.dropped) == (0, 1)


def test_single_bytes_cost_no_more_memory_than_a_flood() -> None:
    ring = LogRing(100 * BYTES_PER_ENTRY)
    for _ in range(1000):
        ring.append(OUT, b"x")
    assert len(ring.read(streams=BOTH)) == 100


async def test_a_follower_sees_what_was_and_what_comes_and_the_end() -> None:
    ring = written(b"a", b"b")
    seen: list[bytes] = []

    async def follow() -> None:
        async for batch in ring.follow(streams=BOTH, tail=1):
            seen.extend(data(batch))

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(follow)
            await anyio.wait_all_tasks_blocked()
            assert seen == [b"b"]
            ring.append(OUT, b"c")
            await anyio.wait_all_tasks_blocked()
            ring.append(OUT, b"d")
            ring.close()
    assert seen == [b"b", b"c", b"d"]


async def test_a_slow_follower_misses_what_was_dropped_and_goes_on() -> None:
    ring = LogRing(64)
    follower = ring.follow(streams=BOTH)
    ring.append(OUT, b"first")
    assert data(await anext(follower)) == [b"first"]
    for number in range(200):
        ring.append(OUT, b"%064d" % number)
    assert data(await anext(follower)) == [b"%064d" % 199]


async def test_a_follower_is_given_a_bounded_batch() -> None:
    ring = LogRing(64 * 1024 * 1024)
    for _ in range(100):
        ring.append(OUT, b"x" * 65536)
    ring.close()
    sizes = [sum(map(len, data(batch))) async for batch in ring.follow(streams=BOTH)]
    assert sum(sizes) == 100 * 65536
    assert max(sizes) <= 512 * 1024


async def test_a_quiet_follower_gets_an_empty_batch() -> None:
    with anyio.fail_after(10):
        assert await anext(LogRing(10).follow(streams=BOTH, idle=0.01)) == []


async def test_a_follower_ends_when_its_condition_holds() -> None:
    ring = written(b"a")
    assert [data(batch) async for batch in ring.follow(streams=BOTH, until=lambda: True)] == [[b"a"]]
