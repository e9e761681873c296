"""Going to a page of two thousand elements, side by side with raw CDP and other tools."""

from benchmarks.forms import contenders, navigating
from benchmarks.harness import Benchmark, run

BENCHMARK = Benchmark("navigate", baseline="raw CDP, unchecked", contenders=contenders(navigating), rounds=60)

if __name__ == "__main__":
    run(BENCHMARK)
