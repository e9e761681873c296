"""The price of the egress proxy to a page, for large answers: 64 MB from a host on loopback."""

from benchmarks.egress import in_a_page
from benchmarks.harness import Benchmark, Contender, run

SIZE = 64 << 20
BENCHMARK = Benchmark(
    "egress_page_throughput",
    baseline="direct",
    contenders=[
        Contender("direct", in_a_page(SIZE, is_proxied=False)),
        Contender("through the proxy", in_a_page(SIZE, is_proxied=True)),
    ],
    rounds=40,
    quick_rounds=15,
)

if __name__ == "__main__":
    run(BENCHMARK)
