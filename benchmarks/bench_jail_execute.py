"""The price of the jail: execute in a jailed Chromium against one that is not."""

from benchmarks.harness import run
from benchmarks.jails import side_by_side

BENCHMARK = side_by_side(
    "jail_execute",
    [("/v1/browser/execute", {"expression": "1 + 1"})],
    first=[("/v1/browser/start", {"headless": True})],
    rounds=1000,
)

if __name__ == "__main__":
    run(BENCHMARK)
