"""The price of the jail: running /bin/true in the jail and outside."""

from benchmarks.harness import run
from benchmarks.jails import side_by_side

BENCHMARK = side_by_side("jail_process", [("/v1/processes/run", {"command": "/bin/true"})], rounds=500)

if __name__ == "__main__":
    run(BENCHMARK)
