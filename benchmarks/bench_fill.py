"""Replacing what a field holds by twenty characters, side by side with raw CDP and other tools."""

from benchmarks.forms import contenders, filling
from benchmarks.harness import Benchmark, run

BENCHMARK = Benchmark("fill", baseline="raw CDP, unchecked", contenders=contenders(filling), rounds=100)

if __name__ == "__main__":
    run(BENCHMARK)
