"""The price of the jail: start and stop of a headful browser, display included, in the jail and outside."""

from benchmarks.harness import run
from benchmarks.jails import side_by_side

BENCHMARK = side_by_side("jail_start", [("/v1/browser/start", {}), ("/v1/browser/stop", {})], rounds=20)

if __name__ == "__main__":
    run(BENCHMARK)
