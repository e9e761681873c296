"""The same form by ten calls, side by side with raw CDP and other tools."""

from benchmarks.forms import contenders, ordering
from benchmarks.harness import Benchmark, run

BENCHMARK = Benchmark("form", baseline="raw CDP, unchecked", contenders=contenders(ordering), rounds=40)

if __name__ == "__main__":
    run(BENCHMARK)
