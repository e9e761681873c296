"""The price of the egress proxy for large answers: 64 MB from a host on loopback."""

from benchmarks.egress import asking
from benchmarks.harness import Benchmark, Contender, run

SIZE = 64 << 20
BENCHMARK = Benchmark(
    "egress_throughput",
    baseline="direct",
    contenders=[Contender(by, asking(SIZE, by)) for by in ("direct", "http", "tunnel")],
    rounds=40,
    quick_rounds=20,
)

if __name__ == "__main__":
    run(BENCHMARK)
