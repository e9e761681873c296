"""The price of the egress proxy to a page, for small answers: one kilobyte on a connection that is kept."""

from benchmarks.egress import in_a_page
from benchmarks.harness import Benchmark, Contender, run

SIZE = 1024
BENCHMARK = Benchmark(
    "egress_page_request",
    baseline="direct",
    contenders=[
        Contender("direct", in_a_page(SIZE, is_proxied=False)),
        Contender("through the proxy", in_a_page(SIZE, is_proxied=True)),
    ],
    rounds=600,
    quick_rounds=200,
)

if __name__ == "__main__":
    run(BENCHMARK)
