"""The price of the egress proxy for small answers: one kilobyte on a connection that is kept."""

from benchmarks.egress import asking
from benchmarks.harness import Benchmark, Contender, run

SIZE = 1024
BENCHMARK = Benchmark(
    "egress_request",
    baseline="direct",
    contenders=[Contender(by, asking(SIZE, by)) for by in ("direct", "http", "tunnel")],
    rounds=600,
    quick_rounds=200,
)

if __name__ == "__main__":
    run(BENCHMARK)
