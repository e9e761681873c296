"""A session from the warm pool, its browser up, over each launcher."""

from functools import partial

from benchmarks.harness import Benchmark, run
from benchmarks.launchers import creating_sessions, over_each_launcher

POOL = 2

BENCHMARK = Benchmark(
    "launchers_pool",
    baseline="local",
    contenders=over_each_launcher(partial(creating_sessions, pool=POOL), "--pool-size", str(POOL)),
    rounds=30,
    quick_rounds=10,
    warm_up=1,
    limit=600,
    action_limit=120,
)

if __name__ == "__main__":
    run(BENCHMARK)
