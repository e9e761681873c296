"""A click where nothing moves: REST with all its checks against Playwright, raw CDP and two agents' tools."""

from benchmarks.clicks import agent_browser, over_http, playwright_mcp, playwright_python, raw_cdp
from benchmarks.harness import Benchmark, Contender, run

PAGE = "acting/still.html"

BENCHMARK = Benchmark(
    "click",
    baseline="Playwright Python",
    contenders=[
        Contender("Playwright Python", playwright_python(PAGE)),
        Contender("raw CDP, unchecked", raw_cdp(PAGE)),
        Contender("POST /v1/browser/click", over_http(PAGE)),
        Contender("@playwright/mcp", playwright_mcp(PAGE)),
        Contender("agent-browser mcp", agent_browser(PAGE)),
    ],
    rounds=100,
)

if __name__ == "__main__":
    run(BENCHMARK)
