"""A click on a page that animates, where the element has to hold still for two frames first."""

from benchmarks.clicks import over_http, playwright_python, raw_cdp
from benchmarks.harness import Benchmark, Contender, run

PAGE = "acting/animated.html"

BENCHMARK = Benchmark(
    "click_animated",
    baseline="Playwright Python",
    contenders=[
        Contender("Playwright Python", playwright_python(PAGE)),
        Contender("raw CDP, unchecked", raw_cdp(PAGE)),
        Contender("POST /v1/browser/click", over_http(PAGE)),
    ],
    rounds=100,
)

if __name__ == "__main__":
    run(BENCHMARK)
