"""The harness takes turns, warms up, and ends what it set up."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio
import pytest

from benchmarks.harness import Action, Benchmark, Contender, Took, Unavailable, measure, only, report


class Diary:
    """What the contenders did, in order."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def contender(self, name: str, *, is_async: bool = False) -> Contender:
        @asynccontextmanager
        async def set_up() -> AsyncIterator[Action]:
            self.lines.append(f"{name} up")

            async def act_async() -> None:
                self.lines.append(name)
                await anyio.lowlevel.checkpoint()

            yield act_async if is_async else lambda: self.lines.append(name)
            self.lines.append(f"{name} down")

        return Contender(name, set_up)


async def test_sync_and_async_contenders_take_turns_after_a_warm_up() -> None:
    diary = Diary()
    contenders = [diary.contender("a"), diary.contender("b", is_async=True)]
    samples = await measure(Benchmark("diary", baseline="a", contenders=contenders, warm_up=1), rounds=2)
    assert (diary.lines[:2], diary.lines[-2:]) == (["a up", "b up"], ["b down", "a down"])
    actions = diary.lines[2:-2]
    assert [set(actions[at : at + 2]) for at in (0, 2, 4)] == [{"a", "b"}] * 3
    assert {name: len(taken) for name, taken in samples.items()} == {"a": 2, "b": 2}


async def test_what_an_action_measured_itself_is_believed() -> None:
    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        yield lambda: Took(42.0)

    samples = await measure(Benchmark("took", "own", [Contender("own", set_up)], warm_up=0), rounds=1)
    assert samples == {"own": [42.0]}


async def test_the_limit_ends_a_run_after_a_whole_round() -> None:
    diary = Diary()
    benchmark = Benchmark("limited", "a", [diary.contender("a"), diary.contender("b")], warm_up=0, limit=0)
    samples = await measure(benchmark, rounds=1000)
    assert {name: len(taken) for name, taken in samples.items()} == {"a": 1, "b": 1}


def missing() -> AbstractAsyncContextManager[Action]:
    raise Unavailable("npm is not installed")


async def test_a_contender_that_is_not_available_is_left_out_aloud(capsys: pytest.CaptureFixture[str]) -> None:
    benchmark = Benchmark("partial", "a", [Diary().contender("a"), Contender("npm", missing)], warm_up=0)
    assert list(await measure(benchmark, rounds=1)) == ["a"]
    assert "npm left out: npm is not installed" in capsys.readouterr().out


def test_the_report_carries_the_notes() -> None:
    benchmark = Benchmark("noted", "a", [], notes={"idle MB": 61.5})
    assert report(benchmark, [])["notes"] == {"idle MB": 61.5}


def test_a_run_can_be_of_some_contenders_only() -> None:
    diary = Diary()
    whole = Benchmark(
        "diary", baseline="a film", contenders=[diary.contender(name) for name in ("a film", "VP8", "vp9")]
    )
    assert only(whole, []) is whole
    some = only(whole, ["vp"])
    assert ([one.name for one in some.contenders], some.baseline) == (["VP8", "vp9"], "VP8")
    assert only(whole, ["film", "vp9"]).baseline == "a film"
    with pytest.raises(SystemExit, match="a film, VP8, vp9"):
        only(whole, ["av1"])
