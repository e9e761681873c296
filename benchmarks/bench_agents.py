"""Ten steps of an agent's task through MCP: milliseconds and characters, ours beside the others'."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from benchmarks import agents
from benchmarks.figures import percentile
from benchmarks.harness import Action, Benchmark, Contender, SetUp, Took, run
from tests.site import running_site

STEPS = 10


def doing_the_task(name: str, started: Callable[[], AbstractAsyncContextManager[agents.Tool]]) -> SetUp:
    """The task from its beginning; a figure is the time of an average step."""

    @asynccontextmanager
    async def set_up() -> AsyncIterator[Action]:
        calls: list[float] = []
        with running_site() as site:
            async with started() as tool:

                async def act() -> Took:
                    await tool.begin()

                    async def timed(step: Awaitable[None]) -> None:
                        began = time.perf_counter()
                        await step
                        tool.tally.seconds.append(time.perf_counter() - began)

                    await agents.task(tool, site.url("agent/shop.html"), timed)
                    tally = tool.tally
                    calls.append(sum(tally.seconds) / tally.calls)
                    BENCHMARK.notes[f"{name}: tool calls"] = tally.calls
                    BENCHMARK.notes[f"{name}: characters returned"] = tally.characters
                    BENCHMARK.notes[f"{name}: ms per tool call, p50"] = round(percentile(calls, 0.5) * 1000, 1)
                    return Took(sum(tally.seconds) / STEPS)

                yield act

    return set_up


BENCHMARK = Benchmark(
    "agents",
    baseline="belljar mcp",
    contenders=[
        Contender("belljar mcp", doing_the_task("belljar mcp", agents.belljar)),
        Contender("@playwright/mcp", doing_the_task("@playwright/mcp", agents.playwright_mcp)),
        Contender("agent-browser", doing_the_task("agent-browser", agents.agent_browser)),
        Contender("chrome-devtools-mcp", doing_the_task("chrome-devtools-mcp", agents.chrome_devtools)),
    ],
    rounds=20,
    quick_rounds=5,
    warm_up=1,
    action_limit=60.0,
)

if __name__ == "__main__":
    run(BENCHMARK)
